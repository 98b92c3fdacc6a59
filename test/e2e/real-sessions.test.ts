import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { saveRequest, wayToSave } from '../../src/capture/by-hand/save-request.ts';
import { idOf } from '../../src/memory/id.ts';
import { PLUGIN, writePlugin } from '../../src/setup/plugin.ts';
import { claudeCode } from '../support/clients/claude-code.ts';
import { findClient } from '../support/clients/client.ts';
import { REAL_CLIENTS } from '../support/clients/clients.ts';
import { kilo, opencode } from '../support/clients/opencode.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { observationOf, put } from '../support/written-records.ts';

const RULE = 'Migrations are never edited once they ran';
const RECALLED = 'Tolerate clock skew between nodes';
const PROMPT = 'users get a 401 right after login again: is the clock skew between nodes handled?';
const SAVED = 'Uploads are cut at 25 megabytes by the gateway';
const ADDED = 'Retries are capped at five in a minute';

function setUp(host: string): TestRepository {
  const repository = createRepository();
  repository.git('config', 'user.name', 'Grace Hopper');
  repository.write('src/a.ts', 'export const a = 1;\n');
  repository.gitMem('init', '--yes', '--host', host);
  const at = { at: '2026-11-20T20:05:01Z', by: 'test' };
  const narrative = 'A node whose clock runs ahead issued tokens that others rejected: a 401 right after login.';
  put(repository, observationOf({ id: idOf('rule'), title: RULE, type: 'rule', generated: at }));
  put(repository, observationOf({ id: idOf('skew'), title: RECALLED, type: 'bugfix', narrative, generated: at }));
  repository.commit('remember');
  repository.gitMem('sync');
  return repository;
}

/** These send a resumed session with all that its prompts were told. */
const KEEPING = ['claude-code', 'codex', 'gemini-cli', 'opencode', 'kilo', 'kimi-code'];

const count = (text: string, part: string) => text.split(part).length - 1;

describe.each(REAL_CLIENTS)('sessions of a real $name', (client) => {
  const program = findClient(client);

  it.skipIf(program === undefined)('name the writer, and have the memory once when they are resumed', async () => {
    const repository = setUp(client.host);
    const agent = await client.start(program ?? [], repository);
    const { does, model } = agent;
    const save = does.mcp?.('save_observation', { title: SAVED, type: 'Gotcha', content: 'Measured.', tags: 'limits' });
    const steps = [...(save ? [save] : []), does.run(`git-mem add --title '${ADDED}' --files src/a.ts`)];
    const first = await agent.ask(PROMPT, [...steps, { text: 'It is handled.' }]);
    expect(first.code, first.said).toBe(0);
    const [start = ''] = model.requests();
    const isTold = count(start, RULE) > 0;
    for (const [i, text] of ['thank you', 'one more thing'].entries()) {
      const next = await agent.ask(text, [{ text: 'You are welcome.' }]);
      expect(next.code, next.said).toBe(0);
      const request = model.requests().at(-1) ?? '';
      expect({ i, rule: count(request, RULE) }).toEqual({ i, rule: isTold ? 1 : 0 });
      const asked = saveRequest('start', wayToSave(repository.root, client.host, {}) ?? 'command', true);
      expect({ i, asked: count(request, asked) }).toEqual({ i, asked: isTold ? 1 : 0 });
      if (KEEPING.includes(client.host)) expect(count(request, RECALLED)).toBe(count(start, RECALLED));
    }
    // What `init` wrote is as the client wants it.
    expect(repository.git('status', '--porcelain', '--', '.', ':!.memory')).toBe('');
    repository.gitMem('drain', '--wait', '--all');
    const { records } = JSON.parse(repository.gitMem('list', '--json'));
    const { sessions } = JSON.parse(repository.gitMem('sessions', '--json'));
    for (const title of [...(save ? [SAVED] : []), ADDED]) {
      const { author, session, path } = records.find((one: { title: string }) => one.title === title);
      expect({ title, author }).toEqual({ title, author: 'agent' });
      expect(readFileSync(join(repository.root, path), 'utf8')).toMatch(new RegExp(`by: "${client.host}["/]`));
      expect(sessions.map((one: { session: string }) => one.session)).toContain(session);
    }
  });
});

