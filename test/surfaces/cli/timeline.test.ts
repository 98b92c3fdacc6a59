import { describe, expect, it } from 'vitest';
import { remember } from '../../support/command.ts';
import { gitMem } from '../../support/command-line.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';

const IDS = ['a1aaaaaaaa', 'b2bbbbbbbb', 'c3cccccccc', 'd4dddddddd', 'e5eeeeeeee'];

function createWeek(): TestRepository {
  const repository = createRepository();
  const titles = ['Parser rewritten', 'Cache keyed by blob', 'Index reads twice', 'Queue drained', 'Worker restarted'];
  remember(
    repository,
    titles.map((title, i) => ({
      id: IDS[i] ?? '',
      title,
      type: i === 2 ? 'decision' : 'discovery',
      generated: { by: 'test', at: `2026-11-${16 + i}T10:00:00Z` },
    })),
  );
  return repository;
}

async function timeline(repository: TestRepository, ...args: string[]) {
  const { code, stdout } = await gitMem(repository, ['timeline', '--json', ...args]);
  const { anchor, items } = JSON.parse(stdout || '{"items":[]}');
  return { code, anchor, items: items.map(({ id }: { id: string }) => id[0]).join('') };
}

describe('git mem timeline', () => {
  it('prints the records around a record, oldest first, and marks it', async () => {
    expect(await gitMem(createWeek(), ['timeline', 'c3cc', '--before', '1', '--after', '1'])).toEqual({
      code: 0,
      stdout: `  b2bb 2026-11-17 10:00 discovery Cache keyed by blob
> c3cc 2026-11-18 10:00 decision  Index reads twice
  d4dd 2026-11-19 10:00 discovery Queue drained
`,
      stderr: '',
    });
  });

  it('is centred on an id, a date or the best hit of a query', async () => {
    const repository = createWeek();
    expect(await timeline(repository, 'c3cccccccc')).toEqual({ code: 0, anchor: 'c3cccccccc', items: 'abcde' });
    expect(await timeline(repository, '2026-11-18', '--before', '1', '--after', '1')).toEqual({
      code: 0,
      anchor: null,
      items: 'bc',
    });
    expect(await timeline(repository, 'which', 'queue', 'was', 'drained', '--before', '1')).toEqual({
      code: 0,
      anchor: 'd4dddddddd',
      items: 'cde',
    });
    // A record of that very instant comes after it.
    for (const [at, items] of [
      ['2026-11-18T10:00:00Z', 'abcd'],
      ['2030-01-01', 'de'],
      ['2000-01-01T00:00:00Z', 'ab'],
    ] as const) {
      expect(await timeline(repository, at, '--before', '2', '--after', '2'), at).toEqual({
        code: 0,
        anchor: null,
        items,
      });
    }
    // "cache" could be the start of an id.
    expect(await timeline(repository, 'cache', '--after', '0')).toEqual({ code: 0, anchor: 'b2bbbbbbbb', items: 'ab' });
  });

  it('ends where the records end, and leaves out superseded ones, but never its centre', async () => {
    const repository = createWeek();
    expect((await timeline(repository, 'a1aa', '--before', '3', '--after', '1')).items).toBe('ab');
    expect((await timeline(repository, 'e5ee', '--before', '0', '--after', '9')).items).toBe('e');
    const generated = { by: 'test', at: '2026-11-21T10:00:00Z' };
    remember(repository, [{ id: 'f6ffffffff', title: 'Workers pooled', supersedes: IDS.slice(3), generated }]);
    expect((await timeline(repository, 'c3cc', '--before', '0', '--after', '3')).items).toBe('cf');
    expect((await timeline(repository, 'd4dd', '--before', '1', '--after', '1')).items).toBe('cdf');
  });

  it('respects filters', async () => {
    const repository = createWeek();
    expect((await timeline(repository, 'c3cc', '--type', 'decision')).items).toBe('c');
  });

  it('says what it did not find', async () => {
    const repository = createWeek();
    expect(await gitMem(repository, ['timeline', 'zzzzzzzzz9'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No record has an id'),
    });
    expect(await gitMem(repository, ['timeline', 'kubernetes'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No record matches "kubernetes"'),
    });
    expect(await gitMem(createRepository(), ['timeline', 'today'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'Nothing found.\n',
    });
    expect((await gitMem(repository, ['timeline'])).code).toBe(2);
  });
});
