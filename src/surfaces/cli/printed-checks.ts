import type { Check } from '../../setup/check.ts';
import type { Context } from './command.ts';
import { printJson, shown } from './print.ts';

const SIGNS = { ok: ['green', '✓'], warn: ['yellow', '!'], fail: ['red', '✗'] } as const;

/** Prints what a doctor found, one line for each check; exit code 1 if something is broken. */
export function printChecks(context: Context, checks: Check[], { json = false }: { json?: boolean | undefined }): void {
  const ok = checks.every(({ status }) => status !== 'fail');
  if (!ok) context.setExitCode(1);
  if (json) return void printJson(context.stdout, { ok, checks });
  const { style } = context;
  const width = Math.max(...checks.map(({ name }) => name.length));
  for (const { name, status, message, hint } of checks) {
    const [colour, sign] = SIGNS[status];
    context.stdout.write(`${style(colour, sign)} ${style('dim', name.padEnd(width))} ${shown(message)}\n`);
    if (hint) context.stdout.write(`  ${' '.repeat(width)} ${style('dim', '→')} ${shown(hint)}\n`);
  }
}
