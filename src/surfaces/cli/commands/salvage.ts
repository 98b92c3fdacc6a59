import { Option } from 'commander';
import { typeOf } from '../../../memory/record.ts';
import { MAX_SCANNED_TEXT } from '../../../memory/size.ts';
import { counted } from '../../../quantities.ts';
import { copyHere, findLost, type Lost, type LostRecord } from '../../../review/salvage.ts';
import type { Command, Context } from '../command.ts';
import { printJson, shown } from '../print.ts';
import { titleOf } from '../record-table.ts';

const REASONS: Record<string, string> = {
  redacted: 'they are redacted',
  secret: 'they hold what looks like a secret',
  unreadable: 'they do not parse',
};

export function register(program: Command, context: Context): void {
  program
    .command('salvage')
    .description(
      'copy here what vanished uncommitted, or what only other branches, stashes, reflogs or reverts remember',
    )
    .argument('[id...]', 'only these records, by the start of their ids')
    .option('--dry-run', 'show what is there, copy nothing')
    .addOption(new Option('--apply').hideHelp())
    .option('--json', 'print JSON')
    .notes(`
What this clone wrote is held in its git folder until the reviewed branch has it, or it is retired or redacted: so records
come back that \`git clean\`, a reset or a removed worktree took before they were committed ("this clone").
Records that a \`git revert\` deleted are offered as "reverted by": that something was tried, and why it was
given up, is worth most of all. \`git mem why\` then says what reverted them. What this branch deleted otherwise is not brought
back, and neither is what was redacted.
Being here does not make a salvaged record trusted: those that this clone did not write are not
injected until they are reviewed, or accepted with \`git mem trust\`.

Examples:
  git mem salvage --dry-run             what is there, and where
  git mem salvage                       copy it all
  git mem salvage k3v9 p8w2             only these`)
    .action(async (ids: string[], options: { dryRun?: boolean; json?: boolean }) => {
      const { workspace, cleaner: cleanerOf } = context.project();
      const cleaner = await cleanerOf(MAX_SCANNED_TEXT);
      if (context.stderr.isTTY && !options.json) context.stderr.write('Looking through branches, stashes, reflogs…\n');
      const lost = await findLost(workspace, {
        ids: ids.map((id) => id.toLowerCase()),
        isClean: async (text) => (await cleaner.text(text)) === text,
      });
      const copied = options.dryRun ? [] : await copyHere(workspace, lost.found);
      if (options.json) {
        const found = lost.found.map(viewOf);
        return printJson(context.stdout, { found, copied, skipped: lost.skipped, notes: lost.notes });
      }
      printFound(lost.found, context);
      for (const line of [...outcome(lost, copied.length), ...lost.notes]) context.stderr.write(`${line}\n`);
    });
}

function viewOf({ record, from, path, isOwn }: LostRecord) {
  return { id: record.id, kind: record.kind, title: titleOf(record), from, path: `.memory/${path}`, own: isOwn };
}

function printFound(found: LostRecord[], { stdout, style }: Context): void {
  const lines = found.map(({ record, from }) => {
    const cells = [style('yellow', record.id), style('cyan', shown(typeOf(record)).padEnd(9)), shown(titleOf(record))];
    return `${cells.join(' ')}${style('dim', `  [${shown(from)}]`)}\n`;
  });
  stdout.write(lines.join(''));
}

function outcome({ found, skipped }: Lost, copied: number): string[] {
  const lines: string[] = [];
  if (found.length === 0)
    lines.push(
      'Nothing to bring back: no other place has a record that this checkout never had, and no revert took one out.',
    );
  else if (copied === 0)
    lines.push(`${counted(found.length, 'record')} could be copied here: run it without --dry-run.`);
  else lines.push(`Copied ${counted(copied, 'record')} to .memory.`);
  const foreign = found.filter(({ isOwn }) => !isOwn).length;
  if (foreign > 0) {
    lines.push(
      `${foreign} of them this clone did not write: not injected until reviewed, or accepted with \`git mem trust\`.`,
    );
  }
  for (const [reason, words] of Object.entries(REASONS)) {
    const count = skipped.filter((one) => one.reason === reason).length;
    if (count > 0) lines.push(`Left ${counted(count, 'record')} where they are, because ${words}.`);
  }
  return lines;
}