describe.each([opencode, kilo])('a git-mem that hangs in a real $name', (client) => {
  const program = findClient(client);

  it.skipIf(program === undefined)('is ended with all that it started, and the work goes on', async () => {
    const repository = setUp(client.host);
    const hung = join(repository.folder, 'hung');
    const shim = join(repository.folder, 'bin/git-mem');
    writeFileSync(shim, `#!/bin/sh\n[ "$1" = hook ] || exit 0\ntouch '${hung}'\nsleep 40 && echo over >'${hung}'\n`);
    chmodSync(shim, 0o755);
    const { ask } = await client.start(program ?? [], repository);
    const { code, said } = await ask(PROMPT, [{ text: 'It is handled.' }]);
    expect(code, said).toBe(0);
    expect(readFileSync(hung, 'utf8')).toBe('');
  });
});

const claude = findClient(claudeCode);

it.skipIf(claude === undefined)('a fork of a real Claude Code session is told nothing twice', async () => {
  const repository = setUp('claude-code');
  const { ask, model } = await claudeCode.start(claude ?? [], repository);
  for (const flags of [[], ['--fork-session']]) await ask(PROMPT, [{ text: 'It is handled.' }], flags);
  const request = model.requests().at(-1) ?? '';
  expect([RULE, RECALLED, saveRequest('start', 'tool', true)].map((text) => count(request, text))).toEqual([1, 1, 1]);
});

it.skipIf(claude === undefined).each(['TERM', 'INT'])(
  'a real Claude Code session that SIG%s cut and that went on has one digest',
  async (signal) => {
    const repository = setUp('claude-code');
    repository.write('a.test.mjs', "import test from 'node:test';\ntest('a', () => {});\n");
    const { ask, does, model } = await claudeCode.start(claude ?? [], repository);
    await ask('run the tests', [does.run('node --test'), does.run(`kill -${signal} $CLAUDE_PID; sleep 60`)]);
    expect(model.requests()).toHaveLength(2);
    await ask('now write the file', [does.write('src/b.ts', 'b\n'), { text: 'Written.' }]);
    repository.gitMem('drain', '--wait', '--all');
    const { turns } = JSON.parse(repository.gitMem('sessions', 'show', 'last', '--json'));
    expect(turns).toMatchObject([
      { prompt: 'run the tests', checks: [{ command: 'node --test', passed: true }] },
      { prompt: 'now write the file', files: ['src/b.ts'] },
    ]);
  },
);

it.skipIf(claude === undefined)('a real Claude Code below the top is told once that no hook runs', async () => {
  const repository = setUp('claude-code');
  const { ask, does, model } = await claudeCode.start(claude ?? [], {
    ...repository,
    root: join(repository.root, 'src'),
  });
  const search = does.mcp?.('search', { query: 'migrations' }) ?? {};
  await ask(PROMPT, [search, search, { text: 'It is handled.' }]);
  const request = model.requests().at(-1) ?? '';
  expect([RULE, 'No git-mem hooks run in this session'].map((text) => count(request, text))).toEqual([2, 1]);
});

it.skipIf(claude === undefined)('the plugin says nothing to a real Claude Code where there is no memory', async () => {
  const repository = createRepository();
  const plugin = join(repository.folder, 'plugin');
  writePlugin(plugin);
  const { ask, model } = await claudeCode.start(claude ?? [], repository);
  await ask(PROMPT, [{ text: 'It is handled.' }], ['--plugin-dir', join(plugin, PLUGIN)]);
  expect(model.requests()).toHaveLength(1);
  expect(/git-mem[:_]|mem-search/.exec(model.requests().join())?.[0]).toBe(undefined);
});
