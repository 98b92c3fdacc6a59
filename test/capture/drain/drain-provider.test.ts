import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { drain } from '../../../src/capture/drain/drain.ts';
import { conditionsOf } from '../../../src/capture/extract/chosen-provider.ts';
import type { Known } from '../../../src/capture/extract/extractor.ts';
import { extractorOf } from '../../../src/capture/extract/select.ts';
import { loadConfig } from '../../../src/config.ts';
import { openWorkspace } from '../../../src/memory/store/workspace.ts';
import { openProject } from '../../../src/project.ts';
import { observations, state } from '../../support/drained.ts';
import { hookedSession } from '../../support/hooked-session.ts';
import { nothing } from '../../support/loopback.ts';
import {
  type Answer,
  apiError,
  type MessagesApi,
  prose,
  startMessagesApi,
  toolCall,
} from '../../support/messages-api.ts';
import { PROGRAM } from '../../support/program.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';

const HOUR = 3_600_000;
const KEY = ['sk', 'ant', 'api03', 'Zq7'.repeat(20)].join('-');
/** Trouble that is not worth a second attempt at once. */
const down = apiError(429, 'rate_limit_error', 'Too many requests.');
const GOOD = {
  summary: {
    request: 'Keep row 40.',
    investigated: [],
    learned: ['The importer cut batches.'],
    completed: [],
    next_steps: [],
    notes: [],
  },
  observations: [
    {
      turn: '1',
      type: 'bugfix',
      title: 'The importer cut every batch at ten rows',
      subtitle: '',
      narrative: 'LIMIT was 10.',
      facts: ['npm test passes.'],
      concepts: [],
      files_read: [],
      files_modified: ['src/limit.ts'],
      supersedes: [],
    },
  ],
};
const good = toolCall(GOOD);

