import { describe, expect, it } from 'vitest';
import { gitMem } from '../support/command-line.ts';
import { createRepository } from '../support/repository.ts';
import { drop, observationOf, put, summaryOf } from '../support/written-records.ts';

const TITLE = 'Tokens of nodes whose clock runs ahead are rejected by verification';
const LONGER = `${TITLE} everywhere`;

function createTwice() {
  const repository = createRepository();
  put(repository, observationOf({ id: 'a1aaaaaaaa', title: TITLE }));
  put(
    repository,
    observationOf({ id: 'b2bbbbbbbb', title: LONGER, generated: { by: 'test', at: '2026-11-21T10:00:00Z' } }),
  );
  put(repository, observationOf({ id: 'c3cccccccc', title: 'The parser keeps comments between the rules of a sheet' }));
  put(repository, summaryOf({ id: 'd4dddddddd', title: LONGER }));
  return repository;
}

describe('git mem dedupe', () => {
  it('shows duplicates and changes nothing', async () => {
    const repository = createTwice();
    expect(await gitMem(repository, ['dedupe'])).toEqual({
      code: 0,
      stdout: `keep b2bb ${LONGER}\n 89% a1aa ${TITLE}\n`,
      stderr: '1 record could go: `git mem dedupe --apply` retires what is not marked "keep".\n',
    });
    const { stdout } = await gitMem(repository, ['list', '--json']);
    expect(JSON.parse(stdout).total).toBe(4);
  });

  it('retires all but the best, and then finds nothing more to do', async () => {
    const repository = createTwice();
    const { stdout } = await gitMem(repository, ['dedupe', '--apply', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      groups: [{ keep: { id: 'b2bbbbbbbb' }, duplicates: [{ id: 'a1aaaaaaaa', similarity: 0.889 }] }],
      marks: [{ path: expect.stringContaining('retire-a1aaaaaaaa') }],
    });
    expect(await gitMem(repository, ['dedupe', '--apply'])).toMatchObject({
      code: 0,
      stderr: 'No two records have the same content.\n',
    });
    expect((await gitMem(repository, ['show', 'a1aa'])).stdout).toContain('retired');
  });

  it('keeps what the agent wrote, however much longer the other one is', async () => {
    const repository = createRepository();
    put(repository, observationOf({ id: 'a1aaaaaaaa', title: TITLE, extractor: 'agent' }));
    put(repository, observationOf({ id: 'b2bbbbbbbb', title: LONGER, extractor: 'rules/1' }));
    expect((await gitMem(repository, ['dedupe'])).stdout).toBe(`keep a1aa ${TITLE}\n 89% b2bb ${LONGER}\n`);
  });

  it('finds what was extracted from a turn that the agent had saved itself', async () => {
    const repository = createRepository();
    const turn = { session: 's1', prompt_number: 3, files_modified: ['src/auth.ts'] };
    const retold = 'Allowed 30 s of skew, because tokens of nodes whose clock runs ahead were rejected';
    put(repository, observationOf({ id: 'a1aaaaaaaa', title: TITLE, extractor: 'agent', ...turn }));
    put(repository, observationOf({ id: 'b2bbbbbbbb', title: retold, extractor: 'rules/1', ...turn }));
    const elsewhere = [
      { id: 'c3cccccccc', ...turn, prompt_number: 4 },
      { id: 'd4dddddddd', ...turn, files_modified: ['src/page.ts'] },
      { id: 'e5eeeeeeee', ...turn, extractor: 'agent', title: 'Nodes of the test cluster have no clock source' },
    ];
    for (const one of elsewhere) put(repository, observationOf({ title: retold, extractor: 'rules/1', ...one }));
    const { groups } = JSON.parse((await gitMem(repository, ['dedupe', '--json'])).stdout);
    const ofTurn = groups.find(({ keep }: { keep: { id: string } }) => keep.id === 'a1aaaaaaaa');
    expect(ofTurn.duplicates.map(({ id }: { id: string }) => id)).toEqual(['b2bbbbbbbb']);
  });

  it('keeps pinned records and those of the team store', async () => {
    const repository = createTwice();
    put(repository, {
      id: 'e5eeeeeeee',
      kind: 'mark',
      type: 'pin',
      targets: ['a1aaaaaaaa'],
      reason: '',
      generated: { by: 'test', at: '2026-11-22T10:00:00Z' },
    });
    put(repository, observationOf({ id: 'f6ffffffff', title: `${LONGER} always` }), 'private');
    const { groups } = JSON.parse((await gitMem(repository, ['dedupe', '--json', '--threshold', '0.6'])).stdout);
    expect(groups).toHaveLength(1);
    expect(groups[0].keep.id).toBe('a1aaaaaaaa');
    expect(groups[0].duplicates.map(({ id }: { id: string }) => id).sort()).toEqual(['b2bbbbbbbb', 'f6ffffffff']);
  });

  it('never lets a private or untrusted record retire one of the team’s', async () => {
    const repository = createRepository();
    put(repository, observationOf({ id: 'a1aaaaaaaa', title: TITLE }));
    put(repository, observationOf({ id: 'b2bbbbbbbb', title: LONGER }), 'private');
    drop(repository, observationOf({ id: 'c3cccccccc', title: LONGER, narrative: 'And more.' }));
    const { groups } = JSON.parse((await gitMem(repository, ['dedupe', '--json'])).stdout);
    expect(groups).toMatchObject([{ keep: { id: 'a1aaaaaaaa' }, duplicates: [{ id: 'b2bbbbbbbb' }] }]);
  });

  it('refuses a threshold that would retire merely related records', async () => {
    expect(await gitMem(createRepository(), ['dedupe', '--threshold', '0.2'])).toMatchObject({ code: 2 });
  });
});
