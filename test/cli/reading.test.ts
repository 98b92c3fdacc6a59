import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storePath } from '../../src/memory/file-name.ts';
import { blobId, idOf } from '../../src/memory/id.ts';
import type { Mark, MarkType } from '../../src/memory/record.ts';
import { gitMem } from '../support/command-line.ts';
import { hookedSession } from '../support/hooked-session.ts';
import { PROGRAM } from '../support/program.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { drop, markOf, observationOf, put, summaryOf } from '../support/written-records.ts';

/** Keys that scripts rely on; more may be added. */
const SHARED = [
  ...[
    'id',
    'kind',
    'type',
    'title',
    'subtitle',
    'concepts',
    'files_read',
    'files_modified',
    'session',
    'prompt_number',
  ],
  ...[
    'branch',
    'commit',
    'created',
    'discovery_tokens',
    'read_tokens',
    'extractor',
    'path',
    'store',
    'trust',
    'freshness',
  ],
  ...['supersedes', 'superseded_by', 'pinned', 'retired', 'disputed'],
];
const SUMMARY = ['request', 'investigated', 'learned', 'completed', 'next_steps', 'notes'];

const decision = observationOf({
  id: 'k3v9x2qd7m',
  type: 'decision',
  title: 'Sessions live in Postgres',
  subtitle: 'Redis has no failover here',
  concepts: ['storage'],
  files_modified: ['src/session.ts'],
  files_read: ['docs/adr.md'],
  anchors: { 'src/session.ts': blobId('session\n') },
  session: '65939976-74e7-49bb-921b-c8315e7665e8',
  prompt_number: 3,
  branch: 'feature/auth',
  commit: 'a'.repeat(40),
  extractor: 'rules/1',
  discovery_tokens: 12_840,
  narrative: 'Redis was rejected.',
  facts: ['No failover.', 'Postgres is there already.'],
});
const bugfix = observationOf({
  id: 'p8w2m4ta1c',
  type: 'bugfix',
  title: 'JWT rejected',
  generated: { by: 'test', at: '2026-10-05T08:00:00Z' },
});
const session = summaryOf({
  id: '7h2c9d4e1f',
  title: 'Harden the login',
  files_edited: ['src/session.ts'],
  completed: 'Moved the sessions.',
});

/** For tests that only read. */
let asked: TestRepository;
const removals: (() => void)[] = [];
beforeAll(() => {
  asked = filled((remove) => removals.push(remove));
});
afterAll(() => {
  for (const remove of removals) remove();
});

