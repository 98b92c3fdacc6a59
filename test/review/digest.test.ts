import { describe, expect, it } from 'vitest';
import { blobId } from '../../src/memory/id.ts';
import type { Digest } from '../../src/review/digest.ts';
import { gitMem } from '../support/command-line.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { drop, markOf, observationOf } from '../support/written-records.ts';

const at = (day: number, hour = 8) => ({
  by: 'claude-code/2.1.0',
  at: `2026-11-${String(day).padStart(2, '0')}T0${hour}:00:00Z`,
});

const OLD = observationOf({ id: 'a1b2c3d4e5', type: 'decision', title: 'Sessions live in Redis', generated: at(1) });
const NEW = observationOf({
  id: 'k3v9x2qd7m',
  type: 'decision',
  title: 'Sessions live in Postgres',
  narrative: 'Redis had no failover. It lost sessions twice.',
  supersedes: [OLD.id],
  files_modified: ['src/auth/session.ts'],
  generated: at(10),
});
const FIX = observationOf({
  id: 'p8w2m4ta1c',
  type: 'bugfix',
  title: 'Uploads died at 25 MB because of the gateway',
  narrative: 'Its body limit is below that of the app.',
  generated: at(11),
});
const RETIRED = observationOf({ id: '7h2c9d4e1f', type: 'discovery', title: 'The queue is slow', generated: at(2) });
const RETIRING = markOf({
  id: 'm4x1q9d3ab',
  type: 'retire',
  targets: [RETIRED.id],
  reason: 'The queue is gone.',
  generated: at(12),
});
const REDACTED = observationOf({
  id: 'n5y2r8e4cd',
  type: 'discovery',
  title: 'Confidential finding',
  generated: at(11),
});
const REDACTING = markOf({ id: 'q6z3s9f5ed', type: 'redact', targets: [REDACTED.id], generated: at(12) });

/** A repository of a team whose records are reviewed; the commit of `files` is after `base`. */
function setUp(records = [OLD, NEW, FIX, RETIRED, RETIRING, REDACTED, REDACTING]): TestRepository {
  const repository = createRepository();
  const { git, env, write } = repository;
  git('config', 'user.name', 'Ada');
  const date = (day: string) => Object.assign(env, { GIT_AUTHOR_DATE: day, GIT_COMMITTER_DATE: day });
  date('2026-10-01T00:00:00Z');
  write('src/auth/session.ts', 'one\n');
  repository.commit('base');
  for (const record of records) drop(repository, record);
  date('2026-11-12T12:00:00Z');
  repository.commit('memory');
  env.GIT_MEM_TRUST_BRANCH = 'main';
  return repository;
}

