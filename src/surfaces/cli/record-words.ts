import type { Annotated } from '../../recall/query/annotate.ts';

type Group = 'freshness' | 'trust' | 'evidence';

/**
 * The words shown beside a record's text, with one sentence each: `list --help` prints them, and `docs/records.md` has
 * the same rows. Both kinds of word are computed from git each time, and are in no file.
 */
export const RECORD_WORDS: { group: Group; word: string; meaning: string }[] = [
  { group: 'freshness', word: 'fresh', meaning: 'every cited file is as the record saw it' },
  { group: 'freshness', word: 'touched', meaning: 'a cited file was edited or deleted since: check it first' },
  { group: 'freshness', word: 'moved', meaning: 'a cited file is elsewhere now, with the same content' },
  { group: 'freshness', word: 'gone', meaning: 'no cited file is left' },
  { group: 'freshness', word: 'unknown', meaning: 'it cites no file, or none that can be read here' },
  { group: 'trust', word: 'reviewed', meaning: 'the same text is on the reviewed branch' },
  { group: 'trust', word: 'own', meaning: 'written or accepted in this clone, not on the default branch yet' },
  { group: 'trust', word: 'edited', meaning: 'on the default branch with other text; never injected' },
  { group: 'trust', word: 'unreviewed', meaning: 'from anybody else: never injected, its marks change nothing' },
  {
    group: 'evidence',
    word: 'verified',
    meaning: 'a failed check passed in its turn, or its change is committed and still there',
  },
  { group: 'evidence', word: 'claimed', meaning: 'it was said, and nothing here proves it' },
  { group: 'evidence', word: 'undone', meaning: 'its change was reverted, or restored in the same session' },
];

/** The words as lines of a help text. */
export function recordWordsHelp(): string {
  const lines = (group: Group) =>
    RECORD_WORDS.filter((one) => one.group === group).map(({ word, meaning }) => `  ${word.padEnd(12)}${meaning}`);
  return [
    'Freshness, whether the files that a record cites have changed:',
    ...lines('freshness'),
    '',
    'Trust, where its text comes from (fresh, unknown, reviewed and own are not shown in lists):',
    ...lines('trust'),
    '',
    'Evidence, what it rests on (`show`, and `list --evidence`):',
    ...lines('evidence'),
    '',
    'Beside "own", "edited" says that a person changed in this clone what git-mem wrote in it.',
  ].join('\n');
}

/**
 * A record's trust, and whether a person edited in this clone what it wrote; with any other trust that means nothing.
 */
export function trustWords({ trust, edited }: Pick<Annotated, 'trust' | 'edited'>): string[] {
  return edited && trust === 'own' ? [trust, 'edited'] : [trust];
}
