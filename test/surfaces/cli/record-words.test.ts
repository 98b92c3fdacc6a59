import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FRESHNESS } from '../../../src/provenance/freshness.ts';
import { TRUST } from '../../../src/provenance/trust.ts';
import { RECORD_WORDS } from '../../../src/surfaces/cli/record-table.ts';
import { gitMem } from '../../support/command-line.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';

it('explains every word for freshness and trust in the help and, with the same sentence, in the docs', async () => {
  const rows = [...RECORD_WORDS.matchAll(/^ {2}(\w+) +(.+)$/gm)].map(([, word = '', meaning = '']) => ({
    word,
    meaning,
  }));
  expect(rows.map(({ word }) => word)).toEqual([...FRESHNESS, ...TRUST]);
  const docs = readFileSync(new URL('../../../docs/records.md', import.meta.url), 'utf8');
  const { stdout } = await gitMem(createRepository(), ['list', '--help']);
  for (const [i, { word, meaning }] of rows.entries()) {
    const group = i < FRESHNESS.length ? 'freshness' : 'trust';
    expect(docs).toContain(`| \`${word}\` | ${group} | ${meaning} |`);
    expect(stdout).toContain(meaning);
  }
});

/** A repository with a record whose name is gone from its file, one whose name stands there, and one of a deleted file. */
async function repositoryWithFates(): Promise<TestRepository> {
  const made = createRepository();
  for (const name of ['kept', 'edited', 'removed']) {
    made.write(`${name}.ts`, `export const ${name}Table = 1;\n`);
    await made.call('add', '--title', `The ${name}Table overflows at midnight`, '--file-modified', `${name}.ts`);
  }
  made.commit('first');
  made.write('edited.ts', 'export const rowTable = 2;\n');
  made.git('rm', '--quiet', 'removed.ts');
  return made;
}

it.each([
  ['fresh', ['The keptTable overflows at midnight']],
  ['touched', ['The editedTable overflows at midnight']],
  ['gone', ['The removedTable overflows at midnight']],
  ['moved', []],
])('filters by freshness: %s', async (freshness, titles) => {
  const made = await repositoryWithFates();
  const filter = ['--freshness', freshness, '--json'];
  const list = JSON.parse(await made.call('list', ...filter));
  expect(list.records.map(({ title }: { title: string }) => title)).toEqual(titles);
  expect(list.total).toBe(titles.length);
  const search = JSON.parse(await made.call('search', 'midnight', '--limit', '1', ...filter));
  expect(search.hits.map(({ title }: { title: string }) => title)).toEqual(titles);
});

it.each([
  [['--type', 'bugfx'], 'decision, bugfix'],
  [['--type', 'decision,bugfx'], 'decision, bugfix'],
  [['--freshness', 'stale'], 'fresh, touched, moved, gone, unknown'],
  [['--trust', 'mine'], 'reviewed, own, edited, unreviewed'],
])('refuses %j and lists the known values', async (filter, known) => {
  const made = await repositoryWithFates();
  for (const command of [['list'], ['search', 'midnight']]) {
    const { code, stderr, stdout } = await gitMem(made, [...command, ...filter]);
    expect(code, command[0]).not.toBe(0);
    expect(stderr).toContain(known);
    expect(stdout).toBe('');
  }
});

it('accepts a type that only a record uses', async () => {
  const made = createRepository();
  made.write('records.jsonl', JSON.stringify({ type: 'incident', title: 'The queue stood still' }));
  await made.call('import', 'jsonl', 'records.jsonl');
  const { records } = JSON.parse(await made.call('list', '--json'));
  const listed = JSON.parse(await made.call('list', '--type', records[0].type, '--json'));
  expect(listed.total).toBe(1);
});
