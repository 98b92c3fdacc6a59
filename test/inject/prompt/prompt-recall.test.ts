import { afterEach, describe, expect, it } from 'vitest';
import { openCache } from '../../../src/index/cache.ts';
import { findForPrompt, namesTopic } from '../../../src/inject/prompt/prompt-recall.ts';
import { observation, type Scratch, scratch } from '../../index/scratch.ts';
import { summaryOf } from '../../support/written-records.ts';

const RECORDS = [
  observation('Tolerate clock skew between nodes for nbf and iat', {
    narrative: 'A token issued on a node whose clock runs ahead was rejected with 401 right after login.',
  }),
  observation('Rate limit by token bucket in the process, not Redis', {
    narrative: 'A fixed window lets a client send twice the limit at the window edge.',
  }),
  observation('Bank import keeps line breaks inside quoted payees', {
    narrative: 'The csv reader split the file into lines before it looked at quotes.',
  }),
  observation('Colliding slugs get the post id, not a counter'),
  observation('SQLite runs in WAL mode with a busy timeout', { narrative: 'Readers blocked the nightly export.' }),
  observation('Invoices are rendered to PDF with headless Chromium'),
  observation('Translations are ICU messages, because of Polish plurals'),
  observation('The "Remember me" box vanished from the login page'),
  observation('Check the fetch timeout before a release fails'),
  observation('A mail goes to the customer once an order is paid', {
    narrative: 'It is sent by the worker that confirms the payment; sending it on the request made paying slow.',
  }),
  observation('Dry runs print what they would delete', {
    narrative: 'Older ones skipped hidden folders on network drives.',
  }),
  observation('Show new test files with old failures'),
  observation('The deselector runs as a nested collector', {
    narrative: 'With --stop-early the nested collector skipped what was in no report.',
  }),
];

let store: Scratch | undefined;
afterEach(() => store?.remove());

async function titlesFor(text: string, options: { bar?: number } = {}): Promise<string[]> {
  store = scratch();
  for (const record of RECORDS) store.write(record);
  const cache = openCache(store.workspace);
  try {
    return await cache.query((index) =>
      findForPrompt(index, text, options).hits.map(({ document }) => document.card.title),
    );
  } finally {
    cache.close();
  }
}

describe('the records relevant to a prompt', () => {
  it.each([
    ['users still get a 401 after login, is the clock skew between nodes handled?', [RECORDS[0]?.title]],
    ['should the rate limit bucket move to Redis?', [RECORDS[1]?.title]],
    ['payees with a line break are two rows after the csv import of the bank', [RECORDS[2]?.title]],
    // One word of a topic is enough where the ordinary words around it match as well.
    ['I no longer see the "Remember me" box on the login page, is it switched off?', [RECORDS[7]?.title]],
    // One word of a topic beside ordinary ones that match as well.
    ['send a mail to confirm it to the customer', [RECORDS[9]?.title]],
    // Two words in a row say more than two words apart.
    [
      'after the last release the cleanup on our servers has a problem: hidden folders are skipped',
      [RECORDS[10]?.title],
    ],
    // The search ranks a record first that has most of the ordinary words, and none of the topic.
    ['fix --stop-early: the collector should show new test files with old failures', [RECORDS[12]?.title]],
    ['the export waits for SQLite readers, can we do something about it?', [RECORDS[4]?.title]],
  ])('%s', async (prompt, titles) => expect(await titlesFor(prompt)).toEqual(titles));

  it.each([
    'bump the dependency in package.json, and fix the lint errors in CI',
    'make the clock icon in the header bigger and rename the login button',
    'set up terraform for a gcp bucket with versioning',
    'write a poem about autumn in the mountains',
    'after the last release the cleanup on our servers has a problem: folders with a hidden owner are kept',
    // One word by chance.
    'polish this up a bit please',
    // The words of a short title are in any long prompt.
    'Before the release fails, check each of these: the lexer drops a surrogate, the visitor fetches its iterator twice, the ' +
      'lookahead of the grammar hits its timeout, nested frames survive the rewrite, the arena leaks a cursor, ' +
      'the emitter writes a comma behind variadic operands, and the printer indents lambdas by tabs',
    '',
    '??? 👍 \u0000 "" -x OR AND NEAR(',
  ])('none: %s', async (prompt) => expect(await titlesFor(prompt)).toEqual([]));

  it('are none at a stricter bar, and more prompts get one at a lower one', async () => {
    expect(await titlesFor('should the rate limit bucket move to Redis?', { bar: 20 })).toEqual([]);
    store?.remove();
    expect(await titlesFor('make the clock icon bigger and rename the login button', { bar: -20 })).not.toEqual([]);
  });

  it('include no summary and no session digest: those are only found by search', async () => {
    store = scratch();
    const title = 'Clock skew between nodes gives a 401 after login';
    store.write(summaryOf({ id: 'k3v9x2qd7m', title }));
    store.write(summaryOf({ id: 'p8w2m4ta1c', title, type: 'digest' }), 'private');
    for (const record of RECORDS.slice(1)) store.write(record);
    const cache = openCache(store.workspace);
    const prompt = 'users still get a 401 after login, is the clock skew between nodes handled?';
    try {
      expect(await cache.query((index) => findForPrompt(index, prompt).hits)).toEqual([]);
    } finally {
      cache.close();
    }
  });

  it('are found for a pasted log in bounded time, by the question at its end', async () => {
    const log = 'at Object.handle (node:internal/frames:1:1)\n'.repeat(5000);
    expect(await titlesFor(`${log}\nis the clock skew between nodes handled? users get a 401 after login`)).toEqual([
      RECORDS[0]?.title,
    ]);
  });
});

it('treats an identifier as two words, and two forms of a word as one', async () => {
  store = scratch();
  const records = [
    observation('ValidateEndpoints compares canonical URLs, so that a trailing slash no longer bypasses it'),
    observation('Cookies with one name are all kept'),
    observation('The endpoints of the old API are gone'),
    observation('A trailing comma is allowed in settings'),
    observation('Names of branches are checked'),
    observation('The importer keeps one row a name'),
  ];
  for (const record of records) store.write(record);
  const cache = openCache(store.workspace);
  const titles = (text: string) =>
    cache.query((index) => findForPrompt(index, text).hits.map(({ document }) => document.card.title));
  try {
    expect(await titles('why does ValidateEndpoints refuse two spellings?')).toEqual([records[0]?.title]);
    expect(await titles('the first cookie wins when a page sets several cookies in the banner of the shop')).toEqual(
      [],
    );
  } finally {
    cache.close();
  }
});

describe('a prompt without a topic', () => {
  it.each([
    'continue',
    'yes do it',
    'ok commit',
    'thanks',
    'weiter',
    'mach das',
    'ja bitte',
    'run the tests',
    'fix it',
    '/compact',
    'no, undo that',
    'Use the second approach, and keep going until all tests pass.',
    'danke, sieht gut aus',
    '👍',
    'commit and push, then open a PR on GitHub',
    'the lint workflow of the CI is failing again',
    // A file that every repository has is no identifier.
    'rename readme.md',
    '',
  ])('"%s"', (prompt) => expect(namesTopic(prompt)).toBe(false));

  it('is not one that names its subject', () => {
    expect(namesTopic('is the clock skew handled?')).toBe(true);
    expect(namesTopic('send a mail to confirm it to the customer')).toBe(true);
    expect(namesTopic('warum rotiert der refresh token nicht?')).toBe(true);
  });
});
