import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decode } from '../../../src/memory/codec.ts';
import { gitMem } from '../../support/command-line.ts';
import { createRepository } from '../../support/repository.ts';
import { drop, edit, markOf, observationOf, put } from '../../support/written-records.ts';
import { MINE, NEW, OLD, SENTENCE, stateOf, stocked } from './stocked.ts';

describe('git mem promote', () => {
  it('copies a private record into the team store under its id, once', async () => {
    const repository = stocked();
    const { code, stdout } = await gitMem(repository, ['promote', 'p8w2', '--json']);
    const { id, path, promoted } = JSON.parse(stdout);
    expect({ code, id, promoted }).toEqual({ code: 0, id: MINE.id, promoted: [{ id, path, created: true }] });
    expect(decode(readFileSync(join(repository.root, path), 'utf8'), path)).toEqual(MINE);
    const again = await gitMem(repository, ['promote', 'p8w2', '7h2c']);
    expect(again.stdout).toContain(`${MINE.id}  ${path}\n${NEW.id}  .memory/`);
    expect(again.stderr).toBe(`${MINE.id} was there already.\n${NEW.id} was there already.\n`);
    expect(JSON.parse((await gitMem(repository, ['list', '--json'])).stdout).total).toBe(3);
  });

  it('removes secrets that earlier checks missed', async () => {
    const repository = stocked();
    const token = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('');
    put(repository, observationOf({ id: 'zzzzzzzzz1', title: 'Access', facts: [`It is ${token}`] }), 'private');
    const { path } = JSON.parse((await gitMem(repository, ['promote', 'zzzz', '--json'])).stdout);
    expect(readFileSync(join(repository.root, path), 'utf8')).toMatch(/It is \[redacted:/);
  });

  it('refuses prompts, redacted text and marks on records that the team lacks, and then writes nothing', async () => {
    const repository = stocked();
    const generated = { by: 'test', at: '2026-11-20T20:05:01Z' };
    put(repository, { id: 'yyyyyyyyy1', kind: 'prompt', text: 'Do it.', generated }, 'private');
    put(repository, observationOf({ id: 'xxxxxxxxx1', title: 'Said again', facts: [SENTENCE] }), 'private');
    const { id: mark } = JSON.parse((await gitMem(repository, ['pin', 'p8w2', '--json'])).stdout);
    await gitMem(repository, ['redact', 'k3v9', '--only']);
    const before = repository.git('status', '--porcelain', '-uall');
    for (const [args, says] of [
      [['p8w2', 'yyyy'], 'is a prompt'],
      [['p8w2', 'xxxx'], 'redacted by the mark'],
      [[mark], `git mem promote ${MINE.id} ${mark}`],
      [['zzzz'], '"zzzz"'],
    ] as const) {
      const { code, stderr } = await gitMem(repository, ['promote', ...args]);
      expect(code).toBe(1);
      expect(stderr).toContain(says);
    }
    expect(repository.git('status', '--porcelain', '-uall')).toBe(before);
    expect((await gitMem(repository, ['promote', mark, 'p8w2'])).code).toBe(0);
  });

  it('refuses a private record that is redacted itself', async () => {
    const repository = stocked();
    await gitMem(repository, ['redact', 'p8w2']);
    const { code, stderr } = await gitMem(repository, ['promote', 'p8w2']);
    expect(code).toBe(1);
    expect(stderr).toContain('is redacted');
  });
});

describe('git mem trust', () => {
  it('accepts records and marks by their ids, and shows them sanitised', async () => {
    const repository = createRepository();
    const path = drop(repository, { ...OLD, title: 'Red \u001b[31malert\u202e' });
    const mark = markOf({ id: 'mmmmmmmmm1', type: 'retire', targets: [NEW.id] });
    drop(repository, mark);
    put(repository, NEW);
    expect(await stateOf(repository, NEW.id)).toMatchObject({ retired: false });
    const { code, stdout, stderr } = await gitMem(repository, ['trust', 'k3v9']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${OLD.id}  discovery Red [31malert\n` });
    expect(stderr).toContain('1 record accepted on this clone.');
    expect(await stateOf(repository, OLD.id)).toMatchObject({ trust: 'own' });
    const { trusted } = JSON.parse((await gitMem(repository, ['trust', 'mmmm', 'k3v9', '--json'])).stdout);
    expect(trusted).toMatchObject([{ id: mark.id, kind: 'mark', was: 'unreviewed' }]);
    expect(path).toContain('.memory/');
    expect(await stateOf(repository, NEW.id)).toMatchObject({ retired: true });
  });

  it('accepts everything that a branch adds, and an edit only when it is trusted again', async () => {
    const repository = createRepository();
    const path = drop(repository, OLD);
    repository.write('.memory/observations/2026-11/20261120T200501Z-broken-aaaaaaaaa1.md', 'no record');
    const { code, stdout, stderr } = await gitMem(repository, ['trust', '--branch', '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ trusted: [{ id: OLD.id, title: OLD.title, path }], unreadable: 1 });
    expect((await gitMem(repository, ['trust', '--branch'])).stderr).toContain('Nothing is unreviewed');
    edit(repository, OLD, { ...OLD, narrative: 'Something else altogether.' });
    expect(await stateOf(repository, OLD.id)).toMatchObject({ trust: 'unreviewed' });
  });

  it('shows an edit of a reviewed record as one', async () => {
    const repository = createRepository();
    drop(repository, OLD);
    repository.commit('reviewed');
    expect((await gitMem(repository, ['trust', 'k3v9'])).stdout).toBe('');
    edit(repository, OLD, { ...OLD, narrative: 'Something else altogether.' });
    expect((await gitMem(repository, ['trust', 'k3v9'])).stdout).toContain('[edited');
    expect(await stateOf(repository, OLD.id)).toMatchObject({ trust: 'own' });
  });

  it('requires ids or --branch', async () => {
    const repository = stocked();
    expect((await gitMem(repository, ['trust'])).code).toBe(2);
    expect((await gitMem(repository, ['trust', 'k3v9', '--branch'])).code).toBe(2);
    expect((await gitMem(repository, ['trust', 'zzzz'])).code).toBe(1);
  });
});
