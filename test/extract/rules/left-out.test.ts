import { expect, it } from 'vitest';
import { createRulesExtractor } from '../../../src/capture/extract/rules/rules.ts';
import { contextOf } from '../../support/turns.ts';
import { proven, session } from './work.ts';

const CAUSE = 'The cache key lacked the locale, so pages of one language were served to all.';

/** Parts of real final messages that say nothing of what is so, and words that would be in a record of them. */
const PARTS: [what: string, text: string, words: RegExp][] = [
  [
    'a list of what was not found',
    'I did not find:\n\n- a retry loop around `uploadPart()` in the cache\n- a dead letter queue for failed uploads',
    /retry loop|dead letter/,
  ],
  [
    'options of a question',
    '**Options:**\n\n- The key holds the locale as a prefix of the URL\n- The cache has a map for each locale of the page\n\nWhich do you prefer?',
    /prefix of the URL|map for each/,
  ],
  [
    'an option that nobody chose',
    'Option 2: drop the cache of translated pages and render each one.',
    /translated pages/,
  ],
  ['an opinion', 'I think the cache of the gateway in front serves the wrong language as well.', /gateway/],
  ['what is thought not to be so', "I don't think the token bucket of the cache is the reason for it.", /token bucket/],
  ['a hypothesis', 'The old pages probably come from the cache of the browser, which keeps them.', /browser/],
  ['advice', 'The cache of every page should be cleared after each deployment.', /deployment/],
  ['advice that names nobody', 'Consider a cache key that also holds the currency of the page.', /currency/],
  ['a question', 'Does the cache of the mobile pages have the same key?', /mobile/],
  ['status', 'All 41 tests of the cache pass and the build is green.', /41 tests|green/],
  ['what is to be done first', 'I will look at the cache of the old pages and run its tests.', /old pages/],
  ['status of a plan', 'The plan for the cache is implemented.\n\nThe plan is implemented in the cache.', /plan is/],
  ['what was left undone', 'I left the cache of the error pages as it was before.', /error pages/],
  ['next steps', '## Next steps\n\n- The cache of feeds gets the locale in its key', /feeds/],
  [
    'a table and code',
    '| page | locale |\n|---|---|\n| cache | none |\n\n```ts\ncache.get(url);\n```',
    /none|cache\.get/,
  ],
  [
    'a sentence that leans on one left out',
    'The cache might be shared by two hosts. That one serves pages of the other.',
    /shared by two|That one/,
  ],
];

it.each(PARTS)('a record of proven work leaves out %s', async (_, text, words) => {
  const turns = session({
    prompt: 'the cache serves the wrong language, fix it',
    calls: proven(),
    reply: `${CAUSE}\n\n${text}`,
  });
  const { observations } = await createRulesExtractor().extract(turns, contextOf({}));
  expect(observations.map(({ title }) => `${title}.`)).toEqual([CAUSE]);
  expect(JSON.stringify(observations)).not.toMatch(words);
});
