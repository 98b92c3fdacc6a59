import { expect, it } from 'vitest';
import { documentOf } from '../../src/index/document.ts';
import { searchIndex } from '../../src/search/search-index.ts';
import { describeEngines } from '../index/engines.ts';
import { blobOf, observation } from '../index/scratch.ts';

const TITLES = [
  'JWT is refused when the clock runs ahead',
  'Run the tests with npm test, then build',
  'A good way to handle errors of the server',
  'Redis cache of pages, a new one each hour',
  'Branching and commits',
  'log level of the parser',
  'retry budget',
  'palette of buttons',
];

describeEngines('a question to the index of', (open) => {
  function ask(text: string) {
    const index = open();
    for (const title of TITLES) {
      const record = observation(title);
      const document = documentOf(record, blobOf(record));
      const seen = [{ store: 'team' as const, path: title, blob: document.blob, size: 1, modifiedMs: 1, changedMs: 1 }];
      index.apply({ documents: [document], seen, gone: [], folders: [] });
    }
    const titleOf = (id: string) => TITLES.find((title) => observation(title).id === id) ?? '';
    const { hits, nearest = [] } = searchIndex(index, { text, limit: 20 });
    const found = hits.map(({ document }) => titleOf(document.card.id)).sort();
    return { found, nearest: nearest.map(({ document }) => titleOf(document.card.id)) };
  }

  it.each([
    // Everyday words, and words that occur nowhere.
    ['how long is a good new one'],
    ['kubernetes ingress'],
    ['what would be a better way'],
    // A single known word of a question about something else, and a single ordinary one.
    ['when do tulips and hyacinths run ahead in a greenhouse'],
    ['kubernetes server'],
  ])('finds nothing by %s, and says what is nearest', (text) => {
    const { found, nearest } = ask(text);
    expect([found, nearest.length > 0]).toEqual([[], true]);
  });

  it.each([
    ['redis', 'Redis cache of pages, a new one each hour'],
    ['good', 'A good way to handle errors of the server'],
    ['how do we run the tests', 'Run the tests with npm test, then build'],
    ['error handling of servers', 'A good way to handle errors of the server'],
    ['log-level', 'log level of the parser'],
    ['kubernetes jwt', 'JWT is refused when the clock runs ahead'],
    ['branching strategy and commit rules', 'Branching and commits'],
    ['"new one"', 'Redis cache of pages, a new one each hour'],
  ])('finds by %s what it is about', (text, title) => {
    expect(ask(text).found).toEqual([title]);
  });
});
