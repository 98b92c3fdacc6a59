import { personAt } from '../../../capture/by-hand/maker.ts';
import { writeMark } from '../../../capture/by-hand/mark.ts';
import type { MarkType } from '../../../memory/record.ts';
import type { Project } from '../../../project.ts';
import { counted } from '../../../quantities.ts';
import { readEverything } from '../../../records/read.ts';
import { foldersOf, viewOf } from '../../../records/view.ts';
import { type Proposal, proposalsIn } from '../../../search/duplicate-groups.ts';
import type { Command, Context } from '../command.ts';
import { markMaking } from '../mark-making.ts';
import { oneKey } from '../one-key.ts';
import { printJson, shown } from '../print.ts';

export function register(program: Command, context: Context): void {
  program
    .command('tidy')
    .description('propose what to retire: records that say the same, and those that name something that is gone')
    .option('--json', 'print JSON')
    .notes(`
On a terminal each record is shown with the reason, and one key decides: r retires it (where another one says the same, that
one takes its place), v says that it was checked and still holds, s leaves it, q ends. Otherwise the commands are printed,
and nothing is done; those that only a reader can decide are comments. Pinned and verified records are never proposed.

Of records that say the same the best is kept: pinned, else the team's, by a person or the agent, newer, longer.
Records that name other numbers, deny what the other states or cite other files do not say the same.

Examples:
  git mem tidy
  git mem tidy | cat   only print the commands
  git mem tidy | sh    do it`)
    .action(async ({ json = false }: { json?: boolean }) => {
      const project = context.project();
      const { workspace } = project;
      const proposals = proposalsIn((await readEverything(workspace)).records);
      if (json) {
        const folders = foldersOf(workspace);
        const view = ({ annotated, reason, words, by }: Proposal) => {
          return { record: viewOf(annotated, folders), reason, words, by: by?.record.id ?? null };
        };
        return printJson(context.stdout, { total: proposals.length, proposals: proposals.map(view) });
      }
      if (proposals.length === 0) return void context.stderr.write('Nothing to tidy.\n');
      const isAsked = context.stdin.isTTY === true && context.stdout.isTTY === true;
      if (isAsked) await ask(project, proposals, context);
      else context.stdout.write(proposals.map(commandsOf).join(''));
    });
}

/** The command that does what is proposed, below what it is about; a comment where only a reader can tell. */
function commandsOf({ annotated: { record }, reason, words, by }: Proposal): string {
  const title = `# ${shown(record.title)}\n`;
  if (reason === 'check') return `${title}# ${words} git mem verify ${record.id}, or git mem retire ${record.id}\n`;
  const command = by ? `supersede ${record.id} --by ${by.record.id}` : `retire ${record.id}`;
  return `${title}git mem ${command} --reason "${words}"\n`;
}

/** Shows one record after the other, and does what the person says. */
async function ask(project: Project, proposals: Proposal[], context: Context): Promise<void> {
  const { stdout, style } = context;
  let done = 0;
  for (const [i, one] of proposals.entries()) {
    const { record } = one.annotated;
    const at = style('dim', `${i + 1} of ${proposals.length}`);
    stdout.write(`\n${at} ${style('cyan', shown(record.type))} ${style('bold', shown(record.title))}\n`);
    for (const part of [record.narrative, ...record.facts].filter(Boolean)) stdout.write(`  ${shown(part)}\n`);
    stdout.write(`  ${style('yellow', `${one.reason}: ${one.words}`)}\n`);
    const other = one.by?.record;
    if (other?.kind === 'observation') stdout.write(`  ${style('dim', shown(other.title))}\n`);
    stdout.write('r retire, v verify, s skip, q quit: ');
    const key = await oneKey(context, 'rvsq');
    stdout.write(`${key ?? 'q'}\n`);
    if (key === undefined || key === 'q') break;
    if (key === 's') continue;
    await mark(project, one, key === 'v' ? 'verify' : one.by ? 'supersede' : 'retire', context);
    done++;
  }
  stdout.write(`${counted(done, 'record')} marked.\n`);
}

async function mark(
  project: Project,
  { annotated: { record }, words, by }: Proposal,
  type: MarkType,
  context: Context,
): Promise<void> {
  const { workspace } = project;
  const replacing = type === 'supersede' && by ? { by: by.record.id } : {};
  const reason = type === 'verify' ? 'Checked when tidying.' : words;
  const making = await markMaking(project, context, await personAt(workspace, 'cli'));
  await writeMark(workspace, { type, targets: [record.id], ...replacing, reason }, making);
}
