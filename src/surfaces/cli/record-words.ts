import type { Annotated } from '../../records/annotate.ts';

type Group = 'freshness' | 'trust';

/**
 * The words shown beside a record's text, with one sentence each: `list --help` prints them, and `docs/records.md` has
 * the same rows. Both kinds of word are computed from git each time, and are in no file.
 */
export const RECORD_WORDS: { group: Group; word: string; meaning: string }[] = [
  { group: 'freshness', word: 'fresh', meaning: 'the names that it says still stand in its files' },
  { group: 'freshness', word: 'touched', meaning: 'a name that it says is gone from its files: check it first' },
  { group: 'freshness', word: 'moved', meaning: 'the same, in a file that was renamed' },
  { group: 'freshness', word: 'gone', meaning: 'no cited file is left' },
  { group: 'freshness', word: 'unknown', meaning: 'it cites no file, or what it held cannot be read here' },
  { group: 'trust', word: 'reviewed', meaning: 'the same text is on the reviewed branch' },
  { group: 'trust', word: 'own', meaning: 'written or accepted in this clone, not on the default branch yet' },
  { group: 'trust', word: 'edited', meaning: 'changed since its review: the reviewed text counts' },
  { group: 'trust', word: 'unreviewed', meaning: 'from anybody else: never injected, its marks change nothing' },
];

/** The words as lines of a help text. */
export function recordWordsHelp(): string {
  const lines = (group: Group) =>
    RECORD_WORDS.filter((one) => one.group === group).map(({ word, meaning }) => `  ${word.padEnd(12)}${meaning}`);
  return [
    'Freshness, whether what a record names still stands in the files that it cites:',
    ...lines('freshness'),
    '',
    'Trust, where its text comes from (fresh, unknown, reviewed and own are not shown in lists):',
    ...lines('trust'),
    '',
    '"verified" says that somebody checked it and left a mark (`git mem verify`) after its files last changed.',
    'Beside "own", "edited" says that a person changed in this clone what git-mem wrote in it.',
  ].join('\n');
}

/**
 * A record's trust, and whether a person edited in this clone what it wrote; with any other trust that means nothing.
 */
export function trustWords({ trust, edited }: Pick<Annotated, 'trust' | 'edited'>): string[] {
  return edited && trust === 'own' ? [trust, 'edited'] : [trust];
}
