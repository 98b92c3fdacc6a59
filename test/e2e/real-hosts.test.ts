import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findAgent } from '../../src/capture/agents/agents.ts';
import { wayToSave } from '../../src/capture/by-hand/save-request.ts';
import { PLUGIN, writePlugin } from '../../src/setup/plugin.ts';
import { claudeCode } from '../support/clients/claude-code.ts';
import { findClient, pinnedVersion, type RealClient } from '../support/clients/client.ts';
import { REAL_CLIENTS } from '../support/clients/clients.ts';
import { fieldsOf } from '../support/clients/fields.ts';
import { capturedParts, ORDER, seenIn } from '../support/clients/seen.ts';
import { doTask, type TaskRun } from '../support/clients/task.ts';
import { tableIn } from '../support/markdown-table.ts';
import { scratchFolder } from '../support/scratch.ts';

const [header = [], ...rows] = tableIn(readFileSync('docs/getting-started.md', 'utf8'), '| client |');

describe.each(REAL_CLIENTS)('a real $name', (client) => {
  const program = findClient(client);
  if (program === undefined) console.log(`skipped: ${client.name} is not installed: npm run test:hosts.`);

  it.skipIf(program === undefined)('does a task, and git-mem behaves as the table says', async () => {
    const run = await doTask(client, program ?? []);
    const way = wayToSave(run.repository.root, client.host, {}) ?? 'command';
    const seen = seenIn(client, run, way);
    expectInOrder(client, run);
    expectDigest(run);
    expectHealthy(run);
    expectFieldsAsRecorded(client, run);
    expectExactUninstall(run);
    const title = `${findAgent(client.host)?.setup.title} ${pinnedVersion(client)}`;
    expect(header).toEqual(['client', ...Object.keys(seen)]);
    expect(rows.find(([name]) => name === title)).toEqual([title, ...Object.values(seen)]);
  });
});

const claude = findClient(claudeCode);
it.skipIf(claude === undefined)('has a plugin that passes every check of Claude Code’s directory', () => {
  const out = scratchFolder();
  writePlugin(out);
  const [program = '', ...args] = claude ?? [];
  for (const checked of [['--profile', 'directory', join(out, PLUGIN)], [out]]) {
    const command = [...args, 'plugin', 'validate', '--strict', ...checked];
    const { status, stdout, stderr } = spawnSync(program, command, { env: { ...process.env, HOME: scratchFolder() } });
    expect(status, `${stdout}${stderr}`).toBe(0);
  }
});

/** What happened is reported once each, in its order. */
function expectInOrder({ host }: RealClient, run: TaskRun): void {
  const parts = capturedParts(host, run);
  expect(parts).toEqual(ORDER.filter((part) => parts.includes(part)));
}

/** The session's digest names the file that it changed. */
function expectDigest({ repository }: TaskRun): void {
  repository.gitMem('drain', '--wait', '--all');
  const { files_modified } = JSON.parse(repository.gitMem('sessions', 'show', 'last', '--json'));
  expect(files_modified).toContain('src/token.mjs');
}

/** Doctor finds nothing wrong. */
function expectHealthy({ repository }: TaskRun): void {
  const { ok, checks } = JSON.parse(repository.gitMem('doctor', '--json'));
  expect(ok, JSON.stringify(checks)).toBe(true);
}

/** Where a client changed what it reports, the difference is shown, a line a field. */
function expectFieldsAsRecorded(client: RealClient, run: TaskRun): void {
  const calls = run.turns.flatMap((turn) => turn.calls);
  const path = join('test/fixtures/fields', `${client.name}-${pinnedVersion(client)}.json`);
  if (process.env.GIT_MEM_RECORD) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(fieldsOf(calls), null, 2)}\n`);
  }
  const recorded = readdirSync(dirname(path)).filter((name) => name.startsWith(`${client.name}-`));
  const [newest = ''] = recorded.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  expect(fieldsOf(calls)).toEqual(JSON.parse(readFileSync(join(dirname(path), newest), 'utf8')));
}

/** What is left of `init` is the memory. */
function expectExactUninstall({ repository, untouched }: TaskRun): void {
  repository.gitMem('uninstall', '--yes');
  repository.git('add', '--all');
  expect(repository.git('diff', '--cached', '--name-only', untouched, '--', ':!src', ':!.memory')).toBe('');
}
