import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gitMem } from '../support/command-line.ts';
import { hookedSession } from '../support/hooked-session.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { runs } from '../support/trials.ts';
import { drop, observationOf, put } from '../support/written-records.ts';

const IDS = ['k3v9x2qd7m', 'p8w2m4ta1c', '7h2c9d4e1f', 'a1b2c3d4e5'] as const;
const MINE = '9h2c9d4e1f';

/** Every command that may write a record, by what it does. */
const COMMANDS: ((id: string, other: string, n: number) => { args: string[]; stdin?: string })[] = [
  (_, __, n) => ({ args: ['add', '--title', `Another limit holds for importer ${n}`, '--narrative', 'By hand.'] }),
  (id, other) => ({ args: ['supersede', id, '--by', other] }),
  (id) => ({ args: ['retire', id] }),
  (id) => ({ args: ['pin', id] }),
  (id) => ({ args: ['verify', id] }),
  (id) => ({ args: ['redact', id] }),
  (id) => ({ args: ['undo', id] }),
  () => ({ args: ['promote', MINE] }),
  () => ({ args: ['trust', '--branch'] }),
  () => ({ args: ['bootstrap', '--team'] }),
  () => ({ args: ['salvage'] }),
  () => ({ args: ['sync', '--rebuild'] }),
  () => ({ args: ['drain', '--wait', '--all'] }),
  () => ({ args: ['init', '--yes'] }),
  (_, __, n) => ({
    args: ['import', 'jsonl', '-', '--team'],
    stdin: `${JSON.stringify({ kind: 'observation', type: 'change', title: `Imported ${n}`, narrative: 'From elsewhere.' })}\n`,
  }),
];

/** Every file of both stores with its content and the time of its last change. */
function files({ root }: TestRepository): Map<string, string> {
  const found = new Map<string, string>();
  for (const store of ['.memory', '.git/git-mem/private']) {
    for (const name of readdirSync(join(root, store), { recursive: true, encoding: 'utf8' })) {
      const path = join(root, store, name);
      const stat = statSync(path);
      if (stat.isFile() && name.endsWith('.md') && name.includes('/')) {
        found.set(join(store, name), `${stat.mtimeMs}\n${readFileSync(path, 'utf8')}`);
      }
    }
  }
  return found;
}

async function stocked(): Promise<TestRepository> {
  const repository = createRepository();
  await gitMem(repository, ['init', '--yes']);
  IDS.slice(0, 2).forEach((id, i) => {
    put(
      repository,
      observationOf({ id, title: `Record ${i}`, narrative: 'The queue is bounded by the number of cores.' }),
    );
  });
  for (const id of IDS.slice(2)) drop(repository, observationOf({ id, title: `Stranger ${id}` }));
  put(repository, observationOf({ id: MINE, title: 'Mine' }), 'private');
  repository.commit('all');
  return repository;
}

describe('law: records are add-only', () => {
  it('no sequence of commands edits, moves or deletes an existing record', async () => {
    const id = fc.constantFrom(...IDS);
    const step = fc.record({ command: fc.nat({ max: COMMANDS.length - 1 }), id, other: id });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
        const repository = await stocked();
        let before = files(repository);
        expect(before.size).toBe(IDS.length + 1);
        for (const [n, { command, id: target, other }] of steps.entries()) {
          const { args, stdin } = COMMANDS[command]?.(target, other, n) ?? { args: [] };
          const { code } = await gitMem(repository, args, stdin === undefined ? {} : { stdin });
          // Some make no sense in this order and say so; a bug of ours they may not be.
          expect([0, 1], args.join(' ')).toContain(code);
          const after = files(repository);
          for (const [path, content] of before) expect(after.get(path), `${args.join(' ')}: ${path}`).toBe(content);
          before = after;
        }
      }),
      runs(12),
    );
  }, 120_000);

  it('nor does a session that is captured, drained and drained again', async () => {
    const repository = await stocked();
    const before = files(repository);
    const session = hookedSession(repository.root);
    session.work('one', 1);
    session.work('two', 2);
    session.end();
    await gitMem(repository, ['drain', '--wait', '--all']);
    const after = files(repository);
    expect(after.size).toBeGreaterThan(before.size);
    session.again();
    await gitMem(repository, ['drain', '--wait', '--all']);
    const again = files(repository);
    for (const [path, content] of [...before, ...after]) expect(again.get(path), path).toBe(content);
  });
});
