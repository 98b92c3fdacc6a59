import { isAbsolute, relative, resolve } from 'node:path';
import { typesOf } from '../../../capture/extract/mode.ts';
import { loadConfig } from '../../../config.ts';
import type { Workspace } from '../../../memory/store/workspace.ts';
import { counted } from '../../../quantities.ts';
import { checkAnnotations } from '../../../review/annotation.ts';
import { type CheckOptions, type CheckReport, checkMemory } from '../../../review/check.ts';
import { stageMemory } from '../../../review/commit-policy.ts';
import { PROBLEM_CODES } from '../../../review/problem.ts';
import { checkMarkdown } from '../../../review/render.ts';
import { GREETING } from '../../../templates.ts';
import type { Environment } from '../../../user-folders.ts';
import { define, type Flags, type Register, type Texts } from '../command.ts';
import { oneLine, styler } from '../print.ts';
import { addFormat, printReview, type ReviewOptions } from '../review-format.ts';

type Range = Flags<'staged'> & Texts<'base'>;

export const register: Register = (program, context) =>
  addFormat(
    define(program, 'check', 'look for what must not be committed: broken records, secrets, text for models')
      .option('--staged', 'what the next commit changes, as it is staged')
      .option('--base <revision>', 'only what differs from where HEAD left this revision'),
  )
    .notes(`
Without --staged or --base, all of .memory is checked. Exits 1 with errors; warnings do not count.
The value of a secret is never shown, only its kind and place. A record needs a kind, a title of at most 120 characters, a
type that the store knows (\`types\` in .memory/config.yaml adds some), and a time that is a date and has come; what a
redact mark keeps out may not be in another record.

Examples:
  git mem check --staged             what the next commit brings, as the pre-commit hook does
  git mem check --base origin/main   what a branch brings
  git mem check --base "$BASE" --format github`)
    .action(async (options: Range & ReviewOptions) => {
      const { workspace } = context.project();
      const report = await checkMemory(workspace, checkOptions(options, workspace));
      const forms = {
        json: report,
        annotations: () => checkAnnotations(report.problems),
        codes: PROBLEM_CODES,
        markdown: () => checkMarkdown(report),
        text: () => printProblems(report, context.stdout, context.env),
      };
      printReview(forms, options, context.stdout);
      if (!report.ok) context.setExitCode(1);
    });

/** Registers `pre-commit`. */
export const preCommit: Register = (program, context) =>
  program
    .command('pre-commit', { hidden: true })
    .description('what the pre-commit hook of git calls')
    .notes(`
Adds new records to the commit under \`commit: stage\`. Then looks at the memory that is about to be committed, as
\`git mem check --staged\` does, and says nothing when all is well.
Exits 1, which stops the commit, with errors only. \`git commit --no-verify\` goes on regardless.

Examples:
  git mem pre-commit        by hand, to see what a commit would say`)
    .action(async () => {
      if (context.env.GIT_MEM === '0') return;
      const { workspace, config } = context.project();
      await stageMemory(workspace, config().config);
      const report = await checkMemory(workspace, checkOptions({ staged: true }, workspace));
      if (report.problems.length > 0) printProblems(report, context.stderr, context.env);
      if (report.ok) return;
      context.say('The commit was stopped. `git commit --no-verify` makes it anyway.');
      // The hook checks this greeting, in case another program has our name.
      if (context.env.GIT_MEM_REPLY) context.stdout.write(`${GREETING}\n`);
      context.setExitCode(1);
    });

/** The options of a check; if git runs this as a hook, with the index of the commit in the making. */
function checkOptions({ staged, base }: Range, { checkout, layout, env }: Workspace): CheckOptions {
  // `git commit -a` and `git commit PATH` stage into an index of their own, in the git directory; no other one is read.
  const index = env.GIT_INDEX_FILE ? resolve(checkout.root, env.GIT_INDEX_FILE) : undefined;
  const inside = index === undefined ? '..' : relative(checkout.gitDir, index);
  const isOurs = !inside.startsWith('..') && !isAbsolute(inside);
  return {
    // Unreadable settings are a problem of their own, but no reason to check nothing.
    types: typesOf(loadConfig(layout.memory, env).config),
    ...(staged && { staged }),
    ...(base !== undefined && { base }),
    ...(index !== undefined && isOurs && { index }),
  };
}

const SIGNS = { error: ['red', '✗'], warn: ['yellow', '!'] } as const;

/** Prints the problems that a check found, file by file, with how to fix them. */
function printProblems(report: CheckReport, out: NodeJS.WriteStream, env: Environment): void {
  const { ok, checked, problems } = report;
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
  const warnings = problems.length - errors;
  const found = [errors > 0 && counted(errors, 'error'), warnings > 0 && counted(warnings, 'warning')].filter(Boolean);
  const verdict = `${counted(checked, 'file')}: ${found.join(', ') || 'no problems found'}.`;
  out.write(`${problems.length > 0 ? '\n' : ''}${style(ok ? 'green' : 'red', verdict)}\n`);
}
