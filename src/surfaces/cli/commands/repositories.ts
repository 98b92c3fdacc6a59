import { GitMemError } from '../../../errors.ts';
import { forget, registered } from '../../../exchange/places/registry.ts';
import type { Command, Context } from '../command.ts';
import { printJson, shown } from '../print.ts';

export function register(program: Command, context: Context): void {
  const repositories = program
    .command('repositories')
    .description('your repositories on this machine that have a memory')
    .option('--json', 'print JSON')
    .notes(`
Those that \`git mem init\` set up, and your personal store; nothing looks for others. They are searched only when asked,
and no record of one is injected into a session of another.

Examples:
  git mem repositories                     what is known, and what is gone
  git mem repositories forget old-site     by name or path
  git mem search proxy --all-repositories`)
    .action(({ json = false }: { json?: boolean }) => {
      const all = registered(context.env);
      if (json) {
        const views = all.map(({ name, root, added, checkout }) => ({
          name,
          root,
          added,
          gone: checkout === undefined,
        }));
        return printJson(context.stdout, { repositories: views });
      }
      if (all.length === 0)
        context.stderr.write('No repository is known: `git mem init` notes each one that it sets up.\n');
      const { style } = context;
      const width = Math.max(0, ...all.map(({ name }) => name.length));
      for (const { name, root, checkout } of all) {
        const state = checkout === undefined ? style('red', '  gone') : '';
        context.stdout.write(`${style('yellow', name.padEnd(width))} ${shown(root)}${state}\n`);
      }
    });
  repositories
    .command('forget')
    .description('take a repository out of the list; its memory stays as it is')
    .argument('<name>', 'its name or path')
    .notes(`
Examples:
  git mem repositories forget old-site
  git mem repositories forget ~/src/old-site`)
    .action((name: string) => {
      if (forget(name, context.env)) return void context.stderr.write(`${shown(name)} is no longer listed.\n`);
      throw new GitMemError('bad-input', `No repository is called "${name}".`, {
        hint: '`git mem repositories` lists them.',
      });
    });
}
