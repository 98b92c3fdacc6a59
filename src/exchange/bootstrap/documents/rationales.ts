import type { Finding } from '../finding.ts';
import { isNoise, isProse, isTest } from '../path-kinds.ts';
import { titled } from '../wording.ts';
import { clipped, factOf, pagesLike, placeOf, quotedFinding, type Reading } from './page.ts';
import { type Section, sectionsOf } from './sections.ts';

/** Headings of sections that explain why something is as it is. */
const HEADING =
  /^(?:\d+[.)]?\s*)?(?:why (?:not|do|does|is|are|isn't|can't|we|no)\b.+|rationale|design (?:rationale|decisions?|goals?|principles?|philosophy|notes|choices|constraints)|non-?goals|philosophy|(?:project|guiding|core) (?:philosophy|principles?)|principles|trade-?offs|goals and non-goals|architecture decisions?|what (?:we|this) (?:do|does)n't|limitations by design)\b.*$/i;
const BESIDE =
  /(?:^|\/)(?:node_modules|vendor|third[_-]?party|deps|examples?|samples?|blog|posts?|news|i18n|translations?|locales?|sponsors?)\/|(?:^|\/)(?:change(?:log|s)|history|news)[^/]*$|(?:^|\/)(?:[a-z]{2}[-_][A-Z]{2}|zh|ja|ko|fr|de|es|pt|ru)\//i;

/** Pages read, those nearest the top first: a bound for repositories with thousands of documents. */
const MOST_PAGES = 400;

/** A section with fewer words only links to the reasons. */
const LEAST_WORDS = 12;

/** A first memory has at most 30 records of all patterns: more sections of reasons would push out what was measured. */
const MOST_FINDINGS = 3;

/** Sections with the reasons for a design, so that nobody reopens the debate unknowingly. */
export async function findRationales(reading: Reading): Promise<Finding[]> {
  const isPage = (path: string) =>
    isProse(path) && !isNoise(path) && !isTest(path) && !BESIDE.test(path) && !path.startsWith('.');
  const pages = await pagesLike(reading, isPage, MOST_PAGES);
  const sections = pages.flatMap((page) => {
    const all = sectionsOf(page);
    const own = all.filter(({ heading, sentences }) => HEADING.test(heading) && wordsIn(sentences) >= LEAST_WORDS);
    return own.slice(0, 2);
  });
  return sections.slice(0, MOST_FINDINGS).map(findingOf);
}

function findingOf(section: Section, i: number): Finding {
  const { path, heading, line } = section;
  const kept = section.sentences.slice(0, 5).map((quote) => clipped(quote));
  return quotedFinding({
    pattern: 'decision',
    subject: `${path}\0${heading}`,
    quotes: kept,
    weight: 0.66 - 0.04 * i,
    title: titled('Reasons are written down: ', heading),
    narrative: `Before you argue or change this, read "${heading}" (${placeOf({ path, line })}): "${kept[0]?.text ?? ''}"`,
    facts: kept.map(factOf),
    concepts: ['decision', 'rationale'],
    files_read: [path],
  });
}

function wordsIn(sentences: Section['sentences']): number {
  return sentences.reduce((sum, { text }) => sum + text.split(' ').length, 0);
}
