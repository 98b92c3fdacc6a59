import { counted } from '../../quantities.ts';
import type { CheckReport } from '../../review/check.ts';
import type { OwnedRecord } from '../../review/owners.ts';
import type { Environment } from '../../user-folders.ts';
import { oneLine, styler } from './print.ts';

const SIGNS = { error: ['red', '✗'], warn: ['yellow', '!'] } as const;

/** Prints the problems that a check found, file by file, and how to fix them. */
export function printProblems({ ok, checked, problems }: CheckReport, out: NodeJS.WriteStream, env: Environment): void {
  const style = styler(out, env);
  let file: string | undefined;
  for (const { level, path, line, message, hint } of problems) {
    const [colour, sign] = SIGNS[level];
    if (path !== file) out.write(`${style('bold', oneLine(path))}\n`);
    file = path;
    const place = line === undefined ? '' : `${style('dim', `line ${line}:`)} `;
    out.write(`  ${style(colour, sign)} ${place}${oneLine(message)}\n`);
    if (hint) out.write(`    ${style('dim', '→')} ${oneLine(hint)}\n`);
  }
  const errors = problems.filter(({ level }) => level === 'error').length;
  const found = [
    errors > 0 && counted(errors, 'error'),
    problems.length > errors && counted(problems.length - errors, 'warning'),
  ].filter(Boolean);
  const verdict = found.length === 0 ? 'no problems found' : found.join(', ');
  out.write(
    `${problems.length > 0 ? '\n' : ''}${style(ok ? 'green' : 'red', `${counted(checked, 'file')}: ${verdict}.`)}\n`,
  );
}

/** Prints who should approve which record. */
export function printOwners(owned: OwnedRecord[], out: NodeJS.WriteStream, env: Environment): void {
  const style = styler(out, env);
  out.write(owned.length === 0 ? '\nNo new or changed records, so nobody has to approve any.\n' : '\nOwners\n');
  for (const { id, title, owners } of owned) {
    const names = owners.length === 0 ? style('dim', 'nobody in CODEOWNERS') : owners.map(oneLine).join(' ');
    out.write(`  ${style('yellow', id)} ${oneLine(title)}: ${names}\n`);
  }
}
