import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answering, installClaude } from '../../support/claude-program.ts';
import { runAlongside } from '../../support/command.ts';
import { gitMem } from '../../support/command-line.ts';
import { drained } from '../../support/drained.ts';
import { hookedSession } from '../../support/hooked-session.ts';
import { type Loopback, type Reaction, startLoopback } from '../../support/loopback.ts';
import { type ModelProtocol, openAiLike, PROTOCOLS } from '../../support/model-protocols.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';

const KEY = ['sk', 'test', 'Zq7'.repeat(20)].join('-');
const OLLAMA = openAiLike('ollama');
const summary = { request: 'x', investigated: [], learned: ['x'], completed: [], next_steps: [], notes: [] };
const observation = { type: 'bugfix', title: 'Batches are whole', narrative: 'LIMIT was 10.', facts: ['It passes.'] };
const good = OLLAMA.said({
  text: JSON.stringify({ summary, observations: [observation] }),
  tokens: { input: 900, output: 100 },
});

describe('the drain with a provider and its fallback', () => {
  it('gives every session to the fallback while the first is out of credit, and reports it', async () => {
    const first = await startLoopback(OLLAMA.broke);
    const claude = installClaude(answering(JSON.stringify({ summary, observations: [observation] })));
    const repository = prepared({
      provider: 'openrouter',
      base_url: `${first.url}/v1`,
      api_key_env: 'MINE',
      fallback: 'claude-cli',
    });
    repository.env.PATH = `${claude.env.PATH}:${repository.env.PATH}`;
    for (const n of [1, 2, 3]) finished(repository, n);
    expect(await drained(repository)).toMatchObject({
      pending: 0,
      // An observation and a summary each.
      written: Array.from({ length: 6 }, () => expect.any(String)),
    });
    expect([first.calls.length, claude.runs().length]).toEqual([1, 3]);
    const { stdout } = await gitMem(repository, ['stats', '--json']);
    expect(JSON.parse(stdout).spending).toMatchObject({
      today: 4_500,
      providers: [
        { provider: 'openrouter', place: 'extract', today: 0, daily_budget: 2_000_000, state: 'resting', failures: 1 },
        { provider: 'claude-cli', place: 'extract.fallback', today: 4_500, daily_budget: 2_000_000, state: 'ready' },
      ],
    });
    const told = await gitMem(repository, ['stats']);
    expect(told.stdout).toMatch(/openrouter\/\S+ +0 of 2,000,000 today; resting until \S+: openrouter answered 429/i);
    expect((await gitMem(repository, ['doctor', '--all'])).stdout).toContain('Where that fails: claude -p with haiku');
    expect((await gitMem(repository, ['status'])).stdout).toMatch(/Provider +openrouter failed 1 time, next try after/);
  });

  it('forgets that a provider failed as soon as its settings change', async () => {
    const server = await startLoopback(OLLAMA.unknownKey('No such key.'), good);
    const entry = { provider: 'openrouter', base_url: `${server.url}/v1`, api_key_env: 'MINE' };
    const repository = prepared(entry);
    finished(repository, 40);
    expect(await drained(repository)).toMatchObject({ pending: 1 });
    expect(await drained(repository)).toMatchObject({ pending: 1 });
    expect(server.calls).toHaveLength(1);
    const mended = { ...repository, env: { ...repository.env, MINE: `${KEY}2` } };
    expect(await drained(mended)).toMatchObject({ pending: 0 });
  });

  it('makes at most one request at a time, however many drains are started', async () => {
    let [open, most] = [0, 0];
    const slow: Reaction = (response, call) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        good(response, call);
      }, 60);
    };
    const server = await startLoopback(slow);
    const repository = prepared({ provider: 'ollama', base_url: `${server.url}/v1` });
    for (let n = 0; n < 9; n += 1) finished(repository, n);
    const drains = await Promise.all([1, 2, 3].map(() => runAlongside(repository, ['drain', '--wait', '--json'])));
    expect(drains.map(({ status }) => status)).toEqual([0, 0, 0]);
    expect([most, server.calls.length]).toEqual([1, 9]);
  });
});

