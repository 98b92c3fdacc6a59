import { truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hookedSession, lastMessage } from '../hooked-session.ts';
import { loggedSession } from '../logged-session.ts';
import { observationOf, put } from '../written-records.ts';
import type { Command, World } from './world.ts';

/** A small but complete operation of git-mem. */
export interface Scenario {
  name: string;
  /** Brings a fresh world to where it begins. */
  prepare?(world: World): void | Promise<void>;
  /** What meets the fault. */
  command(world: World): Command;
  /** An agent waits for it: it exits 0 and prints JSON or nothing. */
  isHook?: boolean;
  /** Success is a promise: what the command writes is there when it exits 0. */
  promises?: boolean;
  /** Its answer is the point: it is the same afterwards. */
  answers?: boolean;
  /** What comes after it was done again, until everything has become memory. */
  after?: Command[];
}

const DRAIN: Command = { args: ['drain', '--wait', '--all'] };

/** Every scenario, in the order of the report. */
export const SCENARIOS: Scenario[] = [
  {
    name: 'capture',
    command: (world) => hook('Stop', { last_assistant_message: lastMessage(20) }, world),
    prepare: workButStop,
    isHook: true,
    after: [DRAIN],
  },
  {
    name: 'first capture',
    // The drain that a later hook wakes meets events of a turn's beginning only.
    command: (world) => hook('PostToolUse', { tool_use_id: 'one', ...EDIT }, world),
    isHook: true,
    after: [DRAIN],
  },
  {
    name: 'capture by the launcher',
    prepare: workButStop,
    command: (world) => launched(hook('Stop', { last_assistant_message: lastMessage(20) }, world)),
    isHook: true,
    after: [DRAIN],
  },
  {
    name: 'first capture by the launcher',
    command: (world) => launched(hook('PostToolUse', { tool_use_id: 'one', ...EDIT }, world)),
    isHook: true,
    after: [DRAIN],
  },
  { name: 'drain', prepare: work, command: () => DRAIN },
  {
    name: 'drain after a crash',
    async prepare(world) {
      work(world);
      // Records are there, and nobody has noted it.
      await crash(world, /^renameSync .*sessions/);
    },
    command: () => DRAIN,
  },
  { name: 'add', command: () => ({ args: ADD }), promises: true },
  {
    name: 'mark',
    prepare: (world) => void put(world, observationOf({ id: 'aaaaaaaaa0' })),
    command: () => ({ args: ['retire', 'aaaaaaaaa0', '--reason', 'It is over.'] }),
    promises: true,
  },
  {
    name: 'promote',
    prepare: (world) =>
      void put(world, observationOf({ id: 'aaaaaaaaa0', narrative: 'Why the importer waits.' }), 'private'),
    command: () => ({ args: ['promote', 'aaaaaaaaa0'] }),
    promises: true,
  },
  {
    name: 'import',
    prepare: (world) => writeFileSync(join(world.folder, 'three.jsonl'), three()),
    command: (world) => ({ args: ['import', 'jsonl', join(world.folder, 'three.jsonl'), '--team'] }),
    promises: true,
  },
  { name: 'bootstrap', prepare: history, command: () => ({ args: ['bootstrap'] }), promises: true },
  {
    name: 'search, cache from nothing',
    prepare: some,
    command: () => ({ args: ['search', 'walrus', '--json'] }),
    answers: true,
  },
  {
    name: 'search, one record more',
    prepare(world) {
      some(world);
      world.gitMem('search', 'walrus');
      put(world, observationOf({ id: 'ddddddddd0', title: 'Another walrus' }));
    },
    command: () => ({ args: ['search', 'walrus', '--json'] }),
    answers: true,
  },
  {
    name: 'search, damaged cache',
    prepare(world) {
      some(world);
      world.gitMem('search', 'walrus');
      truncateSync(join(world.root, '.git/git-mem/cache.sqlite'), 20_000);
    },
    command: () => ({ args: ['search', 'walrus', '--json'] }),
    answers: true,
  },
  {
    name: 'session start',
    prepare: some,
    command: (world) => hook('SessionStart', { source: 'startup' }, world),
    isHook: true,
    after: [DRAIN],
    answers: true,
  },
  {
    name: 'prompt',
    prepare(world) {
      some(world);
      world.gitMem('search', 'walrus');
    },
    command: (world) => hook('UserPromptSubmit', { prompt: 'Why does the walrus build server restart?' }, world),
    isHook: true,
    after: [DRAIN],
  },
  {
    name: 'sync --transcripts',
    prepare(world) {
      const log = loggedSession(world);
      log.append(log.turn(20));
      // Long ago, so that the turn is over at whatever time a trial comes.
      const then = Date.now() / 1000 - 3600;
      utimesSync(log.path, then, then);
    },
    command: () => ({ args: ['sync', '--transcripts', '--since', '2020'] }),
    after: [DRAIN],
  },
];

