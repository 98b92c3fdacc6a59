import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { frontAndBody } from '../../../src/memory/front-matter-lines.ts';
import { blobId } from '../../../src/memory/id.ts';
import type { RecordPage } from '../../../src/surfaces/viewer/record-protocol.ts';
import { preparedRepository } from '../../support/prepared-repository.ts';
import type { TestRepository } from '../../support/repository.ts';
import { type AtEnd, forAllTests } from '../../support/set-up.ts';
import { startViewer } from '../../support/viewer-client.ts';
import { drop, observationOf, put } from '../../support/written-records.ts';

const it = test.extend('repository', () => committed());

const at = (day: number) => ({ by: 'test', at: `2026-11-${String(day).padStart(2, '0')}T12:00:00Z` });
const SESSION = { session: 'one', prompt_number: 1 };

const anchored = (files: Record<string, string>) => ({
  files_modified: Object.keys(files),
  anchors: Object.fromEntries(Object.entries(files).map(([path, text]) => [path, blobId(text)])),
});

const committed = (atEnd?: AtEnd): Promise<TestRepository> => preparedRepository('record-pages', fill, atEnd);

function fill(repository: TestRepository): void {
  repository.write('src/a.ts', 'one\ntwo\n');
  repository.write('src/b.ts', 'same\n');
  put(repository, observationOf({ id: 'aaaaaaaaa1', title: 'The old way', generated: at(1) }));
  put(
    repository,
    observationOf({
      id: 'aaaaaaaaa2',
      title: 'The new way of `two`',
      generated: at(2),
      narrative: 'Told shortly.',
      facts: ['One fact.'],
      ...SESSION,
      ...anchored({ 'src/a.ts': 'one\ntwo\n', 'src/b.ts': 'same\n' }),
      supersedes: ['aaaaaaaaa1'],
    }),
  );
  put(
    repository,
    observationOf({ id: 'aaaaaaaaa3', title: 'Later', generated: at(3), ...SESSION, narrative: 'See aaaaaaaaa2.' }),
  );
  put(repository, { kind: 'prompt', id: 'pppppppppp', generated: at(2), ...SESSION, text: 'Do it anew.' }, 'private');
  repository.commit('Work anew (#123)');
}

// For the tests that only ask.
const asked = forAllTests(committed);
const viewer = forAllTests((atEnd) => startViewer(asked(), atEnd));

