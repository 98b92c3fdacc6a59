import { execFileSync } from 'node:child_process';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import type { Briefing } from '../../../src/inject/briefing/briefing.ts';
import { type SessionBriefingOptions, sessionBriefing } from '../../../src/inject/briefing/session-briefing.ts';
import { encode } from '../../../src/memory/codec.ts';
import { blobId, idOf } from '../../../src/memory/id.ts';
import type { Mark, MarkType, Observation, Summary } from '../../../src/memory/record.ts';
import { type DigestTurn, encodeTurns } from '../../../src/memory/session-digest.ts';
import { openWorkspace } from '../../../src/memory/store/workspace.ts';
import { walkAdditions } from '../../../src/provenance/recorded-walk.ts';
import { noteRenames } from '../../../src/provenance/renamed-files.ts';
import { generatedObservation } from '../../support/generated-records.ts';
import { PROGRAM } from '../../support/program.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { it } from '../../support/with-repository.ts';
import { drop, markOf, put, summaryOf } from '../../support/written-records.ts';

const TURN: DigestTurn = { number: 1, prompt: '', answer: '', files: [], checks: [], commits: [], saved: [] };

describe('the candidates for a session start', () => {
  it('are the records of both stores, newest first, whatever else the store contains', async ({ repository }) => {
    put(repository, { ...plain(1), title: 'In the team store' });
    put(repository, { ...plain(2), title: 'In the private store' }, 'private');
    repository.write('.memory/observations/2026-01/notes.md', 'no record at all');
    repository.write(`.memory/observations/2026-01/20260101T000000Z-broken-${idOf('broken')}.md`, 'no front matter');
    const { text } = await briefing(repository);
    expect(text.indexOf('In the private store')).toBeLessThan(text.indexOf('In the team store'));
    expect(text.split('\n').filter((line) => / bugfix: In the /.test(line))).toHaveLength(2);
  });

  it('include a pinned record however old it is', async ({ repository }) => {
    for (let i = 0; i < 100; i++) put(repository, plain(i));
    put(repository, mark('pin', [plain(0).id]));
    const { records } = await briefing(repository);
    expect(records[0]).toMatchObject({ id: plain(0).id, reason: 'pinned' });
  });

  it('exclude what a trusted record or mark replaced or retired, with the reason', async ({ repository }) => {
    const [old, retired, undone] = [1, 2, 3].map(plain) as [Observation, Observation, Observation];
    const next = { ...plain(4), supersedes: [old.id] };
    const retirement = mark('retire', [undone.id]);
    const marks = [mark('retire', [retired.id]), retirement, mark('undo', [retirement.id])];
    for (const record of [old, retired, undone, next, ...marks]) put(repository, record);
    const { records, dropped } = await briefing(repository);
    expect(records.map(({ id }) => id)).toEqual([next.id, undone.id]);
    expect(dropped).toEqual([
      { id: retired.id, reason: 'retired' },
      { id: old.id, reason: `superseded by ${next.id}` },
    ]);
  });

  it('say what a record names and its files have no more, and leave out those whose files are gone', async () => {
    const repository = createRepository();
    for (const [i, name] of ['fresh', 'edited', 'moved', 'gone'].entries()) {
      const file = `${name}.ts`;
      repository.write(file, `export const ${name}Value = ${i};\n`.repeat(9));
      const record = { ...plain(i), title: `About ${name}Value`, files_modified: [file], files_read: [] };
      put(repository, { ...record, facts: [], narrative: '' });
    }
    repository.commit('start');
    repository.write('edited.ts', 'something else\n');
    repository.git('mv', 'moved.ts', 'elsewhere.ts');
    repository.git('rm', '--quiet', 'gone.ts');
    repository.commit('changes');
    const workspace = openWorkspace(repository.root, repository.env);
    await walkAdditions(workspace);
    await noteRenames(workspace, async () => ['moved.ts', 'gone.ts']);
    const { records, dropped, text } = await briefing(repository);
    expect(records.map(({ freshness }) => freshness).sort()).toEqual(['fresh', 'moved', 'touched']);
    expect(text).toMatch(/About editedValue.*\[`editedValue` is no longer in edited\.ts\]/);
    expect(text).not.toContain('file changed since');
    expect(dropped).toMatchObject([{ reason: 'every file it cites is gone' }]);
  });

  it('begin with records that cite files the branch or the working tree changes', async ({ repository }) => {
    for (let i = 10; i < 20; i++) put(repository, plain(i));
    const { committed, edited } = workOnBranch(repository);
    const { records } = await briefing(repository);
    expect(records.slice(0, 2).map(({ id, reason }) => [id, reason])).toEqual([
      [edited.id, 'cites edited.ts, which this branch changes'],
      [committed.id, 'cites committed.ts, which this branch changes'],
    ]);
  });

  it('include records from the whole store that cite files the branch changes', async ({ repository }) => {
    const about = (i: number) => ({ ...plain(i), files_modified: ['edited.ts'] });
    const [old, replaced, retired] = [about(5), about(6), about(3)];
    for (const record of [old, replaced, retired]) put(repository, record);
    put(repository, { ...plain(7), supersedes: [replaced.id] });
    put(repository, mark('retire', [retired.id]));

    for (let i = 10; i < 110; i++) put(repository, plain(i));
    workOnBranch(repository);
    drop(repository, { ...about(8), title: 'By a stranger' });
    const { records, dropped, text } = await briefing(repository);
    const reason = 'cites edited.ts, which this branch changes';
    expect(records).toContainEqual(expect.objectContaining({ id: old.id, reason }));
    expect(dropped).toContainEqual({ id: replaced.id, reason: `superseded by ${plain(7).id}` });
    expect(dropped).toContainEqual({ id: retired.id, reason: 'retired' });
    expect(text).not.toContain('By a stranger');
    const later = about(4);
    put(repository, later);
    expect((await briefing(repository)).records.map(({ id }) => id)).toContain(later.id);
    expect(await briefing(repository)).toEqual(await briefing(repository));
  });

  it('exclude digests of other branches, however many there are', async ({ repository }) => {
    const about = {
      request: '1. Asked',
      investigated: 'None.',
      learned: 'None.',
      completed: 'Done.',
      notes: 'None.',
    };
    const session = (n: number, type: Summary['type']): Summary => ({
      kind: 'summary',
      type,
      branch: type === 'summary' ? 'main' : 'elsewhere',
      id: idOf('session', type, String(n)),
      title: `${type} ${n}`,
      ...about,
      next_steps: 'None.',
      files_read: [],
      files_edited: ['a.ts'],
      supersedes: [],
      generated: { by: 'test', at: `2026-11-${10 + n}T00:00:00Z` },
    });
    put(repository, session(0, 'summary'));
    for (let i = 1; i < 20; i++) put(repository, session(i, 'digest'), 'private');
    const { records, dropped, text } = await briefing(repository);
    expect(records.map(({ id }) => id)).toEqual([session(0, 'summary').id]);
    expect(dropped).toEqual([]);
    expect(text).not.toContain('digest');
  });

  it('exclude a session that committed all it did: only what was left is told', async ({ repository }) => {
    const commit = 'c'.repeat(40);
    const digest = (title: string, turns: Partial<DigestTurn>[]): Summary => ({
      ...summaryOf({ id: idOf('session', title), title, type: 'digest', session: title, branch: 'main' }),
      ...(turns.some(({ commits }) => commits) && { commits: [commit] }),
      request: encodeTurns(turns.map((turn, i) => ({ ...TURN, number: i + 1, ...turn }))),
    });
    const done = { files: ['a.ts'], commits: [{ commit, subject: 'Done' }] };
    put(repository, digest('All of it', [{ files: ['b.ts'] }, done]), 'private');
    expect((await briefing(repository)).records).toEqual([]);
    const left = digest('Not all of it', [done, { files: ['b.ts'] }]);
    put(repository, left, 'private');
    expect((await briefing(repository)).records.map(({ id }) => id)).toEqual([left.id]);
  });

  it('name a record that is too large to read', async ({ repository }) => {
    const large = { ...plain(1), narrative: 'long '.repeat(20_000) };
    put(repository, large);
    put(repository, plain(2));
    const { records, dropped } = await briefing(repository);
    expect(records.map(({ id }) => id)).toEqual([plain(2).id]);
    expect(dropped).toEqual([{ id: large.id, reason: 'too large to be read at a start' }]);
  });

  it('reflect commits alone where git would have to read a very large index', async ({ repository }) => {
    workOnBranch(repository);
    const before = (await briefing(repository)).records.map(({ reason }) => reason);
    const blob = repository.git('hash-object', '-w', 'edited.ts').trim();
    const folder = 'a'.repeat(100);
    const entries = Array.from({ length: 200_000 }, (_, i) => `100644 ${blob}\t${folder}/${folder}/${i}\n`);
    execFileSync('git', ['update-index', '--index-info'], {
      cwd: repository.root,
      env: repository.env,
      input: entries.join(''),
    });
    const changed = (path: string) => `cites ${path}, which this branch changes`;
    expect(before).toEqual([changed('edited.ts'), changed('committed.ts')]);
    expect((await briefing(repository)).records.map(({ reason }) => reason)).toEqual([
      changed('committed.ts'),
      expect.not.stringContaining('cites'),
    ]);
  });
});