describe('the drain with a provider', () => {
  it('asks it once for a session, and writes what it answers', async () => {
    const { repository, api } = await prepared(good);
    const session = hookedSession(repository.root);
    for (const n of [1, 2, 3]) {
      session.work(`p${n}`, 40 + n);
      expect(await drained(repository)).toMatchObject({ events: 5, pending: 0 });
    }
    expect(api.calls).toHaveLength(0);
    session.end();
    await drained(repository);
    expect(api.calls).toHaveLength(1);
    expect(observations(repository)).toMatchObject([
      { title: 'The importer cut every batch at ten rows', extractor: 'anthropic/claude-haiku-4-5' },
    ]);
  });

  it('asks it when the context was compacted, which a host may report as a start alone', async () => {
    const { repository, api } = await prepared(good);
    const session = hookedSession(repository.root);
    session.work('p1', 41);
    session.report('SessionStart', { source: 'resume' });
    await drained(repository);
    expect(api.calls).toHaveLength(0);
    session.report('SessionStart', { source: 'compact' });
    await drained(repository);
    expect(api.calls).toHaveLength(1);
  });

  it('does not ask it about a greeting', async () => {
    const { repository, api } = await prepared(good);
    hookedSession(repository.root).chat('p1');
    expect(await drained(repository, { all: true })).toMatchObject({ written: [], pending: 0 });
    expect(api.calls).toEqual([]);
  });

  it('keeps the turns while it is down, and does not ask again for a while', async () => {
    const { repository, api } = await prepared(down, down, good, good);
    finished(repository);
    expect(await drained(repository)).toMatchObject({ events: 5, written: [], pending: 1 });
    expect(await drained(repository)).toMatchObject({ pending: 1 });
    expect(api.calls).toHaveLength(1);
    expect(conditions(repository)).toMatchObject([
      { state: 'resting', failures: 1, reason: expect.stringContaining('429') },
    ]);

    const inAMinute = new Date(Date.now() + 61_000);
    expect(await drained(repository, { clock: inAMinute })).toMatchObject({ pending: 1 });
    expect(api.calls).toHaveLength(2);
    expect(conditions(repository)).toMatchObject([{ failures: 2 }]);

    expect(await drained(repository, { clock: new Date(Date.now() + 10 * 60_000) })).toMatchObject({ pending: 0 });
    expect(observations(repository)).toHaveLength(1);
    expect(conditions(repository)).toMatchObject([{ state: 'ready', failures: 0 }]);
  });

  it('tries at once when a person runs it', async () => {
    const { repository, api } = await prepared(down, good);
    finished(repository);
    await drained(repository);
    expect(await drained(repository, { now: true })).toMatchObject({ events: 1, pending: 0 });
    expect(api.calls).toHaveLength(2);
  });

  it('asks a provider that is down once per run, not once per session', async () => {
    const { repository, api } = await prepared(down, down, down, down);
    for (const id of ['one', 'two', 'three']) finished(repository, id);
    expect(await drained(repository, { now: true })).toMatchObject({ pending: 3 });
    expect(api.calls).toHaveLength(1);
  });

  it('keeps a session with an unusable answer for later, invents no record, and asks about the others', async () => {
    const bad = prose('Sorry, I would rather not.');
    const { repository, api } = await prepared(bad, bad, good, good);
    // The one that began first is asked about first.
    finished(repository, 'one', new Date(Date.now() - 60_000));
    finished(repository, 'two');
    await drained(repository);
    expect(observations(repository)).toMatchObject([{ session: 'two' }]);
    expect(api.calls).toHaveLength(3);
    // Not with every drain: an answer is paid for.
    await drained(repository);
    expect(api.calls).toHaveLength(3);
    await drained(repository, { clock: new Date(Date.now() + 16 * 60_000) });
    expect(observations(repository)).toHaveLength(2);
  });

  it('asks again for every 40,000 characters of a session that continues', async () => {
    const { repository, api } = await prepared(good, good, good);
    const session = hookedSession(repository.root);
    for (let n = 0; n < 16; n += 1) {
      session.prompt(`p${n}`, `look into part ${n} ${'of the log '.repeat(150)}`);
      const output = `line ${n} of the output\n`.repeat(200);
      for (let call = 0; call < 4; call += 1) {
        session.call(`p${n}`, `p${n}-${call}`, 'Bash', { command: `./run part${n}` }, { stdout: output, stderr: '' });
      }
      session.stop(`p${n}`, `Part ${n} says nothing. ${'It is a log. '.repeat(180)}`);
      await drained(repository);
    }
    expect(api.calls).toHaveLength(2);
    session.end();
    await drained(repository);
    expect(api.calls.length).toBeLessThanOrEqual(3);
    expect(api.calls.at(-1)?.body.messages[0]?.content).toContain('AGENT, before the first turn: Part');
  });

  it('supersedes another session’s record where the model says that it is no longer true', async () => {
    const known: Known[] = [];
    const taken: Answer = (response, request) => {
      const [observation] = GOOD.observations;
      const observations = [{ ...observation, title: 'Rows are kept', supersedes: known.map(({ id }) => id) }];
      toolCall({ ...GOOD, observations })(response, request);
    };
    const { repository, api } = await prepared(good, taken);
    finished(repository, 'one');
    await drained(repository);
    known.push(...observations(repository));
    finished(repository, 'two');
    await drained(repository, { nearest: known });
    expect(api.calls[1]?.body.messages[0]?.content).toContain(`${known[0]?.id} bugfix: The importer cut every batch`);
    const [, second] = observations(repository).sort((x, y) => x.supersedes.length - y.supersedes.length);
    expect(second).toMatchObject({ session: 'two', supersedes: [known[0]?.id] });
  });

  it('does not ask again for an answer whose records could not be written', async () => {
    const { repository, api } = await prepared(good);
    finished(repository);
    const inTheWay = join(repository.root, '.memory/observations');
    repository.write('.memory/observations', '');
    await expect(drained(repository)).rejects.toThrow(/is not a folder/);
    rmSync(inTheWay);
    await drained(repository);
    expect(observations(repository)).toHaveLength(1);
    expect(api.calls).toHaveLength(1);
  });

  it('asks about a session however old, and leaves only the digest when no provider has answered for too long', async () => {
    const { repository, api } = await prepared(down, down, down);
    finished(repository, 'old', new Date(Date.now() - 25 * HOUR));
    await drained(repository);
    expect(observations(repository)).toEqual([]);
    expect(api.calls).toHaveLength(1);
    finished(repository, 'new');
    await drained(repository, { clock: new Date(Date.now() + 2 * HOUR) });
    await drained(repository, { clock: new Date(Date.now() + 25 * HOUR) });
    expect(observations(repository)).toEqual([]);
    const sessions = JSON.parse((await repository.call('sessions', '--json')) as string).sessions;
    expect(sessions).toHaveLength(2);
  });

  it('does not wait for a provider that is no longer configured', async () => {
    const { repository } = await prepared(down);
    finished(repository);
    await drained(repository);
    const env = { ...repository.env, GIT_MEM_EXTRACT_PROVIDER: 'none' };
    const project = openProject(repository.root, env);
    const report = await project.drain({ all: false, now: false, signal: new AbortController().signal });
    expect(report).toMatchObject({ events: 1, pending: 0 });
    expect(conditions({ ...repository, env })).toEqual([]);
  });

  it('ends when it is told to, without counting that as a failure of the provider', async () => {
    const { repository, api } = await prepared(nothing);
    finished(repository);
    const controller = new AbortController();
    const running = drained(repository, { signal: controller.signal });
    await vi.waitFor(() => expect(api.calls.length).toBeGreaterThan(0), { timeout: 60_000, interval: 10 });
    controller.abort();
    expect(await running).toMatchObject({ events: 5, pending: 1 });
    expect(conditions(repository)).toMatchObject([{ state: 'ready', failures: 0 }]);
    expect(existsSync(join(state(repository), 'lock'))).toBe(false);
  });

  it('never sends private text or a secret', async () => {
    const token = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('');
    const { repository, api } = await prepared(good);
    const session = hookedSession(repository.root);
    session.prompt('p1', `the importer drops rows <private>for Initech</private> with ${token}, fix it`);
    session.call(
      'p1',
      't1',
      'Edit',
      { file_path: join(repository.root, `src/${token}.ts`), old_string: token, new_string: 'b' },
      {},
    );
    session.stop('p1', `Fixed, the token ${token} had expired.`);
    session.end();
    await drained(repository);
    expect(api.calls).toHaveLength(1);
    expect(JSON.stringify(api.calls[0]?.body)).not.toMatch(new RegExp(`${token}|Initech`));
  });
});

