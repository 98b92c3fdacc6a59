import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readRecording } from '../../src/setup/demo.ts';
import { makeWorlds, RECORDS, type World } from './real-worlds.ts';
import { inFolder } from './scratch-folder.ts';
import { type Figure, figuresIn, median, printTable } from './table.ts';

const ROUNDS = Number(process.env.GIT_MEM_BENCH_ROUNDS ?? 9);

interface Cost {
  cpuMs: number;
  wallMs: number;
}

/** Bounds as multiples of the processor time of `node -e 0` in the same round; growth is against the tiny world. */
const BOUNDS: Record<string, number> = {
  'session start': 2,
  'session start after an edit': 3,
  prompt: 2.5,
  'read of a cited file': 2.5,
  'read of another file': 0.3,
  capture: 0.3,
  list: 2.5,
  search: 3,
  status: 2.5,
  'why ID': 4,
  'why FILE': 6,
  'drain of a turn': 8,
};
const MOST_GROWTH = 1.3;
const MOST_FIRST = 5;
const MOST_MB = 120;

/**
 * What hooks and commands cost in repositories of real size, in processor time of the whole process tree: this very
 * clone, many files, a long history (`GIT_MEM_BENCH_CLONE` is the path of a real one), and next to nothing; each with as
 * many records, half of which cite files as they were a tenth of the history ago.
 */
export async function real(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const program = resolve('dist/bin.cjs');
    const worlds = makeWorlds(folder, program);
    const samples = new Map<string, Map<string, Cost[]>>();
    const peaks = new Map<string, number>();
    const firsts = worlds.map((world) => [world.name, firstOf(world, program)] as const);
    const measured = worlds.map((world) => ({ world, subjects: subjectsOf(world, program) }));
    for (let round = 0; round <= ROUNDS; round++) {
      for (const { world, subjects } of measured) {
        for (const { name, command, input = '', before, after } of subjects) {
          before?.();
          const cost = costOf(
            world,
            command,
            input,
            round === ROUNDS ? (mb) => peaks.set(`${name} ${world.name}`, mb) : undefined,
          );
          after?.();
          if (round === 0) continue;
          const byWorld = samples.get(name) ?? new Map<string, Cost[]>();
          samples.set(name, byWorld.set(world.name, [...(byWorld.get(world.name) ?? []), cost]));
        }
      }
    }
    return report(worlds, samples, { peaks, firsts });
  });
}

const BASE = 'node -e 0';

function report(
  worlds: World[],
  samples: Map<string, Map<string, Cost[]>>,
  { peaks, firsts }: { peaks: Map<string, number>; firsts: (readonly [string, First])[] },
): Figure[] {
  const of = (name: string, world: string, key: keyof Cost) =>
    (samples.get(name)?.get(world) ?? []).map((one) => one[key]);
  const ratio = (name: string, world: string, key: keyof Cost) => {
    const base = of(BASE, world, key);
    return median(of(name, world, key).map((value, i) => value / (base[i] ?? 1)));
  };
  const names = worlds.map(({ name }) => name);
  const base = median(names.flatMap((name) => of(BASE, name, 'cpuMs')));
  const rows: string[][] = [];
  const shown: string[][] = [];
  for (const [name, bound] of Object.entries(BOUNDS)) {
    const values = names.map((world) => ratio(name, world, 'cpuMs'));
    const grown = Math.max(...values) / (values[0] ?? 1);
    shown.push([
      name,
      ...names.map((world, i) => `${values[i]?.toFixed(2)} (${ratio(name, world, 'wallMs').toFixed(2)})`),
      `<= ${bound}`,
      `${grown.toFixed(2)} x`,
      `${Math.max(...names.map((world) => peaks.get(`${name} ${world}`) ?? 0)).toFixed(0)} MB`,
    ]);
    const verdict = (holds: boolean) => (holds ? 'holds' : 'BROKEN');
    const most = Math.max(...values);
    rows.push([
      `${name}, the worst of four repositories`,
      `${most.toFixed(2)} x`,
      `<= ${bound} x`,
      verdict(most <= bound),
    ]);
    rows.push([
      `${name}, against the tiny one`,
      `${grown.toFixed(2)} x`,
      `<= ${MOST_GROWTH} x`,
      verdict(grown <= MOST_GROWTH),
    ]);
  }
  for (const [world, { start, walk }] of firsts) {
    const value = start.cpuMs / base;
    rows.push([
      `first start of a clone, ${world}`,
      `${value.toFixed(2)} x`,
      `<= ${MOST_FIRST} x`,
      value <= MOST_FIRST ? 'holds' : 'BROKEN',
    ]);
    rows.push([`first drain of a clone, ${world}, seconds`, (walk.wallMs / 1000).toFixed(1), '', '']);
  }
  const most = Math.max(...peaks.values());
  rows.push([
    'largest process of all these',
    `${most.toFixed(0)} MB`,
    `<= ${MOST_MB} MB`,
    most <= MOST_MB ? 'holds' : 'BROKEN',
  ]);
  printTable(
    `Real repositories, ${RECORDS} records each: processor time (and time by the clock), as multiples of node -e 0, which takes ${base.toFixed(0)} ms; medians of ${ROUNDS} rounds`,
    ['', ...names, 'bound', 'growth', 'memory'],
    shown,
  );
  printTable('', ['', 'value', 'bound', ''], rows);
  return figuresIn(rows, { isWhole: true });
}

interface Subject {
  name: string;
  command: string[];
  input?: string;
  before?: () => void;
  after?: () => void;
}

