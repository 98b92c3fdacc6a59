import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Action, FeedPage, NewRecord } from '../../../src/surfaces/viewer/protocol.ts';
import type { RecordPage } from '../../../src/surfaces/viewer/record-protocol.ts';
import { preparedRepository } from '../../support/prepared-repository.ts';
import type { TestRepository } from '../../support/repository.ts';
import { type AtEnd, forAllTests } from '../../support/set-up.ts';
import { startViewer } from '../../support/viewer-client.ts';
import { drop, observationOf, put } from '../../support/written-records.ts';

const IDS = ['aaaaaaaaa1', 'aaaaaaaaa2'];

const committed = (atEnd?: AtEnd): Promise<TestRepository> => preparedRepository('two-records', fill, atEnd);

function fill(repository: TestRepository): void {
  for (const id of IDS) put(repository, observationOf({ id, title: `Record ${id}`, narrative: `Said once by ${id}.` }));
  repository.commit('Memory');
}

// For what is refused: it leaves no trace.
const untouched = forAllTests(committed);
const viewer = forAllTests((atEnd) => startViewer(untouched(), atEnd));

/** The one file that is new in a repository. */
function newFile({ git, root }: TestRepository): { path: string; text: string } {
  const lines = git('status', '--porcelain', '--untracked-files=all').trimEnd().split('\n');
  expect(lines).toHaveLength(1);
  const path = (lines[0] ?? '').replace(/^\?\? /, '');
  return { path, text: readFileSync(join(root, path), 'utf8') };
}

/** A record's file without who wrote it, when, from which commit, and the hashes' salt of its clone. */
const saidIn = (text: string) =>
  text
    .replace(/^generated: .*$/m, '')
    .replace(/^commit: .*$/m, '')
    .replace(/^hash.*$/gm, '');

const ADDED: NewRecord = {
  type: 'decision',
  title: 'A page wrote this limit',
  subtitle: '',
  narrative: 'Because.',
  facts: ['One.'],
  concepts: ['ui'],
  files_modified: [],
  files_read: [],
  supersedes: ['aaaaaaaaa1'],
};

describe('an action', () => {
  it.each<[Action, string[]]>([
    [{ action: 'pin', ids: IDS, reason: 'Read first.' }, ['pin', ...IDS, '--reason', 'Read first.']],
    [{ action: 'verify', ids: ['aaaaaaaaa1'] }, ['verify', 'aaaaaaaaa1']],
    [{ action: 'retire', ids: ['AAAAaaaaa1'] }, ['retire', 'AAAAaaaaa1']],
    [{ action: 'redact', ids: ['aaaaaaaaa1'] }, ['redact', 'aaaaaaaaa1']],
    [
      { action: 'add', store: 'team', record: ADDED },
      [
        'add',
        '--type',
        'decision',
        '--title',
        'A page wrote this limit',
        '--narrative',
        'Because.',
        '--fact',
        'One.',
      ].concat(['--concept', 'ui', '--supersedes', 'aaaaaaaaa1']),
    ],
  ])('writes the one file that the command writes: %j', async (action, command) => {
    const [one, other] = [await committed(), await committed()];
    const { act } = await startViewer(one);
    const [acted] = await act(action);
    await other.call(...command);
    const [mine, theirs] = [newFile(one), newFile(other)];
    expect(acted).toEqual({ id: mine.path.slice(-13, -3), path: mine.path, created: true });
    expect(saidIn(mine.text)).toBe(saidIn(theirs.text));
    expect(mine.text).toMatch(/^generated: .*by: "?viewer"?/m);
    // The ids are over what is said, and not over who says it; a redaction's too.
    expect(mine.path.slice(-13)).toBe(theirs.path.slice(-13));
    expect(await act(action)).toMatchObject([{ id: acted?.id, created: false }]);
    newFile(one);
  });

  it('is visible in the page, and to the next request', async () => {
    const { act, ask } = await startViewer(await committed());
    await ask<FeedPage>('feed');
    await act({ action: 'pin', ids: ['aaaaaaaaa1'] });
    expect((await ask<RecordPage>('record/aaaaaaaaa1')).card.pinned).toBe(true);
    await act({ action: 'undo', ids: ['aaaaaaaaa1'] });
    expect((await ask<RecordPage>('record/aaaaaaaaa1')).card.pinned).toBe(false);
    await act({ action: 'retire', ids: ['aaaaaaaaa1'] });
    expect(await ask<FeedPage>('feed')).toMatchObject({ total: 1 });
  });

  it('accepts an untrusted record on this clone, and promotes a private one', async () => {
    const repository = await committed();
    drop(repository, observationOf({ id: 'fffffffff1', title: 'Strange' }));
    put(repository, observationOf({ id: 'ppppppppp1', title: 'Private' }), 'private');
    const { act, ask } = await startViewer(repository);
    expect(await act({ action: 'trust', ids: ['ffff'] })).toMatchObject([{ id: 'fffffffff1', created: true }]);
    expect(await act({ action: 'trust', ids: ['ffff'] })).toMatchObject([{ id: 'fffffffff1', created: false }]);
    expect((await ask<RecordPage>('record/ffff')).card.trust).toBe('own');
    const [promoted] = await act({ action: 'promote', ids: ['pppp'] });
    expect(promoted).toMatchObject({ id: 'ppppppppp1', created: true, path: expect.stringMatching(/^\.memory\//) });
    expect((await ask<RecordPage>('record/pppp')).card.store).toBe('team');
  });

  it('redacts secrets, as the command does', async () => {
    const repository = await committed();
    const { act, ask } = await startViewer(repository);
    const secret = ['ghp', 'x7Kp2mQ9vR4tY8wZ1aB3cD5eF6gH0jL2nM4p'].join('_');
    const [acted] = await act({
      action: 'add',
      store: 'private',
      record: { ...ADDED, narrative: `The key is ${secret}.` },
    });
    expect((await ask<RecordPage>(`record/${acted?.id}`)).raw).not.toContain(secret);
  });

  it.each<[unknown, number, string]>([
    [{}, 400, 'bad-input'],
    [{ action: 'erase', ids: IDS }, 400, 'bad-input'],
    [{ action: 'pin', ids: [] }, 400, 'bad-input'],
    [{ action: 'pin', ids: 'aaaaaaaaa1' }, 400, 'bad-input'],
    [{ action: 'pin', ids: ['zzzzz'] }, 404, 'no-such-record'],
    [{ action: 'pin', ids: ['aaaa'] }, 400, 'ambiguous-id'],
    [{ action: 'pin', ids: ['aaaaaaaaa1'], more: true }, 400, 'bad-input'],
    [{ action: 'undo', ids: ['aaaaaaaaa1'] }, 400, 'bad-input'],
    [{ action: 'add', store: 'team', record: { ...ADDED, title: ' ' } }, 400, 'bad-input'],
    [{ action: 'add', store: 'team', record: { ...ADDED, files_read: ['../x'] } }, 400, 'bad-input'],
    [{ action: 'add', store: 'team', record: { title: 'Half' } }, 400, 'bad-input'],
    [[], 400, 'bad-input'],
    [null, 400, 'bad-input'],
  ])('is refused without leaving a trace: %j', async (body, status, code) => {
    const answer = await viewer().post('act', body);
    expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([status, code]);
    expect(untouched().git('status', '--porcelain')).toBe('');
  });
});
