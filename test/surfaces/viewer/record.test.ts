import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { frontAndBody } from '../../../src/memory/front-matter-lines.ts';
import { blobId } from '../../../src/memory/id.ts';
import type { FileChange, RecordPage } from '../../../src/surfaces/viewer/record-protocol.ts';
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
    ['ssh://git@bitbucket.org:22/acme/courier.git', 'https://bitbucket.org/acme/courier/src/HEAD/src/b.ts'],
    ['https://ada:hunter2@gitlab.acme.org:8443/courier', 'https://gitlab.acme.org:8443/courier/-/blob/HEAD/src/b.ts'],
    [
      'git@ssh.dev.azure.com:v3/acme/mail/courier',
      'https://dev.azure.com/acme/mail/_git/courier?path=/src/b.ts&version=GCHEAD',
    ],
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
    expect(page.around.map(({ id }) => id)).toEqual(['aaaaaaaaa2', 'aaaaaaaaa3']);
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

describe('the change of a cited file', () => {
  const of = (file: string, id = 'aaaaaaaaa2') => `record/${id}/change?file=${encodeURIComponent(file)}`;

  it('is a diff from the content at capture to the current content', async ({ repository }) => {
    const { ask } = await startViewer(repository);
    expect(await ask<FileChange>(of('src/a.ts'))).toEqual({ path: 'src/a.ts', diff: '', truncated: false });
    repository.write('src/a.ts', 'one\nthree\n');
    const diff = '--- src/a.ts\n+++ src/a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n';
    expect(await ask<FileChange>(of('src/a.ts'))).toEqual({ path: 'src/a.ts', diff, truncated: false });
    repository.write('src/a.ts', 'one\r\ntwo\r\n');
    expect((await ask<FileChange>(of('src/a.ts'))).diff).toBe('');
    repository.write('src/a.ts', 'one\u0000two\n');
    expect((await ask<FileChange>(of('src/a.ts'))).diff).toBeNull();
    repository.write('src/a.ts', 'a long line of a file that grew\n'.repeat(20_000));
    const long = await ask<FileChange>(of('src/a.ts'));
    expect([long.truncated, (long.diff?.length ?? 0) < 201_000, long.diff?.endsWith('\n')]).toEqual([true, true, true]);
    repository.git('rm', '--quiet', '--force', 'src/a.ts');
    expect((await ask<FileChange>(of('src/a.ts'))).diff).toContain('+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n');
    expect(repository.git('status', '--porcelain')).toBe('D  src/a.ts\n');
  });

  it('covers no file that the record does not cite', async () => {
    const { refused } = viewer();
    for (const file of [
      '',
      '.git/config',
      '../home/gitconfig',
      '/etc/passwd',
      'src',
      './src/a.ts',
      'src/../src/a.ts',
    ]) {
      expect(await refused(of(file))).toMatchObject({ status: 400, code: 'bad-input' });
    }
  });

  it('reads nothing outside the repository, in .git or behind a link, whatever a record cites', async () => {
    const repository = await committed();
    const { folder, root } = repository;
    writeFileSync(join(folder, 'outside.txt'), 'outside\n');
    mkdirSync(join(folder, 'elsewhere'));
    writeFileSync(join(folder, 'elsewhere', 'file.txt'), 'outside\n');
    symlinkSync(join(folder, 'outside.txt'), join(root, 'link.txt'));
    symlinkSync(join(folder, 'elsewhere'), join(root, 'linked'));
    const paths = [
      '../outside.txt',
      join(folder, 'outside.txt'),
      'link.txt',
      'linked/file.txt',
      '.git/config',
      'src/../../outside.txt',
      '.GIT/config',
    ];
    const anchor = blobId('one\ntwo\n');
    // Elsewhere the same content would be the same file.
    repository.write('src/a.ts', 'another\n');
    const anchors = Object.fromEntries([...paths, 'plain'].map((path) => [path, anchor]));
    put(
      repository,
      observationOf({
        id: 'bbbbbbbbb1',
        files_read: [...paths, 'plain', 'HEAD'],
        anchors: { ...anchors, HEAD: 'HEAD:src/a.ts' },
      }),
    );
    const { ask } = await startViewer(repository);
    for (const path of paths) {
      expect(await ask<FileChange>(of(path, 'bbbbbbbbb1'))).toEqual({ path, diff: null, truncated: false });
    }
    expect((await ask<FileChange>(of('plain', 'bbbbbbbbb1'))).diff).toContain('-one');
    expect((await ask<FileChange>(of('HEAD', 'bbbbbbbbb1'))).diff).toBeNull();
  });

  it('runs no program that the settings name', async ({ repository }) => {
    const { folder, root } = repository;
    repository.write('.gitattributes', '* diff=evil filter=evil\n');
    const evil = `sh -c 'touch ${join(folder, 'ran')}; cat'`;
    for (const key of [
      'diff.external',
      'diff.evil.command',
      'diff.evil.textconv',
      'core.fsmonitor',
      'filter.evil.clean',
      'core.pager',
    ]) {
      repository.git('config', '--global', key, evil);
    }
    repository.git('config', '--global', 'core.attributesFile', join(root, '.gitattributes'));
    const { ask } = await startViewer(repository);
    writeFileSync(join(root, 'src/a.ts'), 'one\nthree\n');
    expect((await ask<FileChange>(of('src/a.ts'))).diff).toContain('+three');
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  });
});
