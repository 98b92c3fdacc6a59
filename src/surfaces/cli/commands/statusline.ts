import { GitMemError } from '../../../errors.ts';
import type { Command } from '../command.ts';

export function register(program: Command): void {
  program
    .command('statusline')
    .description('the memory in one line, for the status line of an agent')
    .notes(`
Prints how many records there are, how many events wait for the drain and, as of the last session start or drain, how
many of the newest records are stale and how many are unreviewed. Takes Claude Code's JSON on standard input, for the
directory in which the agent works; prints nothing where there is no memory, and never fails.

In Claude Code's settings (~/.claude/settings.json):
  {"statusLine": {"type": "command", "command": "git-mem statusline"}}

Examples:
  git mem statusline < /dev/null
  git mem -C ../other statusline`)
    .action(() => {
      // The program answers before it gets here, unless there are options in between.
      throw new GitMemError('bad-input', '`statusline` takes no other options.', {
        hint: 'Write `git-mem statusline` or `git-mem -C DIR statusline`.',
      });
    });
}
