import { checkMemory } from '../../../review/check.ts';
import { stageMemory } from '../../../review/commit-policy.ts';
import { GREETING } from '../../../templates.ts';
import type { Command, Context } from '../command.ts';
import { printProblems } from '../problem-list.ts';
import { checkOptions } from './check.ts';

export function register(program: Command, context: Context): void {
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
      context.stderr.write('The commit was stopped. `git commit --no-verify` makes it anyway.\n');
      // The hook checks this greeting, in case another program has our name.
      if (context.env.GIT_MEM_REPLY) context.stdout.write(`${GREETING}\n`);
      context.setExitCode(1);
    });
}
