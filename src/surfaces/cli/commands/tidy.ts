import { personAt } from '../../../capture/by-hand/maker.ts';
import { writeMark } from '../../../capture/by-hand/mark.ts';
import type { MarkType } from '../../../memory/record.ts';
import type { Project } from '../../../project.ts';
import { counted } from '../../../quantities.ts';
import { withCache } from '../../../recall/index/cache.ts';
import { recount } from '../../../recall/query/active-count.ts';
import { readEverything } from '../../../recall/query/read.ts';
import { foldersOf } from '../../../recall/query/store-folders.ts';
import { type Proposal, proposalsIn } from '../../../recall/query/tidy.ts';
import { viewOf } from '../../../recall/query/view.ts';
import type { Command, Context } from '../command.ts';
import { markMaking } from '../mark-making.ts';
import { oneKey } from '../one-key.ts';
import { milliseconds, wholeNumber } from '../option-values.ts';
import { printJson, printMore, shown } from '../print.ts';

interface Options {
  unused?: number;
  list?: boolean;
  limit?: number;
  json?: boolean;
}

export function register(program: Command, context: Context): void {
  program
    .command('tidy')
    .description('propose what to retire: duplicates, reverted work, what is stale or was never used')
    .option('--unused <duration>', 'how long a record was not used (default: 90d)', milliseconds)
    .option('--list', 'print the commands, even on a terminal')
    .option('-n, --limit <n>', 'at most this many', wholeNumber)
    .option('--json', 'print JSON')
    .notes(`
On a terminal each record is shown with the reason, and one key decides: r retires it (where another one says the same, that
one takes its place), v says that it was checked and still holds, s leaves it, q ends. Otherwise the commands are printed,
and nothing is done. Pinned and verified records are never proposed, and unused ones only where use was counted here for that
long (\`git mem stats --use\`).

Examples:
  git mem tidy
  git mem tidy --unused 180d
  git mem tidy --list`)
    .action(async ({ unused: unusedMs = milliseconds('90d'), list = false, limit, json = false }: Options) => {
      const project = context.project();
      const { workspace } = project;
      return withCache(workspace, async (cache) => {
        const { records } = await readEverything(workspace);
        const all = await proposalsIn(workspace, cache, { records, now: context.now(), unusedMs });
        const proposals = all.slice(0, limit);
        if (json) {
          const folders = foldersOf(workspace);
          const view = ({ annotated, reason, words, by }: Proposal) => {
            return { record: viewOf(annotated, folders), reason, words, by: by?.record.id ?? null };
          };
          return printJson(context.stdout, { total: all.length, proposals: proposals.map(view) });
        }
        if (all.length === 0) return void context.stderr.write('Nothing to tidy.\n');
        const isAsked = !list && context.stdin.isTTY === true && context.stdout.isTTY === true;
        if (isAsked) await ask(project, proposals, context);
        else context.stdout.write(commandsFor(proposals));
        printMore(context, proposals.length, all.length);
      });
    });
}

/** The commands that do what is proposed; of two that contradict each other one is right, so the second is only a comment. */
function commandsFor(proposals: Proposal[]): string {
  const retired = new Set<string>();
  return proposals
    .map((one) => {
      const lines = commandsOf(one);
      if (one.rival && retired.has(one.rival.record.id)) return lines.replace('\ngit mem', '\n# or: git mem');
      retired.add(one.annotated.record.id);
      return lines;
    })
    .join('');
}

/** The command that does what is proposed, below what it is about. */
function commandsOf({ annotated: { record }, words, by }: Proposal): string {
  const command = by ? `supersede ${record.id} --by ${by.record.id}` : `retire ${record.id}`;
  return `# ${shown(record.title)}\ngit mem ${command} --reason "${words}"\n`;
}

/** Shows one record after the other, and does what the person says. */
async function ask(project: Project, proposals: Proposal[], context: Context): Promise<void> {
  const { stdout, style } = context;
  let done = 0;
  const ended = new Set<string>();
  for (const [i, one] of proposals.entries()) {
    // Of two that contradict each other the person has chosen.
    if (one.rival && ended.has(one.rival.record.id)) continue;
    const { record } = one.annotated;
    const at = style('dim', `${i + 1} of ${proposals.length}`);
    stdout.write(`\n${at} ${style('cyan', shown(record.type))} ${style('bold', shown(record.title))}\n`);
    for (const part of [record.narrative, ...record.facts].filter(Boolean)) stdout.write(`  ${shown(part)}\n`);
    stdout.write(`  ${style('yellow', `${one.reason}: ${one.words}`)}\n`);
    const other = (one.by ?? one.rival)?.record;
    if (other?.kind === 'observation') stdout.write(`  ${style('dim', shown(other.title))}\n`);
    stdout.write('r retire, v verify, s skip, q quit: ');
    const key = await oneKey(context, 'rvsq');
    stdout.write(`${key ?? 'q'}\n`);
    if (key === undefined || key === 'q') break;
    if (key === 's') continue;
    if (key === 'r') ended.add(record.id);
    await mark(project, one, key === 'v' ? 'verify' : one.by ? 'supersede' : 'retire', context);
    done++;
  }
  if (done > 0) await recount(project.workspace, context.now());
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
