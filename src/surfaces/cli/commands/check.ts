import { isAbsolute, relative, resolve } from 'node:path';
import { typesOf } from '../../../capture/extract/mode.ts';
import { loadConfig } from '../../../config.ts';
import type { Workspace } from '../../../memory/store/workspace.ts';
import { checkAnnotations } from '../../../review/annotation.ts';
import { type CheckOptions, checkMemory } from '../../../review/check.ts';
import { ownedRecords } from '../../../review/owners.ts';
import { PROBLEM_CODES } from '../../../review/problem.ts';
import { checkMarkdown } from '../../../review/render.ts';
import type { Command, Context } from '../command.ts';
import { printOwners, printProblems } from '../problem-list.ts';
import { addFormat, printReview, type ReviewOptions } from '../review-format.ts';

type Range = { staged?: boolean; base?: string };

export function register(program: Command, context: Context): void {
  const command = program
    .command('check')
    .description('look for what must not be committed: broken records, secrets, text for models')
    .option('--staged', 'what the next commit changes, as it is staged')
    .option('--base <revision>', 'only what differs from where HEAD left this revision')
    .option('--owners', 'name the owners of the code that new and changed records are about (CODEOWNERS)');
  addFormat(command)
    .notes(`
Without --staged or --base, all of .memory is checked. Exits 1 with errors; warnings do not count.
The value of a secret is never shown, only its kind and place. A record needs a kind, a title of at most 120 characters, a
type that the store knows (\`types\` in .memory/config.yaml adds some), and a time that is a date and has come; what a
redact mark keeps out may not be in another record.

Examples:
  git mem check                               everything in .memory
  git mem check --staged                      what the next commit brings, as the pre-commit hook does
  git mem check --base origin/main --owners   what a branch brings, and who should approve it
  git mem check --base "$BASE" --format github`)
    .action(async (options: Range & ReviewOptions & { owners?: boolean }) => {
      const { workspace } = context.project();
      const wanted = checkOptions(options, workspace);
      const report = await checkMemory(workspace, wanted);
      const owned = options.owners ? await ownedRecords(workspace, wanted) : undefined;
      const forms = {
        json: { ...report, ...(owned && { owners: owned }) },
        annotations: () => checkAnnotations(report.problems),
        codes: PROBLEM_CODES,
        markdown: () => checkMarkdown(report, owned),
        text() {
          printProblems(report, context.stdout, context.env);
          if (owned) printOwners(owned, context.stdout, context.env);
        },
      };
      printReview(forms, options, context.stdout);
      if (!report.ok) context.setExitCode(1);
    });
}

/** The options of a check; if git runs this as a hook, with the index of the commit in the making. */
export function checkOptions({ staged, base }: Range, { checkout, layout, env }: Workspace): CheckOptions {
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
