import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findPeers, whyNotSafe } from './peers/installed.ts';
import { peers } from './peers.ts';

let folder: string;
let home: string;
let env: Record<string, string | undefined>;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'git-mem-peers-')));
  home = join(folder, 'home');
  mkdirSync(home);
  env = { ...process.env, HOME: home, CLAUDE_CONFIG_DIR: undefined, PATH: '/usr/bin:/bin' };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A double of somebody else's program, laid out as its plugin is: it notes what it was given, and nothing more. */
function installDouble(place: string): { root: string; notes: string } {
  const root = join(home, '.claude/plugins', place);
  const notes = join(folder, 'notes');
  mkdirSync(join(root, 'hooks'), { recursive: true });
  const script = `#!/bin/sh\nprintf '%s %s %s\\n' "$1" "$HOME" "$CLAUDE_MEM_DATA_DIR" >>'${notes}'\ncat >>'${notes}-events'\n`;
  writeFileSync(join(root, 'note.sh'), script, { mode: 0o755 });
  const command = (name: string) => ({
    hooks: [{ type: 'command', command: `sh "\${CLAUDE_PLUGIN_ROOT}/note.sh" ${name}` }],
  });
  const hooks = {
    SessionStart: [command('smart-install.js'), command('context')],
    PostToolUse: [{ matcher: '*', ...command('observation') }],
  };
  writeFileSync(join(root, 'hooks/hooks.json'), JSON.stringify({ description: 'A double', hooks }));
  return { root, notes };
}

test('reports that no peer is installed, and what would be run', async () => {
  const said: string[] = [];
  expect(await peers(env, { print: (text) => said.push(text) })).toBe(0);
  expect(said.join('\n')).toContain('No peer is installed');
  expect(said.join('\n')).toContain('PostToolUse');
});

test.each(['marketplaces/thedotmack/plugin', 'cache/thedotmack/claude-mem/9.0.1', 'claude-mem'])(
  'finds a plugin in plugins/%s',
  (place) => {
    const { root } = installDouble(place);
    const { found } = findPeers(env);
    expect(found.map((peer) => [peer.name, peer.folder])).toEqual([['claude-mem', root]]);
    expect(found[0]?.hooks.get('PostToolUse')).toHaveLength(1);
  },
);

test('leaves out other plugins, and, with a reason, a program on PATH and unreadable hooks', () => {
  mkdirSync(join(home, '.claude/plugins/other/hooks'), { recursive: true });
  writeFileSync(join(home, '.claude/plugins/other/hooks/hooks.json'), '{"hooks": {}}');
  expect(findPeers(env)).toEqual({ found: [], left: [] });
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/claude-mem'), '');
  expect(findPeers({ ...env, PATH: join(folder, 'bin') }).left[0]?.reason).toContain('on PATH');
  const { root } = installDouble('claude-mem');
  writeFileSync(join(root, 'hooks/hooks.json'), '{"hooks": 1}');
  expect(findPeers(env).left[0]?.reason).toContain('not in a known shape');
});

test('runs its hooks on a session’s payloads, in a home other than the user’s, and leaves the installed one alone', async () => {
  const reason = await whyNotSafe();
  if (reason !== undefined) return console.log(`Left out: ${reason}.`);
  const { root, notes } = installDouble('marketplaces/thedotmack/plugin');
  const before = readdirSync(root, { recursive: true }).sort();
  const print = vi.spyOn(console, 'log').mockImplementation(() => {});
  expect(await peers(env, { rounds: 1 })).toBe(0);
  const table = print.mock.calls.join('\n');
  print.mockRestore();
  expect(table).toMatch(/PostToolUse +[\d.]+ ms +[\d.]+ ms/);
  expect(table).toMatch(/UserPromptSubmit +[\d.]+ ms +has none/);
  const runs = readFileSync(notes, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  // One to warm up and one that counts; what would install something is not run.
  expect(runs.map(([name]) => name).sort()).toEqual(['context', 'context', 'observation', 'observation']);
  for (const [, usedHome, data] of runs) {
    expect(usedHome).toMatch(/git-mem-bench-.*peer-home$/);
    expect(data).toMatch(/git-mem-bench-.*peer-data$/);
  }
  expect(readFileSync(`${notes}-events`, 'utf8')).toContain('"tool_name"');
  expect(readdirSync(root, { recursive: true }).sort()).toEqual(before);
});

test('is not safe while something listens on its worker’s port', async () => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  expect(await whyNotSafe(port)).toContain(`port ${port}`);
  await new Promise((done) => server.close(done));
  if (process.platform === 'linux') expect(await whyNotSafe(port)).toBeUndefined();
});
