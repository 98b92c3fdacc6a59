import { withoutMarkup } from '../../../memory/without-markup.ts';
import type { Finding } from '../finding.ts';
import { titled } from '../wording.ts';
import { clipped, factOf, pagesLike, placeOf, type Quote, quotedFinding, type Reading } from './page.ts';
import { type Section, sectionsOf } from './sections.ts';

const PAGES =
  /(?:^|\/)(?:change(?:log|s)|news|history|release[-_]?notes|upgrading|upgrade|migrat(?:ion|ing))[^/]*\.(?:md|markdown|rst|txt|adoc)$|(?:^|\/)(?:CHANGELOG|CHANGES|NEWS|UPGRADING)$/i;
const BESIDE =
  /(?:^|\/)(?:node_modules|vendor|third[_-]?party|deps|examples?|tests?|fixtures?|testdata|\.changeset|playground)\//i;

const VERSION = /(?:^|[^\d.])v?(\d+\.\d+(?:\.\d+)?(?:[-.]?(?:alpha|beta|rc|pre|a|b)[.\d]*)?)(?:[^\d.]|$)/i;
const BREAKING =
  /\bbreaking\b|\bremov(?:ed|als?)\b|\bdeprecat(?:ed|ions?)\b|\bmigrat(?:ion|ing)\b|\bincompatib|\bupgrad(?:e|ing)\b|\bpotentially/i;
/** An entry about something that was removed or is now required. */
const ENTRY =
  /^(?:[*_`\s]{0,9}\[?[\w./ -]{1,30}\]?[*_`]{0,9}:\s{0,9})?[*_`\s]{0,9}(?:drop(?:s|ped)? (?:official )?(?:support|python|node|ruby|php|java|go|the)\b|remov(?:e[sd]?|ing) (?:the |all |previously )*(?:deprecated|support|`)|deprecat(?:e[sd]?|ing|ion)\b|breaking\b|renam(?:e[sd]?|ing)\b|rais(?:e[sd]?|ing) the minimum|minimum (?:supported|version)\b|bump(?:s|ed)? (?:the )?(?:msrv|minimum)|increase (?:the )?(?:msrv|minimum)|requires? (?:[A-Z]\w+ |\S*\d))|\b(?:is|are) (?:now )?(?:deprecated|removed)\b|\bno longer (?:supported|a dependency|available|depends?|included|exported|maintained)\b|\bhas been (?:removed|deprecated|renamed)\b|\bBREAKING\b/i;

/** Something that went wrong before and no longer does: a fix, whatever its first word. */
const MENDED =
  /\bno longer (?!supported|a dependency|available|depends?|included|exported|maintained)|\bfix(?:e[sd])?\b/i;

/** Changes that only maintainers notice. */
const INTERNAL =
  /\b(?:unused|duplicate|unnecessary|unneeded|redundant|internal|typos?|change ?log|readme|(?:js)?docs?|tests?)\b/i;

/** Pages that may hold such notes, nearest to the top: a large repository has one for each of its packages. */
const MOST_PAGES = 12;

/** Number of newest releases that are read; older ones say nothing new. */
const RECENT = 12;

/** Releases with a record each, and facts in it: the newest breaking changes, not the whole list, which the page has. */
const MOST_RELEASES = 3;
const MOST_FACTS = 7;

/** What the newest releases removed, renamed or began to require, so that nobody builds on it. */
export async function findReleaseNotes(reading: Reading): Promise<Finding[]> {
  const pages = await pagesLike(reading, (path) => PAGES.test(path) && !BESIDE.test(path), MOST_PAGES);
  // A single page at the top speaks for the whole repository; otherwise the longest page does.
  pages.sort((a, b) => Number(a.path.includes('/')) - Number(b.path.includes('/')) || b.lines.length - a.lines.length);
  for (const page of pages) {
    const releases = releasesIn(sectionsOf(page)).slice(0, RECENT);
    // A change that was backported is listed once.
    const seen = new Set<string>();
    const telling = releases.flatMap(({ version, sections }) => {
      const entries = entriesIn(sections).filter(({ text }) => !seen.has(text) && seen.add(text));
      return entries.length > 0 ? [{ version, entries }] : [];
    });
    const shown = telling.slice(0, MOST_RELEASES);
    if (shown.length > 0) return shown.flatMap(({ version, entries }, i) => findingOf(page.path, version, entries, i));
  }
  return [];
}

/** Sections below the heading of a version, in page order, which is newest first. */
function releasesIn(sections: Section[]): { version: string; sections: Section[] }[] {
  const releases: { version: string; level: number; sections: Section[] }[] = [];
  for (const section of sections) {
    const version = section.level <= 3 ? VERSION.exec(section.heading)?.[1] : undefined;
    const current = releases.at(-1);
    if (version && (current === undefined || section.level <= current.level || !current.version.startsWith(version))) {
      releases.push({ version, level: section.level, sections: [section] });
    } else current?.sections.push(section);
  }
  return releases;
}

function entriesIn(sections: Section[]): Quote[] {
  return sections.flatMap(({ heading, sentences }) => {
    const isBreaking = BREAKING.test(heading);
    return sentences.filter(({ text, isItem }) => {
      const isLong = text.length >= 20 && /\s\S+\s/.test(text) && !MENDED.test(text) && !INTERNAL.test(text);
      return (
        isLong &&
        ((isItem && isBreaking) || ENTRY.test(withoutNames(text).replace(/^\[?#?\d+\]?(?:\([^)]*\))?[:\s-]*/, '')))
      );
    });
  });
}

/** Without code: a parameter called `deprecated` removes nothing, and digits in code are no required version. */
function withoutNames(text: string): string {
  return text.replace(/`[^`]{1,300}`/g, (code) => code.replace(/\p{L}/gu, '_'));
}

function findingOf(path: string, version: string, entries: Quote[], rank: number): Finding | [] {
  const strength = ({ text }: Quote) => (/^\W*(?:drop|remov|breaking|deprecat|no longer|require)/i.test(text) ? 1 : 0);
  const kept = entries
    .toSorted((a, b) => strength(b) - strength(a))
    .slice(0, MOST_FACTS)
    .map((quote) => clipped(quote));
  const [best] = kept;
  if (best === undefined) return [];
  return quotedFinding({
    pattern: 'decision',
    subject: `${path}\0${version}`,
    quotes: kept,
    weight: 0.76 - 0.04 * rank,
    title: titled(`${version}: `, withoutMarkup(withoutReferences(best.text))),
    narrative: `The notes of ${version} say: "${best.text}" (${placeOf(best)}). Write for that: use nothing that these lines take away.`,
    facts: kept.map(factOf),
    concepts: ['decision', 'breaking-change'],
    files_read: [path],
  });
}

/** Without issue numbers and commit ids, for which a title has no room. */
function withoutReferences(text: string): string {
  return text
    .replace(/\s{0,9}\(?\[?(?:#\d+|[0-9a-f]{7,40})\]?(?:\([^)]{0,300}\))?\)?/g, ' ')
    .replace(/\s{0,9}[{:](?:issue|pr|ghissue|gh|pull)[}:]`[^`]{0,300}`/g, '');
}
