import { readSpending, spendingPath } from '../../../capture/extract/budget.ts';
import { conditionsOf, type ProviderCondition } from '../../../capture/extract/chain-condition.ts';
import type { Project } from '../../../project.ts';
import { type MemoryNoise, measureNoise } from '../../../provenance/memory-noise.ts';
import { bytes, counted } from '../../../quantities.ts';
import type { Annotated } from '../../../recall/query/annotate.ts';
import { readEverything } from '../../../recall/query/read.ts';
import { type Counts, type Statistics, statisticsOf } from '../../../recall/query/statistics.ts';
import type { Command, Context } from '../command.ts';
import { AT, openReading } from '../filter-options.ts';
import { wholeNumber } from '../option-values.ts';
import { fitted, oneLine, printJson, shown, widthOf } from '../print.ts';
import { printUses, usesOf } from '../use-statistics.ts';

interface Options {
  noise?: boolean;
  use?: boolean;
  at?: string;
  limit: number;
  json?: boolean;
}

export function register(program: Command, context: Context): void {
  program
    .command('stats')
    .description('count what is remembered, and what it costs and saves')
    .option('--use', 'what was injected, opened and followed by work in this clone')
    .option('--noise', 'what memory adds to the history: commits, files, bytes')
    .option('-n, --limit <n>', 'at most this many concepts, files and most used records', wholeNumber, 10)
    .option('--at <revision>', AT)
    .option('--json', 'print JSON')
    .notes(`
Tokens are estimated at four characters each. What a record saves is the agent's work that it stands for, as counted at
capture, minus the cost of reading it.

Examples:
  git mem stats            records by kind, type, month, trust and freshness; tokens; top concepts and files
  git mem stats --use      the most used records
  git mem stats --noise    how much of the history is memory`)
    .action(async ({ limit, ...options }: Options) => {
      const { project } = await openReading(context, options);
      const { records, problems } = await readEverything(project.workspace);
      const statistics = statisticsOf(records, { most: limit });
      const spending = spent(project, context);
      const use = options.use ? await usesOf(project.workspace, records, context, limit) : undefined;
      const noise = options.noise ? await measureNoise(project.workspace, sessionsOf(records)) : undefined;
      if (options.json) {
        const { tokens, concepts, files, ...counts } = statistics;
        const view = { records: { ...counts, unreadable: problems.length }, tokens, spending, concepts, files };
        return printJson(context.stdout, { ...view, ...(noise && { noise }), ...(use && { use }) });
      }
      print(statistics, spending, noise, context);
      if (use) printUses(use, context);
      if (problems.length > 0)
        context.stderr.write(`${counted(problems.length, 'file')} not readable: see \`git mem doctor\`.\n`);
    });
}

/** Tokens sent to and received from paid providers, which are in the order in which they are asked. */
function spent({ workspace, config }: Project, { now, env }: Context) {
  const { state } = workspace.layout;
  const { extract } = config().config;
  const { today, totals } = readSpending(spendingPath(state), now());
  const providers = conditionsOf(extract, { state, env, now: now() });
  // The cap of the first provider, and of each further one without its own.
  return { today, daily_budget: extract.daily_tokens, providers, totals };
}

function sessionsOf(records: Annotated[]): number {
  const team = records.filter(({ entry }) => entry.store === 'team');
  return new Set(team.flatMap(({ record }) => record.session ?? [])).size;
}

/** Months shown: a year, as a memory may be many years old. */
const MONTHS = 12;

function print(
  statistics: Statistics,
  spending: ReturnType<typeof spent>,
  noise: MemoryNoise | undefined,
  context: Context,
): void {
  const { stdout, style } = context;
  const section = (name: string) => stdout.write(`\n${style('bold', name)}\n`);
  const table = (name: string, counts: Counts) => {
    if (Object.keys(counts).length === 0) return;
    section(name);
    stdout.write(barsOf(counts, context));
  };
  const { live, hidden, tokens, concepts, files } = statistics;
  stdout.write(
    `${style('bold', `${counted(live, 'active record')}`)}${hidden > 0 ? `, ${hidden} superseded, retired or redacted` : ''}\n`,
  );
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
  if (noise) lines.push(...noiseLines(noise));
  const width = Math.max(...lines.map(([name]) => shown(name).length));
  for (const [name, text] of lines)
    stdout.write(name === '' ? `\n${style('bold', text)}\n` : `  ${shown(name).padEnd(width)}  ${text}\n`);
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

function noiseLines(noise: MemoryNoise): [string, string][] {
  const share = (n: number) => `${(n * 100).toFixed(1)} %`;
  const { files_per_100_sessions: files, bytes_per_100_sessions: size } = noise;
  return [
    ['', 'Noise'],
    ['touch memory', `${noise.touching} of ${counted(noise.commits, 'commit')} (${share(noise.touching_share)})`],
    ['nothing else', `${counted(noise.memory_only, 'commit')} (${share(noise.memory_only_share)})`],
    ['in the tree', `${counted(noise.files, 'file')}, ${bytes(noise.bytes)}`],
    [
      'per 100 sessions',
      files === null || size === null ? 'no sessions yet' : `${counted(files, 'file')}, ${bytes(size)}`,
    ],
  ];
}

/** Columns of the longest bar: leaves most of a line to names, which get 12 to 60. */
const BAR = 24;

/** Names, numbers and bars, aligned. */
function barsOf(counts: Counts, { stdout, style }: Context): string {
  const rows = Object.entries(counts).map(([name, n]) => ({ name: oneLine(name), n }));
  const digits = Math.max(...rows.map(({ n }) => String(n).length));
  const room = Math.max(12, Math.min(60, widthOf(stdout) - digits - BAR - 6));
  const names = rows.map(({ name }) => fitted(name, room));
  const width = Math.max(16, ...names.map((name) => name.length));
  const most = Math.max(1, ...rows.map(({ n }) => n));
  return rows
    .map(({ n }, i) => {
      const bar = style('cyan', '▇'.repeat(Math.max(1, Math.round((n / most) * BAR))));
      return `  ${(names[i] ?? '').padEnd(width)}  ${String(n).padStart(digits)}  ${bar}\n`;
    })
    .join('');
}

/** A number with its digits grouped: `1,234,567`. */
function grouped(n: number): string {
  return n.toLocaleString('en-US');
}
