import { Option } from 'commander';
import { typeOf } from '../../../memory/record.ts';
import { MAX_SCANNED_TEXT } from '../../../memory/size.ts';
import { counted } from '../../../quantities.ts';
import { copyHere, findLost, type Lost, type LostRecord } from '../../../review/salvage.ts';
import { define, type Flags, type Register } from '../command.ts';
import { shown } from '../print.ts';
import { titleOf } from '../record-table.ts';

const REASONS = Object.entries({
  redacted: 'they are redacted',
  secret: 'they hold what looks like a secret',
  unreadable: 'they do not parse',
});

export const register: Register = (program, context) =>
  define(
    program,
    'salvage',
    'copy here what vanished uncommitted, or what only other branches, stashes, reflogs or reverts remember',
  )
    .argument('[id...]', 'only these records, by the start of their ids')
    .option('--dry-run', 'show what is there, copy nothing')
    .addOption(new Option('--apply').hideHelp())
    .jsonAndNotes(`
What this clone wrote is held in its git folder until the reviewed branch has it, or it is retired or redacted: so records
come back that \`git clean\`, a reset or a removed worktree took before they were committed ("this clone").
Records that a \`git revert\` deleted are offered as "reverted by": that something was tried, and why it was
given up, is worth most of all. \`git mem why\` then says what reverted them. What this branch deleted otherwise is not brought
back, and neither is what was redacted.
Being here does not make a salvaged record trusted: those that this clone did not write are not
injected until they are reviewed, or accepted with \`git mem trust\`.

Examples:
  git mem salvage --dry-run             what is there, and where
  git mem salvage k3v9 p8w2             only these`)
    .action(async (ids: string[], options: Flags<'dryRun' | 'json'>) => {
      const { workspace, cleaner: cleanerOf } = context.project();
      const cleaner = await cleanerOf(MAX_SCANNED_TEXT);
      if (context.stderr.isTTY && !options.json) context.say('Looking through branches, stashes, reflogs…');
      const lost = await findLost(workspace, {
        ids: ids.map((id) => id.toLowerCase()),
        isClean: async (text) => (await cleaner.text(text)) === text,
      });
      const copied = options.dryRun ? [] : await copyHere(workspace, lost.found);
      const { skipped, notes } = lost;
      if (options.json) return context.json({ found: lost.found.map(viewOf), copied, skipped, notes });
      const { stdout, style } = context;
      for (const { record, from } of lost.found) {
        const type = style('cyan', shown(typeOf(record)).padEnd(9));
        const source = style('dim', `  [${shown(from)}]`);
        stdout.write(`${style('yellow', record.id)} ${type} ${shown(titleOf(record))}${source}\n`);
      }
      for (const line of [...outcome(lost, copied.length), ...notes]) context.say(line);
    });

function viewOf({ record, from, path, isOwn }: LostRecord) {
  return { id: record.id, kind: record.kind, title: titleOf(record), from, path: `.memory/${path}`, own: isOwn };
}

function outcome({ found, skipped }: Lost, copied: number): string[] {
  const foreign = found.filter(({ isOwn }) => !isOwn).length;
  return [
    found.length === 0 &&
      'Nothing to bring back: no other place has a record that this checkout never had, and no revert took one out.',
    found.length > 0 &&
      copied === 0 &&
      `${counted(found.length, 'record')} could be copied here: run it without --dry-run.`,
    copied > 0 &&
      `Copied ${counted(copied, 'record')} to .memory: \`git add .memory\` brings ${copied === 1 ? 'it' : 'them'} into your next commit.`,
    foreign > 0 &&
      `Not written by this clone: ${foreign} of them, not injected until reviewed or accepted with \`git mem trust\`.`,
    ...REASONS.map(([reason, words]) => {
      const count = skipped.filter((one) => one.reason === reason).length;
      return count > 0 && `Left ${counted(count, 'record')} where they are, because ${words}.`;
    }),
  ].filter((line) => line !== false);
}
