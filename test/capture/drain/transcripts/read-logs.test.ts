import { createHash } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { LOGGED_HOSTS } from '../../../../src/capture/agents/agents.ts';
import { newSession, writeSession } from '../../../../src/capture/drain/session-state.ts';
import { MAX_LINE } from '../../../../src/capture/drain/transcripts/logs.ts';
import { type LogReport, readLogs } from '../../../../src/capture/drain/transcripts/read-logs.ts';
import { readEvent } from '../../../../src/capture/spool/spool.ts';
import { openWorkspace } from '../../../../src/memory/store/workspace.ts';
import { loggedSession } from '../../../support/logged-session.ts';
import { createRepository, type TestRepository } from '../../../support/repository.ts';
import { it } from '../../../support/with-repository.ts';

/** Reads the logs of a repository to their ends, as one run of the command does. */
async function look(
  { root, env }: TestRepository,
  { sinceMs = 0, now = new Date(), captured = [] as string[] } = {},
): Promise<LogReport[]> {
  const reports: LogReport[] = [];
  const signal = new AbortController().signal;
  const options = { env, hosts: LOGGED_HOSTS, sinceMs, captured: new Set(captured), clock: () => now, signal };
  for await (const report of readLogs(openWorkspace(root, env), options)) reports.push(report);
  return reports;
}

const stateOf = ({ root }: TestRepository) => join(root, '.git/git-mem');

