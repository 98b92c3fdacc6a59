import { join, resolve } from 'node:path';
import { PLUGIN, writePlugin } from '../../../setup/plugin.ts';
import { define, type Register } from '../command.ts';
import { fileLines, numbered } from '../file-lines.ts';

export const register: Register = (program, context) =>
  define(program, 'plugin', 'write a plugin for Claude Code: hooks, MCP server, skill and slash commands')
    .requiredOption('--out <dir>', 'the folder of the marketplace that lists it; created if it is missing')
    .notes(`
With the plugin you need no hooks in the settings of each repository: it works wherever there is a .memory folder, from
sub-directories too, and does nothing elsewhere, or where git-mem was never used. Where \`git mem init\` set the hooks up as well,
those answer and the plugin does nothing. It runs nothing that a repository brings.

DIR gets .claude-plugin/marketplace.json and the folder git-mem. An existing marketplace keeps its plugins. Run this
again after an update of git-mem.

Examples:
  git mem plugin --out ~/git-mem-plugin
  claude --plugin-dir ~/git-mem-plugin/git-mem       tries it, for one session
  claude plugin marketplace add ~/git-mem-plugin     registers it permanently
  claude plugin install git-mem@git-mem              installs it`)
    .action(({ out: given }: { out: string }) => {
      const { cwd, stdout, stderr } = context;
      const out = resolve(cwd, given);
      const { marketplace, files } = writePlugin(out);
      const next = [
        `Try it: claude --plugin-dir ${quoted(join(out, PLUGIN))}`,
        `Install it: claude plugin marketplace add ${quoted(out)} && claude plugin install ${quoted(`${PLUGIN}@${marketplace}`)}`,
        'For a team: push the folder as a repository of its own, whose address your colleagues add instead.',
      ];
      stdout.write(`${fileLines(files).join('\n')}\n`);
      const isDone = files.every(({ action }) => action === 'unchanged');
      stderr.write(isDone ? '\nThe plugin is there already: nothing was changed.\n' : numbered(next));
    });

/** Quotes text as one word for a shell. */
function quoted(text: string): string {
  return /^[\w./@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
