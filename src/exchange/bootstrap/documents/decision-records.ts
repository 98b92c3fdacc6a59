import type { Finding } from '../finding.ts';
import { titled } from '../wording.ts';
import { clipped, factOf, pagesLike, placeOf, type Quote, quotedFinding, type Reading } from './page.ts';
import { type Section, sectionsOf } from './sections.ts';

/** Folders of decision records and proposals: https://adr.github.io */
const FOLDER =
  /(?:^|\/)(?:adrs?|decisions?|decision-records?|architecture-decisions?|architectural-decisions|rfcs?|proposals?|design-docs?|keps?|peps?|tips|enhancements)\/(?:.+\/)?[^/]+\.(?:md|markdown|rst|adoc|txt)$/i;
const BESIDE =
  /(?:^|\/)(?:readme|index|template|0+-?template|000+-record-architecture-decisions|contributing)[^/]*$|(?:^|\/)\.memory\/|template|node_modules|(?:^|\/)(?:tests?|fixtures?|testdata|vendor)\//i;

/** Still open, or replaced by another decision. */
const NOT_IN_FORCE = /^\W*(?:status\W+)?(?:proposed|draft|superseded|deprecated|obsolete|withdrawn|wip|replaced)\b/i;
const REJECTED = /^\W*(?:status\W+)?(?:rejected|declined)\b/i;
const DECISION =
  /^(?:\d+[.)]?\s*)?(?:decision(?: outcome)?|resolution|conclusion|solution|proposal|summary|abstract|we decided|outcome)\b/i;
const REASON = /^(?:\d+[.)]?\s*)?(?:context|motivation|rationale|problem|background|why|reason|consequences)\b/i;

/** More than a first memory can hold. */
const MOST_PAGES = 200;

/** One finding for each decision record that is in force or was rejected; newest by number or date first. */
export async function findDecisionRecords(reading: Reading): Promise<Finding[]> {
  const pages = await pagesLike(reading, (path) => FOLDER.test(path) && !BESIDE.test(path), MOST_PAGES);
  const records = pages.flatMap((page) => {
    const sections = sectionsOf(page);
    const title = sections.find(({ heading }) => heading !== '')?.heading;
    const status = statusOf(page.lines, sections);
    if (title === undefined || NOT_IN_FORCE.test(status)) return [];
    const decision = firstOf(sections, DECISION);
    const reason = firstOf(sections, REASON);
    return decision ? [{ page, title, isRejected: REJECTED.test(status), decision, reason }] : [];
  });
  records.sort((a, b) => (a.page.path < b.page.path ? 1 : -1));
  return records.map(({ page, title, isRejected, decision, reason }, i): Finding => {
    const quotes = [decision, ...(reason ? [reason] : [])];
    const name = title.replace(/^(?:ADR|RFC)?[-\s#]*\d+\s*[-:.–—]?\s*/i, '');
    const advice = isRejected
      ? 'It was rejected: do not propose it again without new grounds.'
      : 'Follow it, or write the record that replaces it.';
    return quotedFinding({
      pattern: 'decision',
      subject: page.path,
      quotes,
      weight: 0.88 - Math.min(0.2, i / 50),
      title: titled(isRejected ? 'Rejected: ' : 'Decided: ', name),
      narrative: `${page.path} records it: "${clipped(decision, 350).text}" (${placeOf(decision)}). ${advice}`,
      facts: quotes.map((quote) => factOf(clipped(quote))),
      concepts: ['decision', 'adr'],
      files_read: [page.path],
    });
  });
}

/** A record's status: from its own section, a line, or the front matter. */
function statusOf(lines: string[], sections: Section[]): string {
  const section = sections.find(({ heading }) => /^(?:\d+[.)]?\s*)?status\b/i.test(heading));
  const line = lines.slice(0, 30).find((one) => /^\W*status\W*:/i.test(one));
  return section?.sentences[0]?.text ?? line ?? '';
}

/** The first sentences of a section, joined while they follow each other. */
function firstOf(sections: Section[], heading: RegExp): Quote | undefined {
  const section = sections.find((one) => heading.test(one.heading) && one.sentences.length > 0);
  const [first, second] = section?.sentences ?? [];
  if (first === undefined) return undefined;
  return { ...first, text: second && second.line - first.line <= 2 ? `${first.text} ${second.text}` : first.text };
}