describe('git mem list', () => {
  it('shows observations and summaries of both stores, newest first', async () => {
    expect(await gitMem(asked, ['list'])).toEqual({
      code: 0,
      stdout: `7h2c 2026-11-20 20:30 summary   Harden the login
k3v9 2026-11-20 20:05 decision  Sessions live in Postgres
p8w2 2026-10-05 08:00 bugfix    JWT rejected  [private]
`,
      stderr: '',
    });
  });

  it('gives every record the same keys as JSON', async () => {
    const { total, records } = JSON.parse((await gitMem(asked, ['list', '--json'])).stdout);
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
      extractor: 'rules/1',
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
    expect(records[2].path).toBe(join(asked.root, '.git/git-mem/private', storePath(bugfix)));
  });

  it.each<[args: string[], ids: string[]]>([
    [['--type', 'decision'], [decision.id]],
    [
      ['--type', 'decision,bugfix'],
      [decision.id, bugfix.id],
    ],
    [
      ['--type', 'decision', '--type', 'bugfix'],
      [decision.id, bugfix.id],
    ],
    [['--concept', 'storage'], [decision.id]],
    [
      ['--file', 'src/session.ts'],
      [session.id, decision.id],
    ],
    [
      ['--file', './src/'],
      [session.id, decision.id],
    ],
    [['--file', 'docs'], [decision.id]],
    [
      ['--file', 'src/**/*.ts'],
      [session.id, decision.id],
    ],
    [['--file', '*.md'], [decision.id]],
    [['--kind', 'summary'], [session.id]],
    [
      ['--kind', 'observations'],
      [decision.id, bugfix.id],
    ],
    [['--kind', 'prompt'], []],
    [['--kind', 'prompts'], []],
    [
      ['--since', '2026-11'],
      [session.id, decision.id],
    ],
    [['--until', '2026-10-05'], [bugfix.id]],
    [['--since', '2026-10-05', '--until', '2026-10-05'], [bugfix.id]],
    [['--until', 'october 2026'], [bugfix.id]],
    [['--since', '2026-11-20T20:06:00Z'], [session.id]],
    [['--branch', 'feature/auth'], [decision.id]],
    [['--session', '6593'], [decision.id]],
    [['--store', 'private'], [bugfix.id]],
    [['--trust', 'unreviewed'], []],
    [['--limit', '1'], [session.id]],
  ])('filters by %s', async (args, ids) => {
    const { stdout } = await gitMem(asked, ['list', '--json', ...args]);
    expect(JSON.parse(stdout).records.map((record: { id: string }) => record.id)).toEqual(ids);
  });

  it('leaves out superseded and retired records unless all are asked for, and labels them then', async () => {
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

describe('git mem show', () => {
  it('shows a whole record by the start of its id', async () => {
    const { code, stdout, stderr } = await gitMem(asked, ['show', 'k3v9']);
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

.memory/${storePath(decision)} (${JSON.parse((await gitMem(asked, ['show', 'k3v9', '--json'])).stdout).records[0].read_tokens} tokens)
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
    const { code, stdout, stderr } = await gitMem(asked, ['show', 'k3v9', 'zzzz', 'p8w2']);
    expect(code).toBe(1);
    expect(stdout).toContain('Sessions live in Postgres');
    expect(stdout).toContain('JWT rejected');
    expect(stderr).toBe('No record has an id that starts with "zzzz": `git mem list --all` shows them.\n');
    const json = await gitMem(asked, ['show', 'zzzz', 'k3v9', '--json']);
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

describe('git mem context', () => {
  it('prints what a session start injects, and with --receipt why', async () => {
    const repository = filled();
    drop(repository, observationOf({ id: idOf('stranger'), title: 'A stranger’s' }));
    const plain = await gitMem(repository, ['context']);
    expect(plain).toMatchObject({ code: 0, stderr: '' });
    expect(plain.stdout).toMatch(/^<git-mem-memory>\n.*\n<\/git-mem-memory>\n$/s);
    const { stdout } = await gitMem(repository, ['context', '--receipt']);
    expect(stdout.startsWith(plain.stdout)).toBe(true);
    expect(stdout.slice(plain.stdout.length)).toMatch(
      new RegExp(
        `^\\n\\d+ tokens\\.\\nin   ${session.id} .* last session\\nin   ${bugfix.id} .* by a person\\nin   ${decision.id} .* by the rules\\nout  ${idOf('stranger')}  unreviewed\\n$`,
      ),
    );
  });

  it('has these keys as JSON', async () => {
    const repository = filled();
    drop(repository, observationOf({ id: idOf('stranger') }));
    const briefing = JSON.parse((await gitMem(repository, ['context', '--json'])).stdout);
    expect(Object.keys(briefing)).toEqual(['text', 'tokens', 'records', 'dropped']);
    for (const record of briefing.records)
      expect(Object.keys(record)).toEqual(['id', 'reason', 'tokens', 'trust', 'freshness']);
    for (const record of briefing.dropped) expect(Object.keys(record)).toEqual(['id', 'reason']);
    expect(`${briefing.text}\n`).toBe((await gitMem(repository, ['context'])).stdout);
  });

  it('accepts another budget and another start source', async () => {
    expect(
      JSON.parse((await gitMem(asked, ['context', '--json', '--tokens', '160'])).stdout).tokens,
    ).toBeLessThanOrEqual(160);
    const compact = await gitMem(asked, ['context', '--source', 'compact', '--session', decision.session ?? '']);
    expect(compact.stdout).toContain('## This session');
  });

  it('says on stderr that nothing is remembered', async () => {
    const repository = createRepository();
    expect(await gitMem(repository, ['context'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Nothing is remembered yet, so nothing is injected.\n',
    });
    expect(JSON.parse((await gitMem(repository, ['context', '--json'])).stdout)).toEqual({
      text: '',
      tokens: 0,
      records: [],
      dropped: [],
    });
  });
});

describe('git mem status and drain', () => {
  it('count pending events and records', async () => {
    const repository = filled();
    drop(repository, observationOf({ id: idOf('stranger') }));
    hookedSession(repository.root).work('p1', 40);
    const status = JSON.parse((await gitMem(repository, ['status', '--json'])).stdout);
    expect(status).toMatchObject({
      pending_events: 5,
      failed_events: 0,
      records: { team: 3, private: 1 },
      unreviewed: 1,
      draining: false,
    });
    expect(status).toHaveProperty('cache');
    expect((await gitMem(repository, ['status'])).stdout).toMatch(
      /^Records {2}3 team, 1 private, 1 unreviewed\nEvents {3}5 waiting\n/,
    );

    const drained = JSON.parse((await gitMem(repository, ['drain', '--all', '--json'])).stdout);
    expect(drained).toEqual({
      events: 5,
      written: expect.arrayContaining([expect.any(String)]),
      pending: 0,
      failed: 0,
    });
    expect(JSON.parse((await gitMem(repository, ['status', '--json'])).stdout)).toMatchObject({
      pending_events: 0,
      // The observation and the session's summary; the prompt and the digest of its turns.
      records: { team: 5, private: 2 },
    });
  });

  it('are silent on stdout where nobody reads it', async () => {
    const repository = filled();
    hookedSession(repository.root).work('p1', 40);
    expect(await gitMem(repository, ['drain'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

/** Two observations and a summary, one of them in the private store. */
function filled(atEnd?: (remove: () => void) => void): TestRepository {
  const repository = createRepository('repository', atEnd);
  repository.write('src/session.ts', 'session\n');
  put(repository, decision);
  put(repository, session);
  put(repository, bugfix, 'private');
  return repository;
}

function mark(type: MarkType, targets: string[]): Mark {
  return markOf({ id: idOf(type, ...targets), type, targets });
}
