import { readSpending, spendingPath } from '../../../capture/extract/budget.ts';
import { conditionsOf, type ProviderCondition } from '../../../capture/extract/chosen-provider.ts';
import type { Project } from '../../../project.ts';
import { counted } from '../../../quantities.ts';
import { readEverything } from '../../../records/read.ts';
import { type Counts, type Statistics, statisticsOf } from '../../../records/statistics.ts';
import { type Context, define, type Flags, type Register, type Texts } from '../command.ts';
import { AT, openReading } from '../filter-options.ts';
import { fitted, oneLine, shown } from '../print.ts';

type Options = Flags<'json'> & Texts<'at'>;

export const register: Register = (program, context) =>
  define(program, 'stats', 'count what is remembered, and what it costs and saves')
    .option('--at <revision>', AT)
    .jsonAndNotes(`
Tokens are estimated at four characters each. What a record saves is the agent's work that it stands for, as counted at
capture, minus the cost of reading it.

Example:
  git mem stats    records by kind, type, month, trust and freshness; tokens; top concepts and files`)
    .action(async (options: Options) => {
      const { project } = await openReading(context, options);
      const { records, problems } = await readEverything(project.workspace);
      const statistics = statisticsOf(records, { most: MOST });
      const spending = spent(project, context);
      if (options.json) {
        const { tokens, concepts, files, ...counts } = statistics;
        const all = { ...counts, unreadable: problems.length };
        return context.json({ records: all, tokens, spending, concepts, files });
      }
      print(statistics, spending, context);
      if (problems.length > 0) context.say(`${counted(problems.length, 'file')} not readable: see \`git mem doctor\`.`);
    });

/** Tokens sent to and received from paid providers, and the providers in the order in which they are asked. */
function spent({ workspace, config }: Project, { now, env }: Context) {
  const { state } = workspace.layout;
  const { extract } = config().config;
  const { today, totals } = readSpending(spendingPath(state), now());
  const providers = conditionsOf(extract, { state, env, now: now() });
  // The cap of the first provider, and of each further one without its own.
  return { today, daily_budget: extract.daily_tokens, providers, totals };
}

/** Concepts and files shown: what fits a terminal beside the rest. */
const MOST = 10;

/** Months shown: a year, as a memory may be many years old. */
const MONTHS = 12;

function print(statistics: Statistics, spending: ReturnType<typeof spent>, context: Context): void {
  const { stdout, style } = context;
  const section = (name: string) => stdout.write(`\n${style('bold', name)}\n`);
  const table = (name: string, counts: Counts) => {
    if (Object.keys(counts).length === 0) return;
    section(name);
    stdout.write(barsOf(counts, context));
  };
  const { live, hidden, tokens, concepts, files } = statistics;
  const rest = hidden > 0 ? `, ${hidden} superseded, retired or redacted` : '';
  stdout.write(`${style('bold', counted(live, 'active record'))}${rest}\n`);
  table('Stores', statistics.by_store);
  table('Kinds', statistics.by_kind);
  table('Types', statistics.by_type);
  table('Months', Object.fromEntries(Object.entries(statistics.by_month).slice(-MONTHS)));
  table('Trust', statistics.by_trust);
  table('Freshness', statistics.by_freshness);
  table('Concepts', Object.fromEntries(concepts.map(({ name, count }) => [name, count])));
  table('Files', Object.fromEntries(files.map(({ name, count }) => [name, count])));
  section('Tokens');
  const lines: [string, string][] = [['to read all', grouped(tokens.read)]];
  if (tokens.discovery > 0) {
    const share = Math.floor((tokens.saved / tokens.discovery) * 100);
    lines.push(['work behind', grouped(tokens.discovery)], ['saved', `${grouped(tokens.saved)} (${share} %)`]);
  }
  lines.push(['spent today', grouped(spending.today)]);
  for (const one of spending.providers) lines.push([nameOf(one), stateOf(one)]);
  for (const [model, { input, output, calls }] of Object.entries(spending.totals)) {
    lines.push([model, `${grouped(input)} in, ${grouped(output)} out, ${counted(calls, 'call')}`]);
  }
  const width = Math.max(...lines.map(([name]) => shown(name).length));
  for (const [name, text] of lines) stdout.write(`  ${shown(name).padEnd(width)}  ${text}\n`);
}

function nameOf({ provider, model }: ProviderCondition): string {
  return model === '' ? provider : `${provider}/${model}`;
}

function stateOf({ today, daily_budget, state, until, reason }: ProviderCondition): string {
  const used = `${grouped(today)} ${daily_budget === null ? 'today, free' : `of ${grouped(daily_budget)} today`}`;
  return state === 'ready'
    ? `${used}; ready`
    : `${used}; ${state}${until ? ` until ${until}` : ''}: ${shown(reason ?? '')}`;
}

/** Columns of the longest bar, and most columns of a name. */
const [BAR, NAME] = [24, 40];

/** Names, numbers and bars, aligned. */
function barsOf(counts: Counts, { style }: Context): string {
  const rows = Object.entries(counts).map(([name, n]) => ({ name: fitted(oneLine(name), NAME), n }));
  const width = Math.max(16, ...rows.map(({ name }) => name.length));
  const most = Math.max(1, ...rows.map(({ n }) => n));
  const lines = rows.map(({ name, n }) => {
    const bar = style('cyan', '▇'.repeat(Math.max(1, Math.round((n / most) * BAR))));
    return `  ${name.padEnd(width)}  ${String(n).padStart(String(most).length)}  ${bar}\n`;
  });
  return lines.join('');
}

/** A number with its digits grouped: `1,234,567`. */
function grouped(n: number): string {
  return n.toLocaleString('en-US');
}