it('law: no key is revealed in any file or output, whatever providers answer', { timeout: 240_000 }, async () => {
  const words = `The key ${KEY} is in trouble.`;
  const troubles: ((protocol: ModelProtocol) => Reaction)[] = [
    (protocol) => protocol.unknownKey(words),
    ...[400, 402, 429, 503].map((status) => (protocol: ModelProtocol) => protocol.error(status, words)),
    (protocol) => protocol.said({ text: words, isRefused: true }),
  ];
  let trouble = 0;
  const servers: Loopback[] = [];
  for (const protocol of PROTOCOLS) {
    servers.push(await startLoopback((response, call) => troubles[trouble]?.(protocol)(response, call)));
  }
  const [anthropic = '', gemini = '', openai = '', openrouter = ''] = servers.map(({ url }) => url);
  const claude = installClaude(`${answering('Invalid API key · Please run /login', { is_error: true })}`);
  const repository = prepared({ provider: 'anthropic', fallback: 'claude-cli' });
  const shared = { ...repository.env, PATH: `${claude.env.PATH}:${repository.env.PATH}`, ANTHROPIC_API_KEY: KEY };
  const settings: Record<string, string>[] = [
    { PROVIDER: 'anthropic', BASE_URL: anthropic },
    { PROVIDER: 'gemini', BASE_URL: `${gemini}/v1`, MODEL: 'some-model', API_KEY_ENV: 'MINE' },
    { PROVIDER: 'openai', BASE_URL: `${openai}/v1`, MODEL: 'm', API_KEY_COMMAND: 'printenv MINE' },
    { PROVIDER: 'openrouter', BASE_URL: `${openrouter}/v1`, API_KEY_ENV: 'MINE' },
  ];
  let env = shared;
  const outputs: string[] = [];
  const runs = async (...commands: string[]) => {
    for (const command of commands) {
      const args = command.split(' ');
      // What a drain may print is seen in a process of its own; the others only put it into words.
      const { stdout, stderr } =
        args[0] === 'drain'
          ? await runAlongside({ ...repository, env }, args)
          : await gitMem(repository, args, { env });
      outputs.push(stdout, stderr);
    }
  };
  for (trouble = 0; trouble < troubles.length; trouble += 1) {
    finished(repository, trouble);
    for (const one of settings) {
      const own = Object.entries(one).map(([name, value]) => [`GIT_MEM_EXTRACT_${name}`, value]);
      env = { ...shared, ...Object.fromEntries(own) };
      await runs('drain --wait --json', ...(trouble === 0 ? ['doctor'] : []));
    }
    if (trouble === 1) await runs('stats', 'stats --json', 'status', 'status --json', 'config', 'search limit');
  }
  // Each was given its key, and none but the program asked without one.
  for (const { calls } of servers) {
    expect(calls.length).toBeGreaterThan(5);
    expect(calls.every(({ headers }) => JSON.stringify(headers).includes(KEY))).toBe(true);
  }
  expect(claude.runs().length).toBeGreaterThan(0);
  expect(outputs.join('\n')).toContain('anthropic failed');
  expect(outputs.join('\n')).not.toContain('Zq7');
  const files = readdirSync(repository.folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(repository.folder, path))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  expect(files.filter((path) => path.endsWith('hook.log') || path.endsWith('backoff.json'))).toHaveLength(2);
  expect(files.filter((path) => readFileSync(path).includes('Zq7'))).toEqual([]);
});

/** A repository whose user has set these keys of `extract`. */
function prepared({ provider, ...extract }: Record<string, string | number>): TestRepository {
  const repository = createRepository();
  const home = join(repository.env.HOME ?? '', '.config', 'git-mem');
  mkdirSync(home, { recursive: true });
  // YAML is a superset of JSON.
  writeFileSync(join(home, 'config.yaml'), JSON.stringify({ extract }));
  repository.write('src/limit.ts', 'export const LIMIT = 10;\n');
  return { ...repository, env: { ...repository.env, GIT_MEM_EXTRACT_PROVIDER: String(provider), MINE: KEY } };
}

/** A session of one turn that is over; `n` makes it one of a kind. */
function finished({ root }: TestRepository, n: number): void {
  const session = hookedSession(root, { id: `session ${n}` });
  session.work('p1', n);
  session.end();
}
