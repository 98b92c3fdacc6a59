import { Argument } from 'commander';
import type { Command, Context } from '../command.ts';
import { bashCompletion, fishCompletion, zshCompletion } from '../completion-script.ts';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

export function register(program: Command, context: Context): void {
  program
    .command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .notes(`
It completes git-mem, and \`git mem\` where git's own completion is loaded.

Examples:
  git mem completion bash > ~/.local/share/bash-completion/completions/git-mem
  git mem completion zsh > "\${fpath[1]}/_git-mem"
  git mem completion fish > ~/.config/fish/conf.d/git-mem.fish`)
    .action((shell: keyof typeof SCRIPTS) => {
      context.stdout.write(SCRIPTS[shell](program));
    });
}