const SESSION = 'session-of-faults';
const EDIT = {
  tool_name: 'Edit',
  tool_input: { file_path: 'src/limit.ts', old_string: 'LIMIT = 10', new_string: 'LIMIT = 20' },
  tool_response: {},
};
const ADD = [
  'add',
  '--type',
  'decision',
  '--title',
  'The importer lives in Postgres',
  '--fact',
  'Redis has no failover.',
];

function hook(event: string, more: object, { root }: World): Command {
  const payload = { session_id: SESSION, prompt_id: 'turn', cwd: root, hook_event_name: event, ...more };
  return { args: ['hook', 'claude-code', event], input: JSON.stringify(payload) };
}

/** The same through the shell script that committed settings call. */
function launched({ args: [, ...args], ...rest }: Command): Command {
  return { ...rest, program: 'sh', args: ['.memory/hook', ...args], tools: true };
}

/** A turn that deserves a record waits in the spool. */
function work(world: World): void {
  world.write('src/limit.ts', 'export const LIMIT = 10;\n');
  hookedSession(world.root, { id: SESSION, at: new Date(Date.now() - 60_000) }).work('turn', 20);
}

function workButStop(world: World): void {
  world.write('src/limit.ts', 'export const LIMIT = 10;\n');
  const session = hookedSession(world.root, { id: SESSION, at: new Date(Date.now() - 60_000) });
  session.prompt('turn', 'the importer drops row 20, please find out why and fix it');
  session.failure('turn', 'turn-1', 'npm test', 'not ok 1 - row 20 is kept');
  const { tool_input, tool_response } = EDIT;
  session.call('turn', 'turn-2', 'Edit', { ...tool_input, file_path: join(world.root, 'src/limit.ts') }, tool_response);
}

/** Kills a drain before its first step of that name. */
async function crash(world: World, label: RegExp): Promise<void> {
  world.keep();
  const { report } = await world.run(DRAIN, { at: 0, kind: 'kill-before' });
  const steps: { label: string }[] = JSON.parse(report);
  world.restore();
  await world.run(DRAIN, { at: 1 + steps.findIndex((step) => label.test(step.label)), kind: 'kill-before' });
}

function some(world: World): void {
  const [first, second] = ['The walrus is the build server', 'A walrus restarts at night'];
  put(world, observationOf({ id: 'aaaaaaaaa0', title: first, narrative: 'Nobody knows why.' }));
  put(world, observationOf({ id: 'bbbbbbbbb0', title: second }));
  put(world, observationOf({ id: 'ccccccccc0', title: 'Of something else' }), 'private');
}

function three(): string {
  const titles = ['The first of three', 'The second importer of three', 'The third of three'];
  const created = '2026-10-01T08:00:00Z';
  return titles
    .map((title) => `${JSON.stringify({ kind: 'observation', type: 'discovery', title, created })}\n`)
    .join('');
}

/** A history with a revert in it. */
function history(world: World): void {
  for (const [i, text] of ['one', 'two', 'three'].entries()) {
    world.write('src/a.ts', `export const a = '${text}';\n`);
    world.git('add', 'src');
    world.git('commit', '--quiet', '-m', i === 1 ? 'Cache the answers of the upstream server' : `Step ${i}`);
    if (i === 1) {
      world.git('revert', '--no-edit', 'HEAD');
      world.git(
        'commit',
        '--quiet',
        '--amend',
        '-m',
        'Revert "Cache the answers of the upstream server"',
        '-m',
        'It fails because answers differ.',
      );
    }
  }
}
