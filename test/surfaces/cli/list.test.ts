import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storePath } from '../../../src/memory/file-name.ts';
import { idOf } from '../../../src/memory/id.ts';
import { gitMem } from '../../support/command-line.ts';
import { forAllTests } from '../../support/set-up.ts';
import { observationOf, put } from '../../support/written-records.ts';
import { bugfix, decision, filled, mark, SHARED, SUMMARY, session } from './three-records.ts';

/** For tests that only read. */
const asked = forAllTests((atEnd) => filled(atEnd));

describe('git mem list', () => {
  it('shows observations and summaries of both stores, newest first', async () => {
    expect(await gitMem(asked(), ['list'])).toEqual({
      code: 0,
      stdout: `7h2c 2026-11-20 20:30 summary   Harden the login
k3v9 2026-11-20 20:05 decision  Sessions live in Postgres
p8w2 2026-10-05 08:00 bugfix    JWT rejected  [private]
`,
      stderr: '2 records are not committed.\n',
    });
  });

  it('shows records dated in the future last, also where it is filtered', async () => {
    const repository = filled();
    put(
      repository,
      observationOf({
        id: 'fzt0000000',
        title: 'From a wrong clock',
        generated: { by: 'x', at: '2099-01-01T00:00:00Z' },
      }),
    );
    for (const args of [['list'], ['list', '--type', 'decision,discovery']]) {
      const lines = (await gitMem(repository, args)).stdout.trim().split('\n');
      expect(lines.at(-1)).toContain('From a wrong clock');
      expect(lines.length).toBeGreaterThan(1);
    }
  });

  it('gives every record the same keys as JSON', async () => {
    const { total, records } = JSON.parse((await gitMem(asked(), ['list', '--json'])).stdout);
    expect(total).toBe(3);
    expect(records.map((record: { id: string }) => record.id)).toEqual([session.id, decision.id, bugfix.id]);
    for (const record of records) {
      const own = record.kind === 'summary' ? SUMMARY : ['narrative', 'facts'];
      expect(Object.keys(record)).toEqual(expect.arrayContaining([...SHARED, ...own]));
    }
    expect(records[1]).toMatchObject({
      id: 'k3v9x2qd7m',
      kind: 'observation',
      type: 'decision',
      title: 'Sessions live in Postgres',
      subtitle: 'Redis has no failover here',
      narrative: 'Redis was rejected.',
      facts: ['No failover.', 'Postgres is there already.'],
      concepts: ['storage'],
      files_read: ['docs/adr.md'],
      files_modified: ['src/session.ts'],
      session: '65939976-74e7-49bb-921b-c8315e7665e8',
      prompt_number: 3,
      branch: 'feature/auth',
      commit: 'a'.repeat(40),
      created: '2026-11-20T20:05:01Z',
      discovery_tokens: 12_840,
      read_tokens: expect.any(Number),
      extractor: 'anthropic/claude-haiku-4-5',
      path: `.memory/${storePath(decision)}`,
      store: 'team',
      trust: 'own',
      freshness: 'fresh',
      supersedes: [],
      superseded_by: [],
      pinned: false,
      retired: false,
      disputed: false,
    });
    expect(records[0]).toMatchObject({
      completed: 'Moved the sessions.',
      files_modified: ['src/session.ts'],
      concepts: [],
      subtitle: '',
    });
    expect(records[2]).toMatchObject({ store: 'private', session: null, extractor: null, discovery_tokens: null });
    expect(records[2].path).toBe(join(asked().root, '.git/git-mem/private', storePath(bugfix)));
  });

  it.each([
    ['--type decision', [decision]],
    ['--type decision,bugfix', [decision, bugfix]],
    ['--type decision --type bugfix', [decision, bugfix]],
    ['--concept storage', [decision]],
    ['--file src/session.ts', [session, decision]],
    ['--file ./src/', [session, decision]],
    ['--file docs', [decision]],
    ['--file src/**/*.ts', [session, decision]],
    ['--file *.md', [decision]],
    ['--kind summary', [session]],
    ['--kind observations', [decision, bugfix]],
    ['--kind prompt', []],
    ['--kind prompts', []],
    ['--since 2026-11', [session, decision]],
    ['--until 2026-10-05', [bugfix]],
    ['--since 2026-10-05 --until 2026-10-05', [bugfix]],
    ['--until october_2026', [bugfix]],
    ['--since 2026-11-20T20:06:00Z', [session]],
    ['--branch feature/auth', [decision]],
    ['--session 6593', [decision]],
    ['--store private', [bugfix]],
    ['--trust unreviewed', []],
    ['--limit 1', [session]],
  ])('filters by %s', async (options, records) => {
    const args = options.split(' ').map((word) => word.replace('_', ' '));
    const { stdout } = await gitMem(asked(), ['list', '--json', ...args]);
    const listed: { id: string }[] = JSON.parse(stdout).records;
    expect(listed.map(({ id }) => id)).toEqual(records.map(({ id }) => id));
  });

  it('leaves out superseded and retired records unless all are asked() for, and labels them then', async () => {
    const repository = filled();
    const next = observationOf({
      id: 'n0n0n0n0n0',
      title: 'Sessions live in SQLite',
      supersedes: [decision.id],
      generated: { by: 'test', at: '2026-11-21T00:00:00Z' },
    });
    put(repository, next);
    put(repository, mark('retire', [session.id]));
    put(repository, mark('pin', [next.id]));
    expect((await gitMem(repository, ['list'])).stdout).toBe(
      `n0n0 2026-11-21 00:00 discovery Sessions live in SQLite  [pinned]
p8w2 2026-10-05 08:00 bugfix    JWT rejected  [private]
`,
    );
    const { stdout } = await gitMem(repository, ['list', '--all']);
    expect(stdout).toContain('[retired]');
    expect(stdout).toContain('[superseded]');
    const all = JSON.parse((await gitMem(repository, ['list', '--all', '--json'])).stdout);
    expect(all.total).toBe(4);
    expect(all.records.find(({ id }: { id: string }) => id === decision.id).superseded_by).toEqual([next.id]);
  });

  it('says when there are more records, when none match, and when files do not parse', async () => {
    const repository = filled();
    repository.write(`.memory/observations/2026-11/20261120T200501Z-${idOf('x')}.md`, 'broken');
    const some = await gitMem(repository, ['list', '--limit', '2']);
    expect(some.stderr).toContain('1 more: --limit 3 shows them all.');
    expect(some.stderr).toContain('1 file does not parse: see `git mem doctor`.');
    const none = await gitMem(repository, ['list', '--type', 'security']);
    expect(none).toMatchObject({ code: 0, stdout: '' });
    expect(none.stderr).toContain('No record matches.');
  });
});
