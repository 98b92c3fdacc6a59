import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storePath } from '../../../src/memory/file-name.ts';
import { idOf } from '../../../src/memory/id.ts';
import { gitMem } from '../../support/command-line.ts';
import { PROGRAM } from '../../support/program.ts';
import { createRepository } from '../../support/repository.ts';
import { forAllTests } from '../../support/set-up.ts';
import { observationOf, put } from '../../support/written-records.ts';
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
state:      own, fresh
files:      src/session.ts
read:       docs/adr.md
concepts:   storage

Redis was rejected.

Facts

- No failover.
- Postgres is there already.

.memory/${storePath(decision)} (${JSON.parse((await gitMem(asked(), ['show', 'k3v9', '--json'])).stdout).records[0].read_tokens} tokens)
`);
  });

  it('shows what became of each cited file, and which names are gone', async () => {
    const repository = createRepository();
    const names = ['a', 'b', 'c', 'd'];
    for (const name of names) repository.write(`src/${name}.ts`, `export const ${name}Value = '${name} is here';\n`);
    const title = names.map((name) => `${name}Value`).join(', ');
    put(repository, observationOf({ id: idOf('fates'), title, files_modified: names.map((name) => `src/${name}.ts`) }));
    repository.commit('start');
    repository.write('src/b.ts', 'edited\n');
    repository.git('mv', 'src/c.ts', 'src/e.ts');
    repository.git('rm', '--quiet', 'src/d.ts');
    repository.commit('Edit b, move c, remove d');
    const { stdout } = await gitMem(repository, ['show', idOf('fates')]);
    expect(stdout.split('\n').filter((line) => line.startsWith(' '.repeat(12)))).toEqual(
      ['src/b.ts: touched, without `bValue`', 'src/c.ts: moved to src/e.ts', 'src/d.ts: gone'].map(
        (line) => `${' '.repeat(12)}${line}`,
      ),
    );
    const { records } = JSON.parse((await gitMem(repository, ['show', idOf('fates'), '--json'])).stdout);
    expect(records[0].freshness_detail).toEqual([
      { file: 'src/a.ts', freshness: 'fresh', missing: [] },
      { file: 'src/b.ts', freshness: 'touched', missing: ['bValue'] },
      { file: 'src/c.ts', freshness: 'moved', moved_to: 'src/e.ts', missing: [] },
      { file: 'src/d.ts', freshness: 'gone', missing: ['dValue'] },
    ]);
    expect(records[0]).toMatchObject({
      freshness: 'touched',
      missing_names: [
        { path: 'src/b.ts', name: 'bValue' },
        { path: 'src/d.ts', name: 'dValue' },
      ],
    });
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
    expect((await gitMem(filled(), ['show', 'k'])).stderr).toContain('"k" is too short: an id is named by four');
    const json = await gitMem(asked(), ['show', 'zzzz', 'k3v9', '--json']);
    expect(json.code).toBe(1);
    const { records, missing, ...rest } = JSON.parse(json.stdout);
    expect([records.map(({ id }: { id: string }) => id), missing, rest]).toEqual([[decision.id], ['zzzz'], {}]);
  });

  it('wants ids, and shows retired records too', async () => {
    const repository = filled();
    put(repository, mark('retire', [bugfix.id]));
    expect((await gitMem(repository, ['show', 'p8w2'])).stdout).toContain('JWT rejected');
    expect((await gitMem(repository, ['show'])).code).toBe(2);
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
