import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { markOf, observationOf, promptOf, put, summaryOf } from '../../support/written-records.ts';

const it = test.extend('repository', () => stocked());

const SENTENCE = 'The customer behind the outage is Wintergreen Limited.';
const SECRET = /wintergreen/i;
const NAMED = observationOf({ id: 'k3v9x2qd7m', title: 'The night outage had one cause', narrative: SENTENCE });
const SUMMARY = summaryOf({ id: 'p8w2m4ta1c', learned: `- The queue is bounded.\n- ${SENTENCE}`, session: 'one' });
const SIBLING = observationOf({ id: '7h2c9d4e1f', title: 'the customer behind the OUTAGE is Wintergreen Limited' });
const DIGEST = summaryOf({
  id: 'd1g2s3t4v5',
  type: 'digest',
  session: 'one',
  request: `- 1. what was it — ${SENTENCE} (src/a.ts)`,
});
const PROMPT = promptOf({ id: 'pr0mpt1234', text: `why? ${SENTENCE.replace('The', 'the')} is that so` });
const OTHER = observationOf({ id: '0therrec0r', title: 'The queue is bounded by ten rows' });

describe('git mem redact', () => {
  it('hides every record of both stores that contains its sentences, and lists them', async ({ repository }) => {
    const ran = await gitMem(repository, ['redact', 'k3v9', '--json']);
    expect(ran.code).toBe(0);
    const { marks, also, left } = JSON.parse(ran.stdout);
    expect(marks.map(({ path }: { path: string }) => path.startsWith('.memory/'))).toEqual([true, false]);
    const ids = (list: { id: string }[]) => list.map(({ id }) => id).sort();
    expect(ids(also)).toEqual([SUMMARY.id, SIBLING.id, DIGEST.id, PROMPT.id].sort());
    expect(left).toEqual([]);
    expect(ran.stderr).toContain(`${SUMMARY.id}  summary, team store`);
    expect(ran.stdout + ran.stderr).not.toMatch(SECRET);

    for (const args of [
      ...[['context'], ['context', '--json'], ['context', '--receipt'], ['search', 'customer behind the outage']],
      ...[
        ['search', 'customer behind the outage', '--all', '--json'],
        ['list', '--all', '--json'],
        ['list', '--kind', 'prompt', '--all'],
      ],
      ...[['export'], ['timeline', 'k3v9']],
      ...[
        ['show', 'p8w2', '--json'],
        ['show', '7h2c'],
        ['why', '7h2c', '--json'],
        ['why', '7h2c'],
        ['diff', '--format', 'md'],
      ],
    ]) {
      const { stdout, stderr } = await gitMem(repository, args);
      expect(stdout + stderr, args.join(' ')).not.toMatch(SECRET);
    }
    expect((await gitMem(repository, ['list'])).stdout).toContain(OTHER.title);
  });

  it('hides with --only the named records, and lists the others with the text', async ({ repository }) => {
    const { stdout } = await gitMem(repository, ['redact', 'k3v9', '7h2c', '--only', '--json']);
    const { also, left } = JSON.parse(stdout);
    expect({ also, left: left.length }).toEqual({ also: [], left: 3 });
    // The summary stays, without the sentence that a hidden record says.
    expect((await gitMem(repository, ['list'])).stdout).toContain('p8w2');
    expect((await gitMem(repository, ['show', 'p8w2'])).stdout).not.toMatch(SECRET);
  });

  it('writes nothing with --dry-run', async ({ repository }) => {
    const { stdout, stderr } = await gitMem(repository, ['redact', 'k3v9', '--dry-run']);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/would be hidden with it:\n(?: {2}\w{10} {2}.*\n){4}[\s\S]*Nothing was written\./);
    expect((await gitMem(repository, ['list', '--kind', 'mark'])).stdout).not.toContain('redact');
  });

  it('hides the reason of a mark, named or because it repeats a sentence', async ({ repository }) => {
    put(repository, markOf({ id: 'm4rkm4rk12', type: 'pin', targets: [OTHER.id], reason: `See. ${SENTENCE}` }));
    const { stdout } = await gitMem(repository, ['retire', OTHER.id, '--reason', 'Summerfield Limited wants it.']);
    const retire = stdout.slice(0, 10);
    repository.commit('told');
    expect((await gitMem(repository, ['redact', 'k3v9', '--json'])).stdout).toContain('m4rkm4rk12');
    expect((await gitMem(repository, ['redact', retire, '--reason', 'A name.'])).code).toBe(0);
    const shown = [
      ...[
        ['list', '--kind', 'mark', '--all'],
        ['list', '--kind', 'mark', '--all', '--json'],
      ],
      ...[['why', OTHER.id], ['why', OTHER.id, '--json'], ['export'], ['diff', 'HEAD~1...HEAD'], ['show', retire]],
      ...[
        ['show', retire, '--raw'],
        ['search', 'Summerfield'],
        ['list', '--kind', 'mark', '--at', 'HEAD', '--all'],
      ],
    ];
    for (const args of shown) {
      const { stdout, stderr } = await gitMem(repository, args);
      expect(stdout + stderr, args.join(' ')).not.toMatch(/wintergreen|summerfield/i);
    }
    // It still does what it says.
    expect((await gitMem(repository, ['list'])).stdout).not.toContain(OTHER.title);
    const again = await gitMem(repository, ['pin', NAMED.id, '--reason', 'Known: Summerfield Limited wants it, too.']);
    expect(again.code).toBe(1);
  });

  it('hides what the personal store repeats, and a record of it by its name', async ({ repository }) => {
    await gitMem(repository, ['personal', 'init']);
    const said = ['add', '--personal', '--title', 'Calls customers by name', '--narrative', SENTENCE];
    await gitMem(repository, said);
    await gitMem(repository, ['add', '--personal', '--title', 'Likes Summerfield Limited']);
    const { also } = JSON.parse((await gitMem(repository, ['redact', 'k3v9', '--json'])).stdout);
    expect(also).toContainEqual(expect.objectContaining({ store: 'personal' }));
    expect((await gitMem(repository, ['context'])).stdout).toContain('Summerfield');
    const { records } = JSON.parse((await gitMem(repository, ['list', '--store', 'personal', '--json'])).stdout);
    expect(records).toHaveLength(1);
    expect((await gitMem(repository, ['redact', `personal:${records[0].id}`])).code).toBe(0);
    expect((await gitMem(repository, ['context'])).stdout).not.toMatch(/Summerfield|Calls customers/);
    expect((await gitMem(repository, said)).code).toBe(1);
  });

  it('hides from what the memory was at an earlier commit', async ({ repository }) => {
    repository.commit('all of it');
    await gitMem(repository, ['redact', 'k3v9']);
    for (const args of [
      ['list'],
      ['show', 'k3v9'],
      ['show', 'k3v9', '--raw'],
      ['search', 'customer'],
      ['context'],
      ['export'],
      ['why', 'k3v9'],
      ['timeline', 'k3v9'],
    ]) {
      const { stdout, stderr } = await gitMem(repository, [...args, '--at', 'HEAD']);
      expect(stdout + stderr, args.join(' ')).not.toMatch(SECRET);
    }
  });

  it('names the drafts, exports and pages that contain its words', async ({ repository }) => {
    repository.write('.gitignore', 'public/\n');
    repository.write(
      '.git/git-mem/sessions/one.json',
      JSON.stringify({ earlier: [{ narrative: `"So": ${SENTENCE}` }] }),
    );
    await gitMem(repository, ['site', '--out', join(repository.root, 'public')]);
    repository.write('memory.jsonl', (await gitMem(repository, ['export'])).stdout);
    const { copies } = JSON.parse((await gitMem(repository, ['redact', 'k3v9', '--json'])).stdout);
    expect(copies).toEqual(
      expect.arrayContaining(['.git/git-mem/sessions/one.json', 'memory.jsonl', 'public/index.html']),
    );
    expect(copies.filter((path: string) => path.startsWith('.memory/'))).toEqual([]);
  });

  it('names nothing that goes by itself: the cache and what is held', async ({ repository }) => {
    const text = 'The second customer is Summerfield Limited.';
    await repository.call('add', '--title', 'Outages at night have one cause', '--narrative', text);
    const { records } = JSON.parse(await repository.call('list', '--json', '--limit', '1'));
    const state = join(repository.root, '.git/git-mem');
    const holding = () =>
      readdirSync(state, { recursive: true, encoding: 'utf8' })
        .filter((path) => statSync(join(state, path)).isFile())
        .filter((path) => readFileSync(join(state, path)).includes('Summerfield'));
    expect(holding()).not.toEqual([]);
    for (const more of [['--dry-run'], []]) {
      const { stderr } = await gitMem(repository, ['redact', records[0].id, ...more]);
      expect(stderr).not.toContain('These files');
    }
    await repository.call('list');
    expect(holding()).toEqual([]);
  });

  it('is reversed for all of them by one undo', async ({ repository }) => {
    await gitMem(repository, ['redact', 'k3v9']);
    await gitMem(repository, ['undo', 'k3v9']);
    for (const { id } of [NAMED, SUMMARY, SIBLING, DIGEST, PROMPT]) {
      expect((await gitMem(repository, ['show', id])).stdout, id).toMatch(SECRET);
    }
  });
});

