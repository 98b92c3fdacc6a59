import { existsSync } from 'node:fs';
import { unregister } from '../../../exchange/places/registry.ts';
import { everyCiFile } from '../../../setup/ci.ts';
import { preCommitPlan } from '../../../setup/git-hooks.ts';
import { HOSTS, hostFiles } from '../../../setup/hosts.ts';
import { applyUninstall, planUninstall } from '../../../setup/init.ts';
import { memoryFiles } from '../../../setup/memory-files.ts';
import { define, type Flags, type Register } from '../command.ts';
import { fileLines, isAsking } from '../file-lines.ts';
import { shown } from '../print.ts';

type Options = Flags<'yes' | 'dryRun'>;

export const register: Register = (program, context) =>
  define(program, 'uninstall', 'take out what `init` wrote; records stay')
    .option('-y, --yes', 'ask nothing')
    .option('--dry-run', 'show what would be taken out, and change nothing')
    .notes(`
Files that are still as \`init\` left them get back the bytes they had before. From files that changed since, only
git-mem's own entries go. Records are never touched: delete .memory/ yourself if nobody wants them.

What was never committed stays too: prompts, digests and private records in this clone's .git/git-mem, and what serves all
your repositories in ~/.local/state/git-mem and ~/.cache/git-mem. Once you want none of it:
\`rm -rf .git/git-mem\`, and after the last repository \`rm -rf ~/.local/state/git-mem ~/.cache/git-mem\`.

Examples:
  git mem uninstall                   shows the plan, asks, takes out
  git mem uninstall --dry-run         the plan alone`)
    .action(async (options: Options) => {
      const { stdin: input, stdout, stderr: output } = context;
      const { checkout, layout } = context.project().workspace;
      const place = { root: checkout.root, state: layout.state };
      const hook = await preCommitPlan(checkout, layout.state, context.env);
      const parts = [
        { place, plan: planUninstall(place, [...hostFiles(HOSTS), ...everyCiFile(), ...memoryFiles()]) },
        { place: hook.place, plan: planUninstall(hook.place, hook.files) },
      ];
      const plan = parts.flatMap((part) => part.plan);
      if (isAsking(options, context) && plan.length > 0) {
        const { askConsent } = await import('../wizard.ts');
        const lines = fileLines(plan, { isPlan: true });
        const consent = { title: 'Plan', lines, question: `Take this out of ${place.root}?` };
        if (!(await askConsent(consent, { input, output }))) {
          output.write('Cancelled: nothing was changed.\n');
          return context.setExitCode(1);
        }
      }
      if (!options.dryRun) {
        for (const part of parts) applyUninstall(part.place, part.plan);
        unregister(checkout, context.env);
      }
      if (plan.length === 0) return void output.write('git-mem is not set up here: there is nothing to take out.\n');
      stdout.write(`${fileLines(plan, { isPlan: options.dryRun === true }).join('\n')}\n`);
      if (options.dryRun) return void output.write('\nThis was a dry run: nothing was changed.\n');
      if (existsSync(layout.memory)) output.write('\nWhat is left in .memory is yours: records are never removed.\n');
      output.write(`\nPrompts, digests and private records stay in ${shown(layout.state)} until you delete it.\n`);
      const isChange = plan.some(({ action }) => action !== 'kept');
      if (isChange) output.write('\nCommit this to take git-mem out for everybody.\n');
    });