describe('the drain as a process', () => {
  it('exits when nothing is left to do, with and without a provider', async () => {
    const { repository } = await prepared(good);
    for (const env of [{ GIT_MEM_EXTRACT_PROVIDER: 'none' }, {}]) {
      finished(repository, JSON.stringify(env));
      expect(await run(repository, env)).toBe(0);
      expect(readdirSync(join(state(repository), 'spool/new'))).toEqual([]);
    }
  });

  it('prints its report and nothing else', async () => {
    const { repository } = await prepared();
    finished(repository);
    const env = { ...repository.env, GIT_MEM_EXTRACT_PROVIDER: 'none' };
    const json = execFileSync(process.execPath, [PROGRAM, 'drain', '--json'], {
      cwd: repository.root,
      env,
      encoding: 'utf8',
    });
    const report = JSON.parse(json);
    expect(Object.keys(report)).toEqual(['events', 'written', 'pending', 'failed']);
    expect(report).toEqual({ events: 6, written: [], pending: 0, failed: 0 });
  });
});

/** A repository whose drain asks a local server that answers by this script. */
async function prepared(...script: Answer[]): Promise<{ repository: TestRepository; api: MessagesApi }> {
  const api = await startMessagesApi(script);
  const repository = createRepository();
  repository.write('src/limit.ts', 'export const LIMIT = 10;\n');
  const env = {
    ...repository.env,
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: api.url,
    GIT_MEM_EXTRACT_PROVIDER: 'auto',
  };
  return { repository: { ...repository, env }, api };
}

/** A session of one turn that is over. */
function finished({ root }: TestRepository, id = 'one', at = new Date()): void {
  const session = hookedSession(root, { id, at });
  session.work('p1', 40);
  session.end();
}

/** The drain as `openProject` runs it, at a time of the test's choice. */
function drained(
  { root, env }: TestRepository,
  { now = false, all = false, clock = new Date(), signal = new AbortController().signal, nearest = [] as Known[] } = {},
) {
  const workspace = openWorkspace(root, env);
  const { config } = loadConfig(workspace.layout.memory, env);
  return drain(workspace, {
    config,
    extractor: extractorOf(config, { state: workspace.layout.state, env, now, clock: () => clock }),
    nearest: async () => nearest,
    all,
    now,
    clock: () => clock,
    signal,
  });
}

/** Runs the program's drain to its end; gives its exit code. */
function run({ root, env }: TestRepository, more: Record<string, string>): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, 'drain'], { cwd: root, env: { ...env, ...more }, stdio: 'ignore' });
    child.on('error', reject);
    child.on('close', resolve);
  });
}

/** How the providers of its settings do now. */
function conditions(repository: TestRepository) {
  const { memory } = openWorkspace(repository.root, repository.env).layout;
  const { config } = loadConfig(memory, repository.env);
  return conditionsOf(config.extract, { state: state(repository), env: repository.env, now: new Date() });
}
