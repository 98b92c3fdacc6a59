import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
import { connectMcpHere } from '../../support/mcp-client.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { observationOf, promptOf, put, summaryOf } from '../../support/written-records.ts';

const it = test.extend('repository', () => setUp());

const PROXY = observationOf({
  id: 'k3v9x2qd7m',
  title: 'The proxy drops connections that idle for a minute',
  extractor: 'agent',
});
const SKEW = observationOf({
  id: 'p8w2m4ta1c',
  title: 'The clock of the proxy is thirty seconds late',
  extractor: 'anthropic/claude-haiku-4-5',
});
const STATE = summaryOf({ id: '7h2c9d4e1f', title: 'Half of the importer is done', extractor: 'agent' });
const HAND = observationOf({ id: 'm4x1q9d3ab', title: 'My own note about the gateway stays private' });
const PROMPT = promptOf({ id: 'n5y2r8e4cd', text: 'Why is the proxy slow?' });

/** A repository in which two records and a summary wait, beside a private note and a prompt. */
function setUp(): TestRepository {
  const repository = createRepository();
  for (const record of [PROXY, SKEW, STATE, HAND, PROMPT]) put(repository, record, 'private');
  return repository;
}

const waiting = async (repository: TestRepository): Promise<string[]> => {
  const { records } = JSON.parse((await gitMem(repository, ['inbox', '--json'])).stdout);
  return records.map(({ id }: { id: string }) => id).sort();
};
const inTeam = async (repository: TestRepository): Promise<string[]> => {
  const { records } = JSON.parse((await gitMem(repository, ['list', '--store', 'team', '--json'])).stdout);
  return records.map(({ title }: { title: string }) => title);
};

describe('git mem inbox', () => {
  it('lists what sessions wrote, and neither prompts nor what a person wrote', async ({ repository }) => {
    expect(await waiting(repository)).toEqual([STATE.id, PROXY.id, SKEW.id].sort());
    const { stdout } = await gitMem(repository, ['inbox']);
    expect(stdout).toContain(PROXY.title);
    expect(stdout).not.toContain(HAND.title);
    const { stderr } = await gitMem(createRepository(), ['inbox']);
    expect(stderr).toBe('The inbox is empty.\n');
  });

  it('is left by promote and retire', async ({ repository }) => {
    await gitMem(repository, ['promote', 'k3v9']);
    await gitMem(repository, ['retire', 'p8w2', '--reason', 'Not worth it.']);
    expect(await waiting(repository)).toEqual([STATE.id]);
    expect(await inTeam(repository)).toEqual([PROXY.title]);
    expect(repository.git('status', '--porcelain', '-uall')).not.toContain('marks');
  });

  it('asks on a terminal, one key a record', async ({ repository }) => {
    const editor = join(repository.folder, 'editor.sh');
    writeFileSync(editor, '#!/bin/sh\nsed -i "s/thirty/forty/" "$1"\n', { mode: 0o755 });
    const order = await waitingInOrder(repository);
    const keys = order.map((id) => (id === PROXY.id ? 'a' : id === SKEW.id ? 'e' : 'd'));
    // Any other key is not an answer.
    const { stdout, code } = await gitMem(repository, ['inbox'], {
      tty: true,
      stdin: `x${keys.join('')}`,
      env: { EDITOR: editor },
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining('The inbox is empty now.')]);
    expect((await inTeam(repository)).sort()).toEqual([PROXY.title, SKEW.title.replace('thirty', 'forty')].sort());
    const { records } = JSON.parse((await gitMem(repository, ['list', '--store', 'team', '--json'])).stdout);
    expect(records.map(({ author }: { author: string }) => author).sort()).toEqual(['agent', 'model']);
  });

  it('accepts no record whose front matter was lost in the editor', async ({ repository }) => {
    const editor = join(repository.folder, 'editor.sh');
    writeFileSync(editor, '#!/bin/sh\nsed -i 1,4d "$1"\n', { mode: 0o755 });
    const before = await waitingInOrder(repository);
    const stdin = before.map((id) => (id === STATE.id ? 's' : 'e')).join('');
    const { stderr } = await gitMem(repository, ['inbox'], { tty: true, stdin: `${stdin}q`, env: { EDITOR: editor } });
    expect(stderr).toContain('The record lost its front matter, so nothing was changed.');
    expect(await waitingInOrder(repository)).toEqual(before);
  });

  it('ends with q, and leaves what was skipped', async ({ repository }) => {
    const { stdout } = await gitMem(repository, ['inbox'], { tty: true, stdin: 'sq' });
    expect(stdout).toContain('3 records left.');
    expect(await inTeam(repository)).toEqual([]);
  });
});

describe('capture.destination: inbox', () => {
  it('lets what an agent saves wait, but not what a person adds, and says so at a session start', async () => {
    const repository = createRepository();
    await gitMem(repository, ['init', '--yes', '--json']);
    repository.env.GIT_MEM_CAPTURE_DESTINATION = 'inbox';
    const server = await connectMcpHere({ cwd: repository.root, env: repository.env });
    onTestFinished(() => server.close());
    const { data } = await server.call('save_observation', { title: 'The gateway cuts uploads at 25 megabytes' });
    await gitMem(repository, ['add', '--title', 'The queue must be drained before a deploy']);
    expect(await waiting(repository)).toEqual([data.id]);
    expect(await inTeam(repository)).toEqual(['The queue must be drained before a deploy']);
    const told = async () => JSON.parse((await gitMem(repository, ['context', '--json'])).stdout).text;
    expect(await told()).toContain('1 record waits for a person to accept: `git mem inbox`.');
    await gitMem(repository, ['promote', String(data.id)]);
    expect(await told()).not.toContain('git mem inbox');
  });

  it('holds from an unreviewed file too, because it only keeps more back', async () => {
    const repository = createRepository();
    repository.write('.memory/config.yaml', 'capture: {destination: inbox}\n');
    const { stdout } = await gitMem(repository, ['config', 'capture.destination']);
    expect(stdout).toMatch(/^inbox/);
  });
});

async function waitingInOrder(repository: TestRepository): Promise<string[]> {
  const { records } = JSON.parse((await gitMem(repository, ['inbox', '--json'])).stdout);
  return records.map(({ id }: { id: string }) => id);
}
