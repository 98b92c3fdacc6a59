import { execFileSync } from 'node:child_process';
import fs, {
  appendFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { STEP_MS } from '../../src/kept/keep.ts';
import { allMonths } from '../../src/memory/file-name.ts';
import { idOf } from '../../src/memory/id.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { sessionStartReply } from '../../src/surfaces/hook/brief.ts';
import { startOf } from '../../src/surfaces/hook/start.ts';
import { PROGRAM } from '../support/program.ts';
import { createRepository, preparedOnce, type TestRepository } from '../support/repository.ts';
import { drop, observationOf, put } from '../support/written-records.ts';

const it = test.extend('repository', () => kept());

const FILE = 'src/queue.ts';
const QUEUE = observationOf({ id: idOf('queue'), title: 'The queue is locked while it is read', files_read: [FILE] });
const TOKEN = observationOf({ id: idOf('token'), title: 'Tokens are rotated on Mondays' });
const PORTS = observationOf({ id: idOf('ports'), title: 'Ports below 1024 are refused' });

/** Put into the kept answer by hand: who is told this was answered from it. */
const SIGN = 'From what was kept: ';

/** The reply to a start. Nothing waits in the spool, or a drain would be woken and change what is looked at. */
function start(
  { folder, root, env }: TestRepository,
  event = 'SessionStart',
  more: object = {},
  program = PROGRAM,
): string {
  rmSync(join(folder, 'repository/.git/git-mem/spool'), { recursive: true, force: true });
  const payload = {
    session_id: 's',
    cwd: root,
    hook_event_name: event,
    source: 'startup',
    agent_type: 'Explore',
    ...more,
  };
  const args = [program, 'hook', 'claude-code', event];
  return execFileSync(process.execPath, args, { cwd: root, env, input: JSON.stringify(payload), encoding: 'utf8' });
}

/** A repository on a branch of its own. */
const prepared = preparedOnce((atEnd) => {
  const repository = createRepository('repository', atEnd);
  repository.write(FILE, 'export {};\n');
  repository.write('src/other.ts', 'export {};\n');
  repository.gitMem('init', '--yes', '--host', 'claude-code');
  for (const record of [QUEUE, TOKEN]) put(repository, record);
  repository.commit('reviewed');
  repository.git('switch', '--quiet', '-c', 'work');
  return repository;
});

/** The same, whose start was just answered and the answer kept: the next one says `SIGN`. */
async function kept(): Promise<TestRepository> {
  const repository = prepared();
  await keep(repository);
  return repository;
}

function answers({ root }: TestRepository): string[] {
  const folder = join(root, '.git/git-mem/starts');
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

/** Starts once and signs the answer that is kept of it: nothing is kept of what changed a moment ago. */
async function keep(repository: TestRepository, event?: string): Promise<void> {
  // Counts what a first start counts, or that would find its own files new.
  await repository.call('context');
  await expect
    .poll(async () => {
      await expect.poll(() => Date.now() - newestChange(repository.root)).toBeGreaterThan(STEP_MS);
      expect(start(repository, event)).toContain('additionalContext');
      return answers(repository).length;
    })
    .toBeGreaterThan(0);
  change(repository, (answer) => {
    answer.answer.text = `${SIGN}${answer.answer.text}`;
  });
}

/** The paths at which Node's own functions look meanwhile, but for those that `looks.ts` notes. */
async function looksDuring(work: () => Promise<unknown>): Promise<Set<string>> {
  const seen = new Set<string>();
  const names = ['accessSync', 'existsSync', 'lstatSync', 'openSync', 'opendirSync', 'readFileSync'] as const;
  const others = ['readdirSync', 'readlinkSync', 'realpathSync', 'statSync'] as const;
  const originals = [...names, ...others].map((name) => [name, fs[name]] as const);
  for (const [name, original] of originals) {
    const watched = (path: unknown, ...rest: unknown[]) => {
      if (typeof path === 'string') seen.add(resolve(path));
      return Reflect.apply(original, fs, [path, ...rest]);
    };
    Object.assign(fs, { [name]: Object.assign(watched, original) });
  }
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    for (const [name, original] of originals) Object.assign(fs, { [name]: original });
    syncBuiltinESMExports();
  }
  return seen;
}

/** When the last file or folder below a folder changed. */
function newestChange(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return Math.max(...names.map((name) => lstatSync(join(folder, name)).ctimeMs));
}

function change(repository: TestRepository, edit: (kept: { day: number; answer: { text: string } }) => void): void {
  for (const path of answers(repository)) {
    const answer = JSON.parse(readFileSync(path, 'utf8'));
    edit(answer);
    writeFileSync(path, JSON.stringify(answer));
  }
}

type Change = (repository: TestRepository) => unknown;

const CHANGES: Record<string, { change: Change; says?: string; hides?: string }> = {
  'a redaction': { change: ({ call }) => call('redact', TOKEN.id), hides: TOKEN.title },
  'a retired record': { change: ({ call }) => call('retire', TOKEN.id, '--reason', 'no more'), hides: TOKEN.title },
  'a pin': { change: ({ call }) => call('pin', TOKEN.id), says: '## On this work' },
  'a new record': { change: (repository) => put(repository, PORTS), says: PORTS.title },
  'a new private record': { change: (repository) => put(repository, PORTS, 'private'), says: PORTS.title },
  'a record that a person edits in place': {
    change: ({ root }) => {
      const folder = join(root, '.memory/observations/2026-11');
      const path = join(folder, readdirSync(folder).find((name) => name.includes(TOKEN.id)) ?? '');
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll('Mondays', 'Tuesdays'));
    },
    says: '1 record was edited since its review',
  },
  'a record that is removed': {
    change: ({ root }) => rmSync(join(root, '.memory/observations'), { recursive: true }),
    hides: TOKEN.title,
  },
  'a record that nobody reviewed': { change: (repository) => drop(repository, PORTS), says: '1 unreviewed record is' },
  'trust in it': {
    async change(repository) {
      drop(repository, PORTS);
      start(repository);
      await repository.call('trust', PORTS.id);
    },
    says: PORTS.title,
  },
  'another branch': {
    async change(repository) {
      repository.git('switch', '--quiet', '--orphan', 'empty');
      await repository.call('init', '--yes', '--host', 'claude-code');
    },
    hides: TOKEN.title,
  },
  'a commit on the reviewed branch': {
    change(repository) {
      drop(repository, PORTS);
      repository.commit('theirs');
      repository.git('branch', '--quiet', '--force', 'main', 'work');
    },
    says: PORTS.title,
  },
  'another reviewed branch': {
    change: ({ env }) => Object.assign(env, { GIT_MEM_TRUST_BRANCH: 'nowhere' }),
  },
  'a setting of the user': {
    change({ env }) {
      mkdirSync(join(env.HOME ?? '', '.config/git-mem'), { recursive: true });
      writeFileSync(join(env.HOME ?? '', '.config/git-mem/config.yaml'), 'briefing:\n  observations: 0\n');
    },
    hides: TOKEN.title,
  },
  'a setting in the environment': {
    change: ({ env }) => Object.assign(env, { GIT_MEM_BRIEFING_OBSERVATIONS: '0' }),
    hides: TOKEN.title,
  },
  'a setting of the team': {
    change: ({ root }) => appendFileSync(join(root, '.memory/config.yaml'), '\nbriefing:\n  observations: 0\n'),
    says: 'is not the reviewed version',
  },
  'a cited file that is edited': { change: (repository) => repository.write(FILE, 'export const n = 1;\n') },
  'another file that is edited': { change: (repository) => repository.write('src/other.ts', 'export const n = 1;\n') },
  'the next day': { change: (repository) => change(repository, (answer) => void answer.day--) },
  'a personal record': {
    async change({ call }) {
      await call('personal', 'init');
      await call('add', '--personal', '--type', 'preference', '--title', 'British English');
    },
    says: 'British English',
  },
  'a server that the host is not connected to any more': {
    change: ({ root }) => rmSync(join(root, '.mcp.json')),
    says: '`git mem add`',
  },
};

