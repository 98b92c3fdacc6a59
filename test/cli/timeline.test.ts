import { describe, expect, it } from 'vitest';
import { remember, run } from '../support/command.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';

const IDS = ['a1aaaaaaaa', 'b2bbbbbbbb', 'c3cccccccc', 'd4dddddddd', 'e5eeeeeeee'];

function createWeek(): TestRepository {
  const repository = createRepository();
  const titles = ['Parser rewritten', 'Cache keyed by blob', 'Index reads twice', 'Queue drained', 'Worker restarted'];
  remember(
    repository,
    titles.map((title, i) => ({
      id: IDS[i] ?? '',
      title,
      generated: { by: 'test', at: `2026-11-${16 + i}T10:00:00Z` },
    })),
  );
  return repository;
}

function timeline(repository: TestRepository, ...args: string[]) {
  const { status, stdout } = run(repository, ['timeline', '--json', ...args]);
  const { anchor, items } = JSON.parse(stdout || '{"items":[]}');
  return { status, anchor, items: items.map(({ id }: { id: string }) => id[0]).join('') };
}

describe('git mem timeline', () => {
  it('prints what lies around a record, oldest first, and marks it', () => {
    expect(run(createWeek(), ['timeline', 'c3cc', '--before', '1', '--after', '1'])).toEqual({
      status: 0,
      stdout: `  b2bb 2026-11-17 10:00 discovery Cache keyed by blob
> c3cc 2026-11-18 10:00 discovery Index reads twice
  d4dd 2026-11-19 10:00 discovery Queue drained
`,
      stderr: '',
    });
  });

  it('is centred on an id, a date or the best answer to a question', () => {
    const repository = createWeek();
    expect(timeline(repository, 'c3cccccccc')).toEqual({ status: 0, anchor: 'c3cccccccc', items: 'abcde' });
    expect(timeline(repository, '2026-11-18', '--before', '1', '--after', '1')).toEqual({
      status: 0,
      anchor: null,
      items: 'bc',
    });
    expect(timeline(repository, 'which', 'queue', 'was', 'drained', '--before', '1')).toEqual({
      status: 0,
      anchor: 'd4dddddddd',
      items: 'cde',
    });
    // "cache" could be the start of an id.
    expect(timeline(repository, 'cache', '--after', '0')).toEqual({ status: 0, anchor: 'b2bbbbbbbb', items: 'ab' });
  });

  it('keeps to filters and limits', () => {
    const repository = createWeek();
    expect(timeline(repository, 'c3cc', '--limit', '3').items).toBe('bcd');
    expect(timeline(repository, 'c3cc', '--limit', '3', '--before', '0').items).toBe('cde');
    expect(timeline(repository, 'c3cc', '--since', '2026-11-18').items).toBe('cde');
  });

  it('says what it does not find', () => {
    const repository = createWeek();
    expect(run(repository, ['timeline', 'zzzzzzzzz9'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('No record has an id'),
    });
    expect(run(repository, ['timeline', 'kubernetes'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Nothing answers "kubernetes"'),
    });
    expect(run(createRepository(), ['timeline', 'today'])).toMatchObject({
      status: 0,
      stdout: '',
      stderr: 'Nothing found.\n',
    });
    expect(run(repository, ['timeline']).status).toBe(2);
  });
});
