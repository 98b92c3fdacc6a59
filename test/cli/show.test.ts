import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storePath } from '../../src/memory/file-name.ts';
import { blobId, idOf } from '../../src/memory/id.ts';
import { gitMem } from '../support/command-line.ts';
import { PROGRAM } from '../support/program.ts';
import { createRepository } from '../support/repository.ts';
import { forAllTests } from '../support/set-up.ts';
import { observationOf, put } from '../support/written-records.ts';
import { bugfix, decision, filled, mark, SHARED, session } from './three-records.ts';

/** For tests that only read. */
const asked = forAllTests((atEnd) => filled(atEnd));

describe('git mem show', () => {
  it('shows a whole record by the start of its id', async () => {
    const { code, stdout, stderr } = await gitMem(asked(), ['show', 'k3v9']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`Sessions live in Postgres
Redis has no failover here

id:         k3v9x2qd7m (observation, decision)
created:    2026-11-20T20:05:01Z by test
branch:     feature/auth @ aaaaaaaaaa
state:      own, fresh, claimed
modified:   src/session.ts
read:       docs/adr.md
concepts:   storage

Redis was rejected.

Facts

- No failover.
- Postgres is there already.

.memory/${storePath(decision)} (${JSON.parse((await gitMem(asked(), ['show', 'k3v9', '--json'])).stdout).records[0].read_tokens} tokens)
`);
  });

  it('shows what happened to each cited file, and in which commit', async () => {
    const repository = createRepository();
    const [a, b, c, d] = ['a.ts', 'b.ts', 'c.ts', 'd.ts'].map((name) => `src/${name}`) as [
      string,
      string,
      string,
      string,
    ];
    for (const path of [a, b, c, d]) repository.write(path, `${path}\n`);
    repository.commit('start');
    const anchors = Object.fromEntries([a, b, c, d].map((path) => [path, blobId(`${path}\n`)]));
    put(repository, observationOf({ id: idOf('fates'), title: 'Cites four', anchors }));
    repository.write(b, 'edited\n');
    repository.git('mv', c, 'src/e.ts');
    repository.git('commit', '--quiet', '--all', '-m', 'Edit \u001b[31mb and move c');
    repository.write(d, 'edited\n');
    const hash = repository.git('rev-parse', 'HEAD').slice(0, 10);
    const today = repository.git('log', '-1', '--format=%cs').trim();
    const { stdout } = await gitMem(repository, ['show', idOf('fates')]);
    const last = `last ${hash} ${today} Edit b and move c (Test)`;
    expect(stdout).not.toContain('\u001b');
    expect(stdout.split('\n').filter((line) => line.startsWith(' '.repeat(12)))).toEqual(
      [
        `src/b.ts: touched; 1 commit since, ${last}`,
        `src/c.ts: moved to src/e.ts; 1 commit since, ${last}`,
        'src/d.ts: touched; not committed',
      ].map((line) => `${' '.repeat(12)}${line}`),
    );
    const { records } = JSON.parse((await gitMem(repository, ['show', idOf('fates'), '--json'])).stdout);
    expect(records[0].freshness_detail).toMatchObject([
      { file: a, freshness: 'fresh', commits_since: 0 },
      {
        file: b,
        freshness: 'touched',
        commits_since: 1,
        last: { commit: hash, author: 'Test', date: expect.any(String) },
      },
      { file: c, freshness: 'moved', moved_to: 'src/e.ts', commits_since: 1 },
      { file: d, freshness: 'touched', commits_since: 0 },
    ]);
    expect(records[0].freshness).toBe('touched');
  });

  it('prints the file byte for byte with --raw', () => {
    const repository = filled();
    const path = put(
      repository,
      observationOf({ id: idOf('raw'), title: 'Bytes: ünïcode 🙂', narrative: 'End  \nof line' }),
    );
    const raw = execFileSync(process.execPath, [PROGRAM, 'show', idOf('raw'), '--raw'], {
      cwd: repository.root,
      env: repository.env,
    });
    expect(raw.equals(readFileSync(join(repository.root, path)))).toBe(true);
  });

  it('shows the ids it finds, names the others, and exits 1', async () => {
    const { code, stdout, stderr } = await gitMem(asked(), ['show', 'k3v9', 'zzzz', 'p8w2']);
    expect(code).toBe(1);
    expect(stdout).toContain('Sessions live in Postgres');
    expect(stdout).toContain('JWT rejected');
    expect(stderr).toBe('No record has an id that starts with "zzzz": `git mem list --all` shows them.\n');
    const json = await gitMem(asked(), ['show', 'zzzz', 'k3v9', '--json']);
    expect(json.code).toBe(1);
    const { records, missing, ...rest } = JSON.parse(json.stdout);
    expect([records.map(({ id }: { id: string }) => id), missing, rest]).toEqual([[decision.id], ['zzzz'], {}]);
  });

  it('shows the records that filters select, newest first, or filters the given ids', async () => {
    const repository = filled();
    for (let i = 0; i < 11; i++) put(repository, observationOf({ id: idOf(`many ${i}`), concepts: ['many'] }));
    const show = async (...args: string[]) => {
      const { code, stdout } = await gitMem(repository, ['show', '--json', ...args]);
      const { records, missing } = JSON.parse(stdout);
      return { code, ids: records.map(({ id }: { id: string }) => id), missing };
    };
    expect((await show('--concept', 'many')).ids).toHaveLength(10);
    expect((await show('--concept', 'many', '--limit', '11')).ids).toHaveLength(11);
    expect(await show('k3v9', 'p8w2', '--type', 'bugfix')).toEqual({ code: 0, ids: [bugfix.id], missing: [] });
    put(repository, mark('retire', [bugfix.id]));
    // Who names a record wants it whatever became of it; filters pick what stands.
    expect((await show('p8w2')).ids).toEqual([bugfix.id]);
    expect((await show('--type', 'bugfix')).ids).toEqual([]);
    expect((await show('--type', 'bugfix', '--all')).ids).toEqual([bugfix.id]);
    expect((await gitMem(repository, ['show', '--type', 'security'])).stderr).toBe('No record matches.\n');
    const nothing = await gitMem(repository, ['show']);
    expect(nothing.code).not.toBe(0);
    expect(nothing.stderr).toMatch(/give ids, or a filter/);
  });

  it('does not guess which of several records is meant', async () => {
    const repository = filled();
    for (const id of ['abcd000000', 'abcd111111']) put(repository, observationOf({ id }));
    const { code, stdout, stderr } = await gitMem(repository, ['show', 'abcd']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/"abcd" names 2 records: abcd\d+, abcd\d+\.\nGive one more character\.\n$/);
    expect((await gitMem(repository, ['show', 'abcd0'])).code).toBe(0);
    // Fewer than four characters name nothing.
    expect((await gitMem(repository, ['show', 'k3v'])).code).toBe(1);
  });

  it('shows summaries, marks and prompts in their own form', async () => {
    const repository = filled();
    put(repository, mark('retire', [bugfix.id]));
    const prompt = {
      id: idOf('prompt'),
      kind: 'prompt',
      generated: { by: 'test', at: '2026-11-20T20:00:00Z' },
      text: 'please fix it',
    } as const;
    put(repository, prompt, 'private');
    expect((await gitMem(repository, ['show', session.id])).stdout).toContain('Completed\n\nMoved the sessions.');
    expect((await gitMem(repository, ['show', prompt.id])).stdout).toContain('please fix it');
    expect((await gitMem(repository, ['show', mark('retire', [bugfix.id]).id])).stdout).toContain(
      `targets:    ${bugfix.id}`,
    );
    for (const { id } of [prompt, mark('retire', [bugfix.id])]) {
      const { records } = JSON.parse((await gitMem(repository, ['show', id, '--json'])).stdout);
      expect(Object.keys(records[0])).toEqual(expect.arrayContaining(SHARED));
    }
  });
});