describe('the page of a record', () => {
  it('reads a subtitle as the store does, even when a person folded it over several lines', async ({ repository }) => {
    const folded = 'subtitle: >-\n  iat lay in the future;\n  now 30 s are allowed';
    const [record] = JSON.parse(await repository.call('show', 'aaaaaaaaa1', '--json')).records;
    const { path } = record;
    const text = readFileSync(join(repository.root, path), 'utf8').replace(/^(title: .*)$/m, `$1\n${folded}`);
    writeFileSync(join(repository.root, path), text.replaceAll('\n', '\r\n'));
    repository.commit('Say what is so now');
    const { ask } = await startViewer(repository);
    const page = await ask<RecordPage>('record/aaaaaaaaa1');
    expect(page.subtitle).toBe('iat lay in the future; now 30 s are allowed');
    expect(frontAndBody(page.raw).front).toContain('kind: observation');
  });

  it.each([
    ['ssh://git@github.com:22/acme/courier.git', 'https://github.com/acme/courier/blob/HEAD/src/b.ts'],
    ['https://ada:hunter2@gitlab.com/acme/courier', 'https://gitlab.com/acme/courier/-/blob/HEAD/src/b.ts'],
  ])('links to a file at %s', async (remote, address) => {
    const repository = await committed();
    repository.git('remote', 'add', 'origin', remote);
    const { ask } = await startViewer(repository);
    const page = await ask<RecordPage>('record/aaaaaaaaa2');
    const head = repository.git('rev-parse', 'HEAD').trim();
    expect(page.files.find(({ path }) => path === 'src/b.ts')?.url).toBe(address.replace('HEAD', head));
    expect(JSON.stringify(page)).not.toContain('hunter2');
  });

  it('returns everything, for any unique prefix of its id', async ({ repository }) => {
    await repository.call('pin', 'aaaaaaaaa2', '--reason', 'Read first.');
    await repository.call('undo', 'aaaaaaaaa2');
    await repository.call('verify', 'aaaaaaaaa2');
    repository.write('src/a.ts', 'one\nthree\n');
    repository.git('commit', '--quiet', '-am', 'Change a');
    const { ask } = await startViewer(repository);
    const page = await ask<RecordPage>('record/AAAAAAAAA2');
    expect(page.card).toMatchObject({
      id: 'aaaaaaaaa2',
      trust: 'reviewed',
      freshness: 'touched',
      // Its file changed since.
      verified: false,
      pinned: false,
    });
    expect(page.raw).toBe(await repository.call('show', 'aaaaaaaaa2', '--raw'));
    expect([page.markdown.trim().split('\n')[0], page.facts]).toEqual(['Told shortly.', ['One fact.']]);
    expect(page.path).toMatch(/^\.memory\/observations\/2026-11\/.*-aaaaaaaaa2\.md$/);
    expect(page.files).toEqual([
      {
        path: 'src/a.ts',
        change: 'modified',
        freshness: 'touched',
        now_at: null,
        missing: ['two'],
      },
      { path: 'src/b.ts', change: 'modified', freshness: 'fresh', now_at: null, missing: [] },
    ]);
    expect(page.provenance).toMatchObject({
      by: 'test',
      extractor: null,
      prompt: 'Do it anew.',
      prompt_number: 1,
      trust_reason: 'The same file is on main.',
      recorded: { subject: 'Work anew (#123)', author: 'Test', with_change: true },
      history_ends: false,
      reverted_by: null,
      discovery_tokens: null,
      read_tokens: expect.any(Number),
    });
    expect(page.chain).toEqual([
      { id: 'aaaaaaaaa1', title: 'The old way', state: 'superseded' },
      { id: 'aaaaaaaaa2', title: 'The new way of `two`', state: 'active' },
    ]);
    expect(page.marks.map(({ type, reason, active }) => [type, reason, active]).sort()).toEqual([
      ['pin', 'Read first.', false],
      ['verify', '', true],
    ]);
    expect(page.cited_by.map(({ id }) => id)).toEqual(['aaaaaaaaa3']);
    expect(page.session.map(({ id }) => id)).toEqual(['aaaaaaaaa3']);
  });

  it('agrees with `git mem why`', async () => {
    const { ask } = viewer();
    for (const id of ['aaaaaaaaa1', 'aaaaaaaaa2', 'aaaaaaaaa3']) {
      const page = await ask<RecordPage>(`record/${id}`);
      const story = JSON.parse(await asked().call('why', id, '--json'));
      const named = (records: { id: string }[]) => records.map((one) => one.id).sort();
      expect(page.provenance.trust_reason).toBe(story.trust_reason);
      expect(page.provenance.recorded?.commit).toBe(story.recorded.commit);
      expect(page.provenance.prompt).toBe(story.prompt);
      expect(named(page.cited_by)).toEqual(named(story.cited_by));
      expect(named(page.session)).toEqual(named(story.session?.records ?? []));
      const chain = named([...story.supersedes, ...story.superseded_by, { id }]);
      expect(named(page.chain)).toEqual(chain);
    }
  });

  it('shows of a redacted record only that it exists', async ({ repository }) => {
    await repository.call('redact', 'aaaaaaaaa2', '--reason', 'A name.');
    const { raw, cookie, ask } = await startViewer(repository);
    const { text } = await raw('/api/record/aaaaaaaaa2', { headers: { cookie } });
    for (const word of ['The new way', 'Told shortly', 'One fact', 'src/a.ts', 'Do it anew'])
      expect(text).not.toContain(word);
    expect(JSON.parse(text)).toMatchObject({ raw: '', markdown: '', facts: [], files: [], card: { redacted: true } });
    const old = await ask<RecordPage>('record/aaaaaaaaa1');
    expect(old.chain[1]).toMatchObject({ id: 'aaaaaaaaa2', title: '(redacted)', state: 'retired' });
  });

  it('ignores untrusted marks on it', async ({ repository }) => {
    drop(repository, {
      kind: 'mark',
      id: 'fffffffff2',
      generated: at(9),
      type: 'retire',
      targets: ['aaaaaaaaa2'],
      reason: 'No.',
    });
    drop(repository, observationOf({ id: 'fffffffff3', title: 'Mine', generated: at(9), supersedes: ['aaaaaaaaa2'] }));
    const { ask } = await startViewer(repository);
    const { card, marks, chain, cited_by } = await ask<RecordPage>('record/aaaaaaaaa2');
    expect(card).toMatchObject({ retired: false, superseded_by: [] });
    expect(marks).toMatchObject([{ id: 'fffffffff2', active: false, trust: 'unreviewed' }]);
    expect(chain.map(({ id }) => id)).toEqual(['aaaaaaaaa1', 'aaaaaaaaa2']);
    expect(cited_by.find(({ id }) => id === 'fffffffff3')).toMatchObject({ trust: 'unreviewed' });
  });

  it('says that there is no such record, or more than one', async () => {
    const { refused } = viewer();
    expect(await refused('record/zzzzz')).toMatchObject({ status: 404, code: 'no-such-record' });
    expect(await refused('record/aaaa')).toMatchObject({ status: 400, code: 'ambiguous-id' });
    expect(await refused('record')).toMatchObject({ status: 404 });
  });
});