describe('law: untrusted records change nothing that is known', () => {
  it('through more and newer records on a branch than a session start reads, for a user who has only cloned', async () => {
    const repository = createRepository();
    const reviewed = plain(0);
    drop(repository, reviewed);
    repository.commit('reviewed');
    repository.git('checkout', '--quiet', '-b', 'stranger');
    for (let i = 1; i <= 150; i++) drop(repository, plain(i));
    repository.commit('strange');
    const { records, text } = await briefing(repository);
    expect(records).toMatchObject([{ id: reviewed.id, trust: 'reviewed' }]);
    expect(text).toContain('150 unreviewed records are left out');
  });

  it('nor are more than a few months of theirs looked into', async ({ repository }) => {
    const reviewed = plain(0);
    drop(repository, reviewed);
    repository.commit('reviewed');
    repository.git('checkout', '--quiet', '-b', 'stranger');
    for (let i = 1; i <= 100; i++) {
      const at = `${2000 + Math.floor(i / 12)}-${`${(i % 12) + 1}`.padStart(2, '0')}-05T10:00:00Z`;
      drop(repository, { ...plain(i), generated: { ...plain(i).generated, at } });
    }
    repository.commit('strange');
    const { records, text } = await briefing(repository);
    expect(records).toMatchObject([{ id: reviewed.id, trust: 'reviewed' }]);
    expect(text).toContain('11 or more unreviewed records are left out');
  });

  it('by editing a reviewed record', async ({ repository }) => {
    const path = drop(repository, plain(1));
    repository.commit('reviewed');
    writeFileSync(join(repository.root, path), encode({ ...plain(1), title: 'Something else now' }));
    const { text, records } = await briefing(repository);
    expect(text).not.toContain('Something else now');
    expect(text).toContain('1 record was edited since its review');
    expect(records).toMatchObject([{ id: plain(1).id, trust: 'reviewed' }]);
  });
});

