import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Marking, writeMark } from '../../../src/capture/by-hand/mark.ts';
import { createCleaner } from '../../../src/capture/drain/clean.ts';
import { foldMarks } from '../../../src/memory/marks.ts';
import type { MemoryRecord } from '../../../src/memory/record.ts';
import { openWorkspace, type Workspace } from '../../../src/memory/store/workspace.ts';
import { generatedObservation } from '../../support/generated-records.ts';
import { createRepository } from '../../support/repository.ts';

const it = test.extend('workspace', () => createWorkspace());

const NOW = new Date('2026-11-20T12:00:00Z');
const [old, newer, secret] = [0, 1, 2].map(generatedObservation) as [MemoryRecord, MemoryRecord, MemoryRecord];

/** A checkout with two team records and a private one. */
function createWorkspace(): Workspace {
  const { root, env } = createRepository();
  const workspace = openWorkspace(root, env);
  for (const record of [old, newer]) workspace.stores.team.put(record);
  workspace.stores.private.put(secret);
  return workspace;
}

const mark = (workspace: Workspace, marking: Partial<Marking> & Pick<Marking, 'type'>, now = NOW) =>
  writeMark(
    workspace,
    { targets: [old.id], reason: '', ...marking },
    { maker: { by: 'cli' }, now, cleaner: createCleaner(['ACME-*']) },
  );

function stateOf(workspace: Workspace, id: string) {
  const records = Object.values(workspace.stores).flatMap((store) =>
    [...store.newest()].map((one) => store.read(one).record),
  );
  return foldMarks(records).of(id);
}

describe('writeMark', () => {
  it('records what supersedes a record, and why, with secrets removed', async ({ workspace }) => {
    const token = `gh${'p_'}${'a1B2'.repeat(9)}`;
    const reason = `Measured again with ${token} for ACME-4711.`;
    const { id, path, store, created } = await mark(workspace, { type: 'supersede', by: newer.id, reason });
    expect({ store, created }).toEqual({ store: 'team', created: true });
    expect(path).toMatch(new RegExp(`^marks/2026-11/20261120T120000Z-supersede-${old.id}-[0-9a-z]{4}-${id}[.]md$`));
    const text = readFileSync(join(workspace.layout.memory, path), 'utf8');
    expect(text).toContain('Measured again with ');
    expect(text).not.toContain(token);
    expect(text).not.toContain('4711');
    expect(stateOf(workspace, old.id)).toMatchObject({ superseded_by: [newer.id] });
  });

  it('writes to the store of the first target, unless another one is named', async ({ workspace }) => {
    expect((await mark(workspace, { type: 'pin', targets: [secret.id] })).store).toBe('private');
    expect((await mark(workspace, { type: 'pin', targets: [old.id, secret.id] })).store).toBe('team');
    expect((await mark(workspace, { type: 'verify', store: 'private' })).store).toBe('private');
  });

  it('writes the same mark once, however often it is given', async ({ workspace }) => {
    const first = await mark(workspace, { type: 'retire', reason: 'Gone.' });
    const again = await mark(workspace, { type: 'retire', reason: 'Gone.' }, new Date('2026-12-01T00:00:00Z'));
    expect(again).toEqual({ ...first, created: false });
    expect((await mark(workspace, { type: 'retire', reason: 'Other words.' })).created).toBe(true);
  });

  it('undoes the active marks on a record, so that a later one counts again', async ({ workspace }) => {
    const pin = () => mark(workspace, { type: 'pin' });
    const undo = () => mark(workspace, { type: 'undo' });
    const ids = new Set<string>();
    for (let round = 0; round < 3; round++) {
      ids.add((await pin()).id);
      expect(stateOf(workspace, old.id).pinned, `pinned in round ${round}`).toBe(true);
      ids.add((await undo()).id);
      expect(stateOf(workspace, old.id).pinned, `undone in round ${round}`).toBe(false);
    }
    expect(ids.size).toBe(6);
    await expect(undo()).rejects.toMatchObject({
      code: 'bad-input',
      message: expect.stringContaining('nothing to undo'),
    });
  });

  it('undoes one mark of several', async ({ workspace }) => {
    await mark(workspace, { type: 'pin' });
    const retired = await mark(workspace, { type: 'retire', targets: [newer.id, old.id] });
    await mark(workspace, { type: 'undo', targets: [retired.id] });
    expect(stateOf(workspace, old.id)).toMatchObject({ pinned: true, retired: false });
  });

  it.each<[string, Partial<Marking> & Pick<Marking, 'type'>, string]>([
    ['no target', { type: 'pin', targets: [] }, 'bad-input'],
    ['a replacement for what is not superseded', { type: 'retire', by: newer.id }, 'bad-input'],
    ['no replacement', { type: 'supersede' }, 'bad-input'],
    ['a record that replaces itself', { type: 'supersede', by: old.id }, 'bad-input'],
    ['an unknown record', { type: 'pin', targets: ['zzzzzzzzzz'] }, 'no-such-record'],
  ])('refuses %s', async (_, marking, code) => {
    const workspace = createWorkspace();
    await expect(mark(workspace, marking)).rejects.toMatchObject({ code });
    expect([...workspace.stores.team.newest('mark')]).toEqual([]);
  });
});
