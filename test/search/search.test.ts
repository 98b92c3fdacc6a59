import { execFileSync } from 'node:child_process';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Cache, openCache } from '../../src/index/cache.ts';
import { blobId, idOf } from '../../src/memory/id.ts';
import type { Mark, MarkType, Prompt } from '../../src/memory/record.ts';
import type { Filter } from '../../src/records/card-filter.ts';
import { search } from '../../src/search/search.ts';
import { searchIndex } from '../../src/search/search-index.ts';
import { observation, type Scratch, scratch } from '../index/scratch.ts';
import { markOf } from '../support/written-records.ts';

let repo: Scratch;
let cache: Cache;
beforeEach(() => {
  repo = scratch();
  cache = openCache(repo.workspace);
});
afterEach(() => {
  cache.close();
  repo.remove();
});

async function find(text: string, filter: Filter = {}, limit = 10) {
  const { hits } = await search(repo.workspace, cache, { text, filter, limit });
  return hits.map(({ annotated: { record } }) =>
    'title' in record ? record.title : record.kind === 'prompt' ? record.text : '',
  );
}

function mark(type: MarkType, ...targets: string[]): Mark {
  return markOf({ id: idOf(type, ...targets), type, targets });
}

describe('search', () => {
  it('ranks the record with the words in its title first', async () => {
    repo.write(observation('Retry budget for webhooks', { narrative: 'Five attempts.' }));
    repo.write(
      observation('Other things', { narrative: 'Webhooks are mentioned here among much else that does not matter.' }),
    );
    repo.write(observation('Unrelated'));
    expect(await find('how many times do webhooks retry?')).toEqual(['Retry budget for webhooks', 'Other things']);
  });

  it('finds identifiers by their parts and parts by the identifier', async () => {
    repo.write(observation('parseHttpRequest drops the body'));
    repo.write(observation('The http_client keeps sockets open'));
    expect(await find('http request')).toContain('parseHttpRequest drops the body');
    expect(await find('httpClient')).toEqual(['The http_client keeps sockets open', 'parseHttpRequest drops the body']);
  });

  it('sees what was written a moment ago, and not what was removed', async () => {
    const path = repo.write(observation('ephemeral finding'));
    expect(await find('ephemeral')).toEqual(['ephemeral finding']);
    rmSync(path);
    expect(await find('ephemeral')).toEqual([]);
  });

  it('filters by every field of a record', async () => {
    const session = '11111111-2222';
    repo.write(
      observation('alpha one', {
        type: 'bugfix',
        concepts: ['auth'],
        files_modified: ['src/auth/token.ts'],
        session,
        branch: 'main',
      }),
    );
    repo.write(observation('alpha two', { type: 'decision', generated: { by: 'x', at: '2025-06-01T00:00:00Z' } }));
    repo.write(observation('alpha three', { files_read: ['docs/readme.md'] }), 'private');
    const prompt: Prompt = {
      kind: 'prompt',
      id: idOf('p'),
      text: 'alpha four',
      generated: { by: 'x', at: '2026-01-01T00:00:00Z' },
    };
    repo.write(prompt, 'private');
    const cases: [Filter, string[]][] = [
      [{ type: ['bugfix'] }, ['alpha one']],
      [{ concept: ['auth'] }, ['alpha one']],
      [{ file: ['src/auth'] }, ['alpha one']],
      [{ file: ['**/*.md'] }, ['alpha three']],
      [{ session: '1111' }, ['alpha one']],
      [{ branch: 'main' }, ['alpha one']],
      [{ store: 'private' }, ['alpha three']],
      [{ until: '2025-12-31T00:00:00Z' }, ['alpha two']],
      [{ kind: ['prompt'] }, ['alpha four']],
    ];
    for (const [filter, titles] of cases) {
      expect(await find('alpha', filter), JSON.stringify(filter)).toEqual(titles);
      expect(await find('', filter), JSON.stringify(filter)).toEqual(titles);
    }
  });

  it('lists newest first where only a filter is given', async () => {
    for (const title of ['first', 'second', 'third']) repo.write(observation(title));
    expect(await find('')).toEqual(['third', 'second', 'first']);
    expect(await find('  ', {}, 2)).toEqual(['third', 'second']);
  });

  it('leaves out what our own records retired or superseded, and shows it on request', async () => {
    const [old, gone, live] = [observation('alpha old'), observation('alpha gone'), observation('alpha live')];
    const next = observation('alpha new', { supersedes: [old.id] });
    for (const record of [old, gone, live, next, mark('retire', gone.id)]) repo.put(record);
    expect((await find('alpha')).sort()).toEqual(['alpha live', 'alpha new']);
    expect(await find('alpha', { all: true })).toHaveLength(4);
    expect((await search(repo.workspace, cache, { text: 'alpha', limit: 1 })).total).toBe(2);
  });

  it('ignores untrusted marks', async () => {
    const record = observation('alpha kept');
    repo.put(record);
    repo.write(mark('retire', record.id));
    expect(await find('alpha')).toEqual(['alpha kept']);
    expect(await find('alpha', { trust: 'own' })).toEqual(['alpha kept']);
    expect(await find('alpha', { trust: 'unreviewed' })).toEqual([]);
  });

  it("shows a record that is in both stores once, as the team's", async () => {
    const record = observation('alpha promoted');
    repo.write(record, 'private');
    repo.write(record, 'team');
    const { hits } = await search(repo.workspace, cache, { text: 'alpha', limit: 5 });
    expect(hits.map(({ annotated }) => annotated.entry.store)).toEqual(['team']);
  });

  it('quotes the sentence that answers the query', async () => {
    repo.write(
      observation('Session store', {
        narrative: 'Sessions live in Redis. Expiry is two hours. Nothing else matters.',
        facts: ['The key prefix is sess:'],
      }),
    );
    repo.write(observation('Sessions in general'));
    const snippet = async (text: string) => (await search(repo.workspace, cache, { text, limit: 1 })).hits[0]?.snippet;
    expect(await snippet('session expiry')).toBe('Expiry is two hours.');
    expect(await snippet('key prefix of sessions')).toBe('The key prefix is sess:');
  });

  it('raises what shares a session or a rare file with a hit, and gives nothing for that alone', async () => {
    const [session, files_modified] = ['s-1', ['src/zone.ts']];
    repo.write(observation('zanzibar in general', { generated: { by: 'test', at: '2026-11-29T00:00:00Z' } }));
    repo.write(observation('before it', { session, prompt_number: 1 }));
    repo.write(observation('zanzibar outage of the whole zone', { session, prompt_number: 2, files_modified }));
    repo.write(observation('quiet sibling', { files_modified }));
    repo.write(observation('zanzibar once more in another place', { files_modified }));
    expect((await find('zanzibar outage')).toSorted()).toEqual([
      'zanzibar in general',
      'zanzibar once more in another place',
      'zanzibar outage of the whole zone',
    ]);
  });

  it('finds nothing for words that occur nowhere', async () => {
    repo.write(observation('alpha'));
    for (const text of ['xylophone', '🚀', '???', 'the of and']) expect(await find(text), text).toEqual([]);
  });

  it('finds a file that a person wrote by hand', async () => {
    const path = repo.write(observation('by hand'));
    appendFileSync(path, '\n# A heading\n\n* found by pelican\n');
    expect(await find('pelican')).toEqual(['by hand']);
  });

  it('gives the same answer through MiniSearch', async () => {
    for (let i = 0; i < 80; i++) {
      repo.write(
        observation(`note ${i} on ${i % 2 ? 'caching' : 'routing'}`, {
          narrative: `About part${i % 7} and its limits`,
          files_modified: [`src/f${i % 5}.ts`],
        }),
      );
    }
    const fallback = openCache(repo.workspace, { prefer: 'minisearch' });
    for (const text of ['caching part3', 'limits of routing', 'note 17']) {
      const ids = async (one: Cache) =>
        (await search(repo.workspace, one, { text, limit: 10 })).hits.map(({ annotated, score }) => [
          annotated.record.id,
          score.toFixed(4),
        ]);
      expect(await ids(fallback)).toEqual(await ids(cache));
    }
    fallback.close();
  });
});