it('law: the same tree gives the same bytes, in another process, checkout and clone', async ({ repository }) => {
  for (let i = 0; i < 30; i++) {
    drop(repository, { ...plain(i), anchors: { 'src/a.ts': blobId('a\n') } });
  }
  drop(repository, mark('retire', [plain(29).id]));
  repository.write('src/a.ts', 'a\n');
  repository.commit('reviewed');
  const first = repository.gitMem('context', '--json');
  expect(JSON.parse(first).records.length).toBe(8);
  expect(repository.gitMem('context', '--json')).toBe(first);
  expect(`${JSON.stringify(await briefing(repository), null, 2)}\n`).toBe(first);

  const later = new Date(Date.now() + 1e9);
  utimesSync(join(repository.root, 'src/a.ts'), later, later);
  repository.git('checkout', '--quiet', '-b', 'elsewhere');
  expect(repository.gitMem('context', '--json')).toBe(first);

  const clone = join(repository.folder, 'clone');
  repository.git('clone', '--quiet', '--branch', 'main', repository.root, clone);
  const cloned = execFileSync(process.execPath, [PROGRAM, 'context', '--json'], {
    cwd: clone,
    env: repository.env,
    encoding: 'utf8',
  });
  expect(cloned).toBe(first);
});

/** Without anchors: whether it is fresh nobody knows. Each of a session of its own, of which a briefing shows two lines. */
function plain(i: number): Observation {
  return { ...generatedObservation(i), session: `session of ${i}`, anchors: {} };
}

function briefing({ root, env }: TestRepository, options: SessionBriefingOptions = {}): Promise<Briefing> {
  const workspace = openWorkspace(root, env);
  return sessionBriefing(workspace, loadConfig(workspace.layout.memory, env).config, options);
}

/** A branch with a file that it changes and one that is edited and not committed, and a record about each. */
function workOnBranch(repository: TestRepository): { committed: Observation; edited: Observation } {
  const about = (i: number, path: string) => ({ ...plain(i), files_modified: [path], anchors: {} });
  const [committed, edited] = [about(1, 'committed.ts'), about(2, 'edited.ts')];
  for (const record of [committed, edited]) put(repository, record);
  repository.write('committed.ts', '1\n');
  repository.write('edited.ts', '1\n');
  repository.commit('start');
  repository.git('checkout', '--quiet', '-b', 'feature');
  repository.write('committed.ts', '2\n');
  repository.commit('work');
  repository.write('edited.ts', '2\n');
  return { committed, edited };
}

function mark(type: MarkType, targets: string[]): Mark {
  return markOf({ id: idOf('mark', type, ...targets), type, targets });
}
