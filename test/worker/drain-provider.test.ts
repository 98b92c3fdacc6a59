import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { conditionsOf } from '../../src/extract/chain-condition.ts';
import { extractorOf, rulesExtractor } from '../../src/extract/select.ts';
import { decode } from '../../src/memory/codec.ts';
import type { Observation } from '../../src/memory/record.ts';
import { openProject } from '../../src/project.ts';
import { openWorkspace } from '../../src/store/workspace.ts';
import { drain } from '../../src/worker/drain.ts';
import { hookedSession } from '../support/hooked-session.ts';
import {
  type Answer,
  apiError,
  type MessagesApi,
  silence,
  startMessagesApi,
  toolCall,
} from '../support/messages-api.ts';
import { PROGRAM } from '../support/program.ts';
import { snapshot } from '../support/replayed-session.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';

const HOUR = 3_600_000;
const KEY = ['sk', 'ant', 'api03', 'Zq7'.repeat(20)].join('-');
/** Trouble that is not worth a second attempt at once. */
const down = apiError(429, 'rate_limit_error', 'Too many requests.');
const good = toolCall({
  digest: {
    request: 'Keep row 40.',
    investigated: [],
    learned: ['The importer cut batches.'],
    completed: [],
    next_steps: [],
    notes: [],
  },
  observations: [
    {
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
});

describe('the drain with a provider', () => {
  it('asks it once for a turn, and writes what it answers', async () => {
    const { repository, api } = await prepared(good);
    hookedSession(repository.root).work('p1', 40);
    expect(await drained(repository)).toMatchObject({ events: 5, pending: 0 });
    expect(api.requests).toHaveLength(1);
    expect(observations(repository)).toMatchObject([
      { title: 'The importer cut every batch at ten rows', extractor: 'anthropic/claude-haiku-4-5' },
    ]);
  });

  it('does not ask it about a greeting', async () => {
    const { repository, api } = await prepared(good);
    hookedSession(repository.root).chat('p1');
    expect(await drained(repository)).toMatchObject({ events: 3, written: [], pending: 0 });
    expect(api.requests).toEqual([]);
  });

  it('keeps the events while it is down, and leaves it alone for a while', async () => {
    const { repository, api } = await prepared(down, down, good, good);
    const session = hookedSession(repository.root);
    session.work('p1', 40);
    expect(await drained(repository)).toMatchObject({ events: 0, written: [], pending: 5 });
    expect(await drained(repository)).toMatchObject({ pending: 5 });
    expect(api.requests).toHaveLength(1);
    expect(conditions(repository)).toMatchObject([
      { state: 'resting', failures: 1, reason: expect.stringContaining('429') },
    ]);

    const inAMinute = new Date(Date.now() + 61_000);
    expect(await drained(repository, { clock: inAMinute })).toMatchObject({ pending: 5 });
    expect(api.requests).toHaveLength(2);
    expect(conditions(repository)).toMatchObject([{ failures: 2 }]);

    expect(await drained(repository, { clock: new Date(Date.now() + 10 * 60_000) })).toMatchObject({ pending: 0 });
    expect(observations(repository)).toHaveLength(1);
    expect(conditions(repository)).toMatchObject([{ state: 'ready', failures: 0 }]);
  });

  it('tries at once when a person asks', async () => {
    const { repository, api } = await prepared(down, good);
    hookedSession(repository.root).work('p1', 40);
    await drained(repository);
    expect(await drained(repository, { now: true })).toMatchObject({ events: 5, pending: 0 });
    expect(api.requests).toHaveLength(2);
  });

  it('asks a provider that is down once a run, not once a session', async () => {
    const { repository, api } = await prepared(down, down, down, down);
    for (const id of ['one', 'two', 'three']) hookedSession(repository.root, { id }).work('p1', 40);
    expect(await drained(repository, { now: true })).toMatchObject({ pending: 15 });
    expect(api.requests).toHaveLength(1);
  });

  it('waits a moment and asks a second time when it is overloaded', async () => {
    const { repository, api } = await prepared(apiError(529, 'overloaded_error', 'Overloaded'), good);
    hookedSession(repository.root).work('p1', 40);
    expect(await drained(repository)).toMatchObject({ pending: 0 });
    expect(api.requests).toHaveLength(2);
  });

  it('lets the rules take over what the provider could not do for too long, and only that', async () => {
    const { repository, api } = await prepared(down, down, down);
    hookedSession(repository.root, { id: 'old', at: new Date(Date.now() - 25 * HOUR) }).work('p1', 40);
    hookedSession(repository.root, { id: 'new' }).work('p1', 50);
    await drained(repository);
    expect(observations(repository)).toMatchObject([{ session: 'old', extractor: 'rules/1' }]);
    expect(api.requests).toHaveLength(1);
    // The rules answered, the provider did not: it is still left alone.
    hookedSession(repository.root, { id: 'old too', at: new Date(Date.now() - 25 * HOUR) }).work('p1', 60);
    await drained(repository);
    expect(api.requests).toHaveLength(1);
    expect(conditions(repository)).toMatchObject([{ failures: 1 }]);
    expect(observations(repository)).toHaveLength(2);
  });

  it('needs no rest from a provider that is no longer asked', async () => {
    const { repository } = await prepared(down);
    hookedSession(repository.root).work('p1', 40);
    await drained(repository);
    const env = { ...repository.env, GIT_MEM_EXTRACT_PROVIDER: 'rules' };
    const project = openProject(repository.root, env);
    const report = await project.drain({ all: false, now: false, signal: new AbortController().signal });
    expect(report).toMatchObject({ events: 5, pending: 0 });
    expect(conditions({ ...repository, env })).toEqual([]);
  });

  it('ends when it is told to, without holding that against the provider', async () => {
    const { repository, api } = await prepared(silence);
    hookedSession(repository.root).work('p1', 40);
    const controller = new AbortController();
    const running = drained(repository, { signal: controller.signal });
    await vi.waitFor(() => expect(api.requests.length).toBeGreaterThan(0), { timeout: 60_000, interval: 10 });
    controller.abort();
    expect(await running).toMatchObject({ events: 0, pending: 5 });
    expect(conditions(repository)).toMatchObject([{ state: 'ready', failures: 0 }]);
    expect(existsSync(join(state(repository), 'lock'))).toBe(false);
  });

  it('never sends what is private, nor a secret', async () => {
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
    await drained(repository);
    expect(api.requests).toHaveLength(1);
    expect(JSON.stringify(api.requests[0]?.body)).not.toMatch(new RegExp(`${token}|Initech`));
  });
});

describe('the drain as a process', () => {
  it('ends by itself once it has run dry, with the rules and with a provider', async () => {
    const { repository } = await prepared(good);
    for (const env of [{ GIT_MEM_EXTRACT_PROVIDER: 'rules' }, {}]) {
      hookedSession(repository.root, { id: JSON.stringify(env) }).work('p1', 40);
      expect(await run(repository, env)).toBe(0);
      expect(readdirSync(join(state(repository), 'spool/new'))).toEqual([]);
    }
  });

  it('prints its report and nothing else', async () => {
    const { repository } = await prepared();
    hookedSession(repository.root).work('p1', 40);
    const env = { ...repository.env, GIT_MEM_EXTRACT_PROVIDER: 'rules' };
    const json = execFileSync(process.execPath, [PROGRAM, 'drain', '--json'], {
      cwd: repository.root,
      env,
      encoding: 'utf8',
    });
    const report = JSON.parse(json);
    expect(Object.keys(report)).toEqual(['events', 'written', 'pending', 'failed']);
    expect(report).toEqual({ events: 5, written: [observations(repository)[0]?.id], pending: 0, failed: 0 });
  });
});

/** A repository whose drain asks a local server that answers by this script. */
async function prepared(...script: Answer[]): Promise<{ repository: TestRepository; api: MessagesApi }> {
  const api = await startMessagesApi(script);
  onTestFinished(() => api.close());
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

/** The drain as `openProject` runs it, at a time of the test's choice. */
function drained(
  { root, env }: TestRepository,
  { now = false, clock = new Date(), signal = new AbortController().signal } = {},
) {
  const workspace = openWorkspace(root, env);
  const { config } = loadConfig(workspace.layout.memory, env);
  return drain(workspace, {
    config,
    extractor: extractorOf(config, { state: workspace.layout.state, env, now, clock: () => clock }),
    fallback: rulesExtractor(),
    all: false,
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

function state({ root }: TestRepository): string {
  return join(root, '.git/git-mem');
}

function observations({ root }: TestRepository): Observation[] {
  const store = join(root, '.memory/observations');
  return Object.keys(snapshot(store)).flatMap((path) => {
    const record = decode(readFileSync(join(store, path), 'utf8'), path);
    return record.kind === 'observation' ? [record] : [];
  });
}