async function digestOf(repository: TestRepository, ...args: string[]): Promise<Digest> {
  const { code, stdout, stderr } = await gitMem(repository, ['digest', '--json', ...args]);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

const linesOf = ({ groups }: Digest) =>
  groups.flatMap(({ name, sections }) =>
    sections.flatMap(({ key, entries }) => entries.map(({ title, text }) => [name, key, title, text].join('|'))),
  );

const NOVEMBER = ['--since', '2026-11-08', '--until', '2026-11-20'];

describe('git mem digest', () => {
  it('lists what was decided, fixed and taken back in these days, and nothing redacted', async () => {
    const found = await digestOf(setUp(), ...NOVEMBER);
    expect(linesOf(found)).toEqual([
      '|decisions|Sessions live in Postgres|Redis had no failover. It lost sessions twice.',
      '|fixes|Uploads died at 25 MB because of the gateway|Its body limit is below that of the app.',
      '|taken_back|The queue is slow|The queue is gone.',
      '|taken_back|Sessions live in Redis|Now: Sessions live in Postgres',
    ]);
    expect(found).toMatchObject({ records: 2, unreviewed: 0 });
  });

  it('keeps to its days', async () => {
    const repository = setUp();
    expect(linesOf(await digestOf(repository, '--since', '2026-11-11', '--until', '2026-11-11'))).toEqual([
      '|fixes|Uploads died at 25 MB because of the gateway|Its body limit is below that of the app.',
    ]);
    const { groups, records } = await digestOf(repository, '--since', '2026-12-24', '--until', '2026-12-26');
    expect([groups, records]).toEqual([[], 0]);
    const { stdout } = await gitMem(repository, ['digest', '--since', '2026-12-24', '--until', '2026-12-26']);
    expect(stdout).toContain('Nothing was recorded');
  });

  it('names the records whose code changed, and what disputes', async () => {
    const cited = { 'src/auth/session.ts': '5626abf0f72e58d7a153368ba57db4c673c0e171' };
    const stale = observationOf({
      ...FIX,
      id: 's1t2v3w4x5',
      title: 'The session file has one line',
      anchors: cited,
      files_modified: Object.keys(cited),
      generated: at(3),
    });
    const other = observationOf({ ...NEW, id: 'r1s2t3v4w5', title: 'Sessions live in memory' });
    const repository = setUp([OLD, NEW, other, stale]);
    repository.write('src/auth/session.ts', 'two\n');
    repository.commit('change');
    const lines = linesOf(await digestOf(repository, ...NOVEMBER));
    expect(lines).toContain('|stale|The session file has one line|');
    expect(lines.filter((line) => line.includes('|disputes|')).length).toBe(2);
  });

  it('names those of these days whose code changed since they were written, and no others', async () => {
    const file = 'src/auth/session.ts';
    const saying = (id: string, title: string, content: string) =>
      observationOf({ ...FIX, id, title, files_modified: [file], anchors: { [file]: blobId(content) } });
    const repository = setUp([
      saying('s1t2v3w4x5', 'It has one line', 'one\n'),
      saying('r1s2t3v4w5', 'It has two', 'two\n'),
    ]);
    repository.write(file, 'two\n');
    const stale = async () =>
      linesOf(await digestOf(repository, ...NOVEMBER)).filter((line) => line.includes('|stale|'));
    // What is not committed yet may still be taken back.
    expect(await stale()).toEqual([]);
    repository.commit('change');
    expect(await stale()).toEqual(['|stale|It has one line|']);
    repository.git('checkout', '--orphan', 'young');
    repository.commit('all of it');
    expect(await stale()).toEqual(['|stale|It has one line|']);
  });

  it('leaves out what nobody reviewed, and counts it', async () => {
    const repository = setUp([NEW]);
    repository.git('checkout', '--quiet', '-b', 'stranger');
    drop(repository, FIX);
    repository.commit('strange memory');
    const found = await digestOf(repository, ...NOVEMBER);
    expect(linesOf(found).join()).not.toContain('Uploads');
    expect(found.unreviewed).toBe(1);
  });

  it('groups by author and by area', async () => {
    const repository = setUp([NEW, FIX]);
    const byArea = await digestOf(repository, ...NOVEMBER, '--by', 'area');
    expect(byArea.groups.map(({ name }) => name)).toEqual(['elsewhere', 'src/auth']);
    const byAuthor = await digestOf(repository, ...NOVEMBER, '--by', 'author');
    expect(byAuthor.groups.map(({ name }) => name)).toEqual(['Ada']);
    const { stdout } = await gitMem(repository, ['digest', ...NOVEMBER, '--by', 'area']);
    expect(stdout).toMatch(
      /^# What was learned from 2026-11-08 to 2026-11-20\n[\s\S]*## src\/auth\n[\s\S]*### Decided\n/,
    );
  });

  it('only displays what records say, as Markdown and as a page', async () => {
    const title = 'Use <img src=x onerror=alert(1)> **bold** @ada #12 [a](http://evil.example) `code`';
    const repository = setUp([observationOf({ ...FIX, title, narrative: '</li><script>alert(1)</script>' })]);
    const { stdout } = await gitMem(repository, ['digest', ...NOVEMBER]);
    expect(stdout).not.toMatch(/<img|<script|(?<!\\)\*\*bold|@ada|#12|(?<!\\)\]\(http|:\/\/evil/);
    expect(stdout).toMatch(/(?<!\\)`code`/);
    const page = (await gitMem(repository, ['digest', ...NOVEMBER, '--format', 'html'])).stdout;
    expect(page).not.toMatch(/<img|<script|<\/li><script/);
    expect(page).toContain('&lt;img src=x');
    expect(page).toMatch(/^<!doctype html>[\s\S]*default-src 'none'[\s\S]*<\/html>\n$/);
  });
});