describe('git mem check', () => {
  it('refuses a record that repeats redacted text, but not the hidden ones', async ({ repository }) => {
    await gitMem(repository, ['redact', 'k3v9']);
    expect((await gitMem(repository, ['check'])).code).toBe(0);
    const again = observationOf({
      id: 'zzzzzzzzz1',
      title: 'Said again',
      facts: [`It is known: ${SENTENCE}`, SENTENCE],
    });
    const path = put(repository, again);
    const { code, stdout } = await gitMem(repository, ['check', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).problems).toMatchObject([{ path, id: again.id, code: 'redacted-again', level: 'error' }]);
    expect(stdout).not.toMatch(SECRET);
  });

  it('respects a redaction in the same change, before anybody trusts it', async ({ repository }) => {
    await gitMem(repository, ['redact', 'k3v9']);
    repository.commit('redacted');
    put(repository, observationOf({ id: 'zzzzzzzzz1', title: 'Said again', facts: [SENTENCE] }));
    repository.commit('again');
    const clone = `${repository.root}-clone`;
    repository.git('clone', '--quiet', repository.root, clone);
    const { stdout } = await gitMem({ root: clone, env: repository.env }, ['check', '--json']);
    expect(JSON.parse(stdout).problems).toMatchObject([{ code: 'redacted-again' }]);
  });
});

function stocked(): TestRepository {
  const repository = createRepository();
  for (const record of [NAMED, SUMMARY, SIBLING, OTHER]) put(repository, record);
  put(repository, DIGEST, 'private');
  put(repository, PROMPT, 'private');
  repository.git('commit', '--quiet', '--allow-empty', '-m', 'first');
  return repository;
}