/** The events in the spool, by what makes them the same when they are told again, with how often they are there. */
function spooled(repository: TestRepository): Map<string, number> {
  const folder = join(stateOf(repository), 'spool/new');
  const counts = new Map<string, number>();
  for (const name of namesIn(folder)) {
    const { session, key } = JSON.parse(readEvent(stateOf(repository), name)?.payload ?? '{}');
    counts.set(`${session} ${key}`, (counts.get(`${session} ${key}`) ?? 0) + 1);
  }
  return counts;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const total = (reports: LogReport[]) => reports.reduce((sum, { events }) => sum + events, 0);
const EVENTS_A_TURN = 5;

describe('a log', () => {
  it('is read on from where the last look ended, and a half line waits for its other half', async ({ repository }) => {
    const session = loggedSession(repository);
    const [first = '', ...rest] = session.turn(1);
    session.append([first]);
    expect(await look(repository)).toMatchObject([{ host: 'claude-code', events: 1 }]);
    expect(await look(repository)).toEqual([]);
    const whole = rest.map((line) => `${line}\n`).join('');
    appendFileSync(session.path, whole.slice(0, -20));
    expect(await look(repository)).toMatchObject([{ events: 3, unreadable: 0 }]);
    appendFileSync(session.path, whole.slice(-20));
    expect(await look(repository)).toMatchObject([{ events: 1 }]);
    expect([...spooled(repository).values()]).toEqual(Array(EVENTS_A_TURN).fill(1));
  });

  it('loses nothing when events cannot be stored: the read position is saved after them', async ({ repository }) => {
    const session = loggedSession(repository);
    session.append(Array.from({ length: 30 }, (_, n) => session.turn(n)).flat());
    mkdirSync(join(stateOf(repository), 'spool'), { recursive: true });
    writeFileSync(join(stateOf(repository), 'spool/tmp'), 'A file where a folder should be.');
    expect(await look(repository)).toMatchObject([
      { events: 0, problem: expect.stringContaining('tmp is not a folder') },
    ]);
    rmSync(join(stateOf(repository), 'spool/tmp'));
    expect(total(await look(repository))).toBe(30 * EVENTS_A_TURN);
  });

  it('is reported under the same keys when read again, wherever it was cut, replaced or forgotten', async () => {
    const repository = createRepository();
    const session = loggedSession(repository);
    session.append([1, 2].flatMap((n) => session.turn(n)));
    expect(total(await look(repository))).toBe(10);
    const keys = [...spooled(repository).keys()].sort();
    rmSync(join(stateOf(repository), 'transcripts'), { recursive: true });
    expect(total(await look(repository))).toBe(10);
    copyFileSync(session.path, `${session.path}.new`);
    renameSync(`${session.path}.new`, session.path);
    expect(total(await look(repository))).toBe(10);
    expect([...spooled(repository).keys()].sort()).toEqual(keys);
    truncateSync(session.path, 0);
    session.append(session.turn(3));
    expect(total(await look(repository))).toBe(5);
    expect(spooled(repository).size).toBe(15);
  });

  it('reports nothing written before the first look, even when it continues', async ({ repository }) => {
    const now = new Date();
    const session = loggedSession(repository, { at: new Date(now.getTime() - 3_600_000) });
    session.append(session.turn(1));
    expect(total(await look(repository, { sinceMs: now.getTime(), now }))).toBe(0);
    const later = loggedSession(repository, { at: new Date(now.getTime() + 1000) });
    later.append(later.turn(2));
    expect(total(await look(repository, { sinceMs: now.getTime() + 60_000 }))).toBe(5);
    expect([...spooled(repository).keys()].filter((key) => /turn-1|-1-/.test(key))).toEqual([]);
    expect(total(await look(repository, { sinceMs: 0 }))).toBe(10);
  });

  it('is left alone when hooks report its session or it was captured earlier', async ({ repository }) => {
    const [hooked, imported, own] = ['hooked', 'imported', 'own'].map((id) => loggedSession(repository, { id }));
    for (const session of [hooked, imported, own]) session?.append(session.turn(1));
    writeSession(stateOf(repository), newSession('hooked', 'claude-code', repository.root));
    writeSession(stateOf(repository), newSession('own', 'transcript', repository.root));
    expect(await look(repository, { captured: ['imported'] })).toMatchObject([
      { events: 0, hooked: 5 },
      { events: 0, hooked: 5 },
      { events: 5, hooked: 0 },
    ]);
  });

  it('must be one of this repository, and reports nothing that its session did elsewhere', async ({ repository }) => {
    const { root, folder } = repository;
    const sibling = loggedSession(repository, { id: 'sibling', cwd: `${root}-other` });
    sibling.append(sibling.turn(1));
    const inside = loggedSession(repository, { id: 'inside', cwd: join(root, 'packages/a') });
    inside.append(inside.turn(1));
    const line = inside.turn(2)[0] ?? '';
    inside.append([line.replace(JSON.stringify(join(root, 'packages/a')), JSON.stringify(folder))]);
    expect(await look(repository)).toMatchObject([{ path: inside.path, events: 5 }]);
  });

  it('may name its repository by a hash, or on a line of its own', async ({ repository }) => {
    const { root, write } = repository;
    const at = new Date().toISOString();
    for (const [name, place] of Object.entries({ ours: root, theirs: '/somewhere/else' })) {
      const projectHash = createHash('sha256').update(place).digest('hex');
      const gemini = [
        { sessionId: name, projectHash, startTime: at },
        { id: 'p', timestamp: at, type: 'user', content: [{ text: 'Why?' }] },
      ];
      const codex = [
        { timestamp: at, type: 'session_meta', payload: { id: name, cwd: place } },
        { timestamp: at, type: 'event_msg', payload: { type: 'user_message', message: 'Why?' } },
      ];
      const text = (lines: object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      write(`../home/.gemini/tmp/${name}/chats/session-${name}.jsonl`, text(gemini));
      write(`../home/.codex/sessions/2026/11/20/rollout-${name}.jsonl`, text(codex));
    }
    expect(await look(repository)).toMatchObject([
      { host: 'codex', path: expect.stringContaining('ours'), events: 1 },
      { host: 'gemini-cli', path: expect.stringContaining('ours'), events: 1 },
    ]);
    expect([...spooled(repository).keys()].sort()).toEqual([
      expect.stringMatching(/^ours prompt \w{16} /),
      'ours prompt p',
    ]);
  });

  it('may be hostile: noise and long lines are skipped and counted, links are not followed', async ({ repository }) => {
    const session = loggedSession(repository);
    const outside = join(repository.folder, 'outside.jsonl');
    writeFileSync(outside, session.turn(9).join('\n'));
    mkdirSync(dirname(session.path), { recursive: true });
    symlinkSync(outside, join(dirname(session.path), 'link.jsonl'));
    symlinkSync(repository.folder, `${dirname(session.path)}-link`);
    session.append(['no json', '[]', '7', 'null', '', '{"type":"user","message":{"content":[null,7]}}']);
    session.append([`{"type":"user","text":"${'x'.repeat(MAX_LINE)}"}`, '{"__proto__":{"type":"user"}}']);
    session.append([session.turn(1)[0]?.replace(/"timestamp":"[^"]*"/, '"timestamp":"soon"') ?? '']);
    session.append(session.turn(2));
    expect(await look(repository)).toMatchObject([
      { path: session.path, events: EVENTS_A_TURN, unreadable: 2, too_long: 1, hooked: 0 },
    ]);
  });

  it('ends the turn of a last reply after a quiet period', async ({ repository }) => {
    const session = loggedSession(repository);
    session.append(session.turn(1).map((line) => line.replace('"stop_reason":"end_turn"', '"stop_reason":null')));
    expect(await look(repository)).toMatchObject([{ events: 4 }]);
    const then = new Date(Date.now() - 600_000);
    utimesSync(session.path, then, then);
    expect(await look(repository)).toMatchObject([{ events: 1 }]);
    expect(await look(repository)).toEqual([]);
    // A copy of it looks new.
    const copied = loggedSession(repository, { id: 'copied', at: new Date(Date.now() - 7_200_000) });
    copied.append(copied.turn(1).map((line) => line.replace('"stop_reason":"end_turn"', '"stop_reason":null')));
    expect(await look(repository)).toMatchObject([{ events: EVENTS_A_TURN }]);
  });

  it('is read by one process at a time', async ({ repository }) => {
    for (const id of ['one', 'two']) {
      const session = loggedSession(repository, { id });
      session.append(session.turn(1));
    }
    const { root, env } = repository;
    const options = { env, hosts: LOGGED_HOSTS, sinceMs: 0, captured: new Set<string>(), clock: () => new Date() };
    const first = readLogs(openWorkspace(root, env), { ...options, signal: new AbortController().signal });
    expect(await first.next()).toMatchObject({ value: { events: EVENTS_A_TURN } });
    await expect(look(repository)).rejects.toMatchObject({ code: 'busy' });
    expect(await first.next()).toMatchObject({ value: { events: EVENTS_A_TURN } });
    expect(await first.next()).toMatchObject({ done: true });
    expect(await look(repository)).toEqual([]);
  });

  it('carries the time of its lines, and the current HEAD only for events of now', async ({ repository }) => {
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'First');
    const [old, fresh] = [
      loggedSession(repository, { id: 'old', at: new Date('2026-01-02T03:04:05Z') }),
      loggedSession(repository),
    ];
    for (const session of [old, fresh]) session.append(session.turn(1).slice(0, 1));
    await look(repository);
    const heads = namesIn(join(stateOf(repository), 'spool/new'))
      .map((name) => readFileSync(join(stateOf(repository), 'spool/new', name), 'utf8').split('\n\n')[0] ?? '')
      .sort((a, b) => a.length - b.length);
    expect(heads[0]).toContain('at 2026-01-02T03:04:05.010Z');
    expect(heads[0]).not.toContain('commit ');
    expect(heads[1]).toContain(`branch main\ncommit ${repository.git('rev-parse', 'HEAD')}`.trim());
  });
});