describe('law: a start is told what holds now, whatever was kept of earlier ones', () => {
  it.each(Object.keys(CHANGES))('after %s', async (name) => {
    const repository = await kept();
    const { change, says, hides } = CHANGES[name] ?? { change: () => undefined };
    await change(repository);
    const told = start(repository);
    expect(told).not.toContain(SIGN);
    if (says !== undefined) expect(told).toContain(says);
    if (hides !== undefined) expect(told).not.toContain(hides);
  });

  it('and nothing is answered from it that depends on the session', async ({ repository }) => {
    for (const source of ['resume', 'compact']) expect(start(repository, undefined, { source })).not.toContain(SIGN);
    expect(start(repository, undefined, { source: 'clear' })).toContain(SIGN);
  });

  it('in another worktree, and by another build, too', async ({ repository }) => {
    const root = join(repository.folder, 'beside');
    repository.git('worktree', 'add', '--quiet', root, 'main');
    expect(start({ ...repository, root })).not.toContain(SIGN);
    const build = join(repository.folder, 'build');
    cpSync(dirname(PROGRAM), join(build, 'dist'), { recursive: true });
    cpSync('templates', join(build, 'templates'), { recursive: true });
    expect(start(repository, undefined, {}, join(build, 'dist/bin.cjs'))).not.toContain(SIGN);
  });

  it('for sub-agents as well', async ({ repository }) => {
    for (const path of answers(repository)) rmSync(path);
    await keep(repository, 'SubagentStart');
    await repository.call('redact', TOKEN.id);
    expect(start(repository, 'SubagentStart')).not.toContain(TOKEN.title);
  });

  it('beside files that nobody reviewed', async () => {
    const repository = prepared();
    drop(repository, PORTS);
    await keep(repository);
    await repository.call('trust', PORTS.id);
    const told = start(repository);
    expect(told).toContain(PORTS.title);
    expect(told).not.toContain(SIGN);
  });

  it('and rests on few paths where a branch filled the folder of months', async () => {
    const repository = prepared();
    // Months, and so much else that each is looked for by its name.
    const names = [
      ...allMonths().slice(2),
      ...Array.from({ length: 3000 }, (_, i) => `a-folder-that-is-no-month-${i}`),
    ];
    for (const name of names) mkdirSync(join(repository.root, '.memory/observations', name), { recursive: true });
    await keep(repository);
    const paths = answers(repository).flatMap((path) => JSON.parse(readFileSync(path, 'utf8')).paths);
    expect(paths.length).toBeLessThan(300);
    put(repository, { ...PORTS, generated: { by: 'test', at: '1990-01-05T10:00:00Z' } });
    const told = start(repository);
    expect(told).toContain(PORTS.title);
    expect(told).not.toContain(SIGN);
  });

  it('and rests on each file that is looked at', async ({ repository }) => {
    for (const path of answers(repository)) rmSync(path);
    const { root, env } = repository;
    const question = { kind: 'start', session: 'watched', source: 'startup' } as const;
    const { checkout } = openWorkspace(root, env);
    const outcome = { checkout, host: 'claude-code', event: 'SessionStart', wake: false, question };
    const begun = startOf(outcome, env);
    const seen = await looksDuring(async () => begun && sessionStartReply(begun, env));
    const paths = answers(repository).flatMap((path) => JSON.parse(readFileSync(path, 'utf8')).paths);
    const known = new Set(paths.map(([path]: [string]) => path));
    expect(known.size).toBeGreaterThan(30);
    // What is noted of this very session, what never changes, and what comes with the program.
    const own = /\/(?:templates\/.*|\.git|\.git\/git-mem(?:\/(?:starts|injected|asked|trees|stop)\b.*)?)$/;
    expect([...seen].filter((path) => !known.has(path) && !own.test(path) && path !== root)).toEqual([]);
  });

  it('after the answer was damaged', async ({ repository }) => {
    for (const text of ['', '{', '[]', '{"paths":[],"env":[],"questions":[]}', 'null', '"text"']) {
      for (const path of answers(repository)) writeFileSync(path, text);
      expect(start(repository)).toContain(TOKEN.title);
    }
  });
});