function subjectsOf(world: World, program: string): Subject[] {
  const { root, env, known, unknown } = world;
  const own = (...args: string[]) => [process.execPath, program, ...args];
  const hook = (event: string) => own('hook', 'claude-code', event);
  const launched = (event: string) => ['sh', '.memory/hook', 'claude-code', event];
  const recording = readRecording();
  const payload = (event: string, more: object) =>
    JSON.stringify({ ...recording.events.find((one) => one.event === event)?.payload, cwd: root, ...more });
  // A start wakes a drain, which would be at work during the next command.
  const settle = () => quietly(world, own('drain', '--wait'));
  const read = (path: string) =>
    payload('PreToolUse', { session_id: 'bench', tool_name: 'Read', tool_input: { file_path: join(root, path) } });
  let edits = 0;
  let prompts = 0;
  const start = {
    command: hook('SessionStart'),
    input: payload('SessionStart', { session_id: 'start', source: 'startup' }),
    after: settle,
  };
  const turn = () => {
    const of = { session_id: `turn-${edits++}`, prompt_id: 'p' };
    quietly(world, hook('UserPromptSubmit'), payload('UserPromptSubmit', { ...of, prompt: 'Shorten the timeout' }));
    const edit = {
      tool_name: 'Edit',
      tool_use_id: 't',
      tool_input: { file_path: join(root, known), old_string: 'a', new_string: 'b' },
    };
    quietly(world, hook('PostToolUse'), payload('PostToolUse', { ...of, ...edit }));
  };
  const text = execFileSync('git', ['show', `HEAD:${known}`], { cwd: root, env, encoding: 'utf8' });
  const ids = JSON.parse(
    execFileSync(process.execPath, [program, 'list', '--json', '--limit', '3'], { cwd: root, env, encoding: 'utf8' }),
  );
  const id: string = ids.records[1].id;
  settle();
  // A read after something was written dates the list of names that the launcher looks through.
  quietly(world, launched('PreToolUse'), read(known));
  return [
    { name: BASE, command: [process.execPath, '-e', '0'] },
    {
      name: 'capture',
      command: launched('PostToolUse'),
      input: payload('PostToolUse', { session_id: 'bench', tool_name: 'Edit' }),
    },
    { name: 'read of another file', command: launched('PreToolUse'), input: read(unknown) },
    {
      name: 'session start after an edit',
      ...start,
      before: () => writeFileSync(join(root, known), `${text}// ${edits++}\n`),
      // What changed a moment ago is not kept: the next start is to find an answer.
      after: () => {
        settle();
        quietly(world, start.command, start.input);
        settle();
      },
    },
    { name: 'session start', ...start },
    {
      name: 'prompt',
      command: hook('UserPromptSubmit'),
      get input() {
        return payload('UserPromptSubmit', {
          session_id: `prompt-${prompts++}`,
          prompt_id: 'p',
          prompt: `${known}: who shortened the lease of the parser when two writers race?`,
        });
      },
    },
    {
      name: 'read of a cited file',
      command: hook('PreToolUse'),
      get input() {
        return read(known).replace('"bench"', `"read-${prompts++}"`);
      },
    },
    ...Object.entries({
      list: own('list'),
      search: own('search', 'the lease is short when two writers race'),
      status: own('status'),
      'why ID': own('why', id),
      'why FILE': own('why', `${known}:1-20`),
    }).map(([name, command]) => ({ name, command, before: () => quietly(world, command) })),
    // No event that ends a turn: it would wake a drain of its own.
    { name: 'drain of a turn', command: own('drain', '--wait', '--all'), before: turn },
  ];
}

interface First {
  start: Cost;
  walk: Cost;
}

/** The first start of a clone, and what the background does then. */
function firstOf(world: World, program: string): First {
  const input = JSON.stringify({ session_id: 'first', source: 'startup', cwd: world.root });
  const start = costOf(world, [process.execPath, program, 'hook', 'claude-code', 'SessionStart'], input);
  // It woke a drain, for which this one waits.
  const walk = costOf(world, [process.execPath, program, 'drain', '--wait'], '');
  return { start, walk };
}

/** Processor time of a command and its children, and its time by the clock. */
export function costOf(
  { root, env }: Pick<World, 'root'> & { env: NodeJS.ProcessEnv },
  command: string[],
  input: string,
  onPeak?: (mb: number) => void,
): Cost {
  const report = join(root, '.git', 'bench-peak');
  const measuring = onPeak && existsSync('/usr/bin/time') ? ['/usr/bin/time', '-q', '-f', '%M', '-o', report] : [];
  const script = 'TIMEFORMAT="%3R %3U %3S"; { time "$@" >/dev/null 2>&3 3>&-; } 3>/dev/null';
  const { stderr, status } = spawnSync('bash', ['-c', script, 'bash', ...measuring, ...command], {
    cwd: root,
    env,
    input,
  });
  if (status !== 0) throw new Error(`${command.join(' ')} exited with ${status} in ${root}.`);
  const [wall = 0, user = 0, system = 0] = stderr.toString().trim().split(/\s+/).map(Number);
  if (measuring.length > 0) onPeak?.(Number(readFileSync(report, 'utf8')) / 1024);
  return { cpuMs: (user + system) * 1000, wallMs: wall * 1000 };
}

function quietly({ root, env }: World, [command = '', ...args]: string[], input = ''): void {
  execFileSync(command, args, { cwd: root, env, input, stdio: ['pipe', 'ignore', 'ignore'] });
}
