import { describe, expect, test } from 'vitest';
import { encode } from '../../../src/memory/codec.ts';
import { redactAll } from '../../../src/privacy/redact.ts';
import { createRedactor } from '../../../src/privacy/secrets.ts';
import { gitMem } from '../../support/command-line.ts';
import { createRepository } from '../../support/repository.ts';
import { drop } from '../../support/written-records.ts';
import { MINE, markAt, OLD, SENTENCE, stocked } from './stocked.ts';

const it = test.extend('repository', () => stocked());

describe('a redacted text', () => {
  it('is not in the mark, which stores only hashes with one salt for all', async ({ repository }) => {
    const marks = [];
    for (const id of ['k3v9', '7h2c']) {
      const { stdout, stderr } = await gitMem(repository, ['redact', id]);
      expect(stderr).toContain('git mem scrub');
      marks.push(markAt(repository, stdout.trim().split('  ')[1] ?? ''));
    }
    const [first, second] = marks;
    expect(first?.hashes?.length).toBeGreaterThan(1);
    expect(first?.hashed_with).toMatch(/^[0-9a-f]{32}$/);
    expect(second?.hashed_with).toBe(first?.hashed_with);
    expect(JSON.stringify(marks)).not.toMatch(/wintergreen|outage/i);
    for (const mark of marks) expect(await redactAll(encode(mark), createRedactor())).toBe(encode(mark));
  });

  it('has a mark in each store that holds its records', async ({ repository }) => {
    const { stdout } = await gitMem(repository, ['redact', 'k3v9', 'p8w2', '--json']);
    const [team, own] = JSON.parse(stdout).marks.map(({ path }: { path: string }) => markAt(repository, path));
    expect([team?.targets, own?.targets]).toEqual([[OLD.id], [OLD.id, MINE.id]]);
    // Hashes of private text have no place in a file that everybody gets.
    expect(team?.hashes?.filter((hash: string) => own?.hashes?.includes(hash))).toEqual([]);
  });

  it('is shown nowhere: not by id, raw, in a full list or in a search', async ({ repository }) => {
    await gitMem(repository, ['redact', 'k3v9']);
    for (const args of [
      ['show', 'k3v9'],
      ['show', 'k3v9', '--raw'],
      ['show', 'k3v9', '--json'],
      ['list', '--all'],
      ['search', 'customer outage', '--all'],
      ['timeline', 'k3v9', '--json'],
    ]) {
      const { stdout } = await gitMem(repository, args);
      expect(stdout, args.join(' ')).toContain('(redacted)');
      expect(stdout, args.join(' ')).not.toMatch(/Wintergreen|A customer was hit/);
    }
    await gitMem(repository, ['undo', 'k3v9']);
    expect((await gitMem(repository, ['show', 'k3v9'])).stdout).toContain('Wintergreen');
  });

  it('cannot be added by hand until the redaction is undone', async ({ repository }) => {
    await gitMem(repository, ['redact', 'k3v9']);
    const add = () =>
      gitMem(repository, [
        'add',
        '--title',
        'Gateway cuts large uploads',
        '--fact',
        SENTENCE.toUpperCase(),
        '--private',
      ]);
    const refused = await add();
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/redacted by the mark (\w{10})[\s\S]*git mem undo \1/);
    expect(refused.stderr).not.toMatch(/wintergreen/i);
    await gitMem(repository, ['undo', 'k3v9']);
    expect((await add()).code).toBe(0);
  });

  it('is skipped by an import, and reported as a problem', async ({ repository }) => {
    await gitMem(repository, ['redact', 'k3v9']);
    const stdin = [{ title: 'Harmless' }, { title: 'Not so', narrative: `Well. ${SENTENCE}` }].map((one) =>
      JSON.stringify(one),
    );
    const { code, stdout } = await gitMem(repository, ['import', 'jsonl', '-', '--json'], { stdin: stdin.join('\n') });
    const { imported, problems } = JSON.parse(stdout);
    expect({ code, imported }).toEqual({ code: 1, imported: 1 });
    expect(problems).toMatchObject([{ line: 2, code: 'redacted' }]);
    expect(stdout).not.toContain('Wintergreen');
  });

  it('is also kept out of a repository that imports the mark', async () => {
    const [one, other] = [stocked(), createRepository()];
    await gitMem(one, ['redact', 'k3v9']);
    const { stdout } = await gitMem(one, ['export', '--type', 'redact']);
    expect((await gitMem(other, ['import', 'jsonl', '-', '--team'], { stdin: stdout })).code).toBe(0);
    expect((await gitMem(other, ['add', '--title', SENTENCE])).code).toBe(1);
  });

  it('is allowed where only an unreviewed mark forbids it', async () => {
    const [one, other] = [stocked(), createRepository()];
    const { path } = JSON.parse((await gitMem(one, ['redact', 'k3v9', '--json'])).stdout);
    drop(other, markAt(one, path));
    expect((await gitMem(other, ['add', '--title', SENTENCE])).code).toBe(0);
    await gitMem(other, ['trust', '--branch']);
    expect((await gitMem(other, ['add', '--title', SENTENCE, '--fact', 'Again.'])).code).toBe(1);
  });
});