it('confidence distinguishes an answer from the best of a bad lot', async () => {
  const parts = ['parser', 'router', 'cache', 'logger', 'scheduler', 'renderer', 'loader', 'watcher'];
  for (let i = 0; i < 60; i++) {
    repo.write(
      observation(`Fix ${parts[i % 8]} when module ${i} fails`, {
        narrative: `The ${parts[(i + 3) % 8]} did not handle errors in step ${i}.`,
      }),
    );
  }
  repo.write(
    observation('JWT rejected when the issuer clock runs ahead', {
      narrative: 'iat lay in the future; verification allows 30 s of skew.',
    }),
  );
  const confidence = (text: string) =>
    cache.query((index) => searchIndex(index, { text, limit: 1, plain: true }).hits[0]?.confidence ?? 0);
  expect(await confidence('why are JWT tokens rejected when a clock is skewed?')).toBeGreaterThan(0.5);
  for (const text of ['continue', 'please fix it', 'thanks, looks good', 'write a poem about the sea', 'yes']) {
    expect(await confidence(text), text).toBeLessThan(0.5);
  }
});

describe('a hit whose files have changed since', () => {
  const alike = (title: string, path: string, narrative = 'The `retryBudget` of webhooks is five.') => {
    return observation(title, { narrative, files_read: [path], anchors: { [path]: blobId('retryBudget\n') } });
  };

  it('comes after an equally good one whose files have not, and says so', async () => {
    const { root } = repo.workspace.checkout;
    for (const path of ['fresh.ts', 'touched.ts']) writeFileSync(join(root, path), 'retryBudget\n');
    // What a record names is looked up in the file as it was: git has it.
    execFileSync('git', ['add', '-A'], { cwd: root });
    writeFileSync(join(root, 'touched.ts'), 'changed\n');
    repo.write(alike('Webhooks A', 'fresh.ts'));
    repo.write(alike('Webhooks B', 'touched.ts'));
    expect(await find('retry budget webhooks')).toEqual(['Webhooks A', 'Webhooks B']);
    expect(await find('retry budget webhooks', {}, 1)).toEqual(['Webhooks A']);
    const { hits, total } = await search(repo.workspace, cache, { text: 'retry budget webhooks', limit: 2 });
    expect(hits.map(({ annotated }) => annotated.freshness)).toEqual(['fresh', 'touched']);
    expect(total).toBe(2);
  });

  it('stays ahead of one that matches less well', async () => {
    repo.write(alike('Retry budget of webhooks', 'gone.ts'));
    repo.write(observation('Other things', { narrative: 'Webhooks are mentioned here among much else.' }));
    expect(await find('retry budget webhooks')).toEqual(['Retry budget of webhooks', 'Other things']);
  });

  it('keeps its place in a list', async () => {
    repo.write(alike('Older', 'fresh.ts'));
    repo.write(alike('Newer', 'gone.ts'));
    expect(await find('')).toEqual(['Newer', 'Older']);
  });
});
