import { clampSentences } from '../../memory/clamp.ts';
import { LIMITS } from '../../memory/record.ts';
import { sentencesOf } from '../../memory/sentences.ts';
import { withoutMarkup } from '../../memory/without-markup.ts';
import {
  type Finding,
  fittingTitle,
  isWhole,
  type Page,
  pagesLike,
  placeOf,
  type Quote,
  quotedFinding,
  type Reading,
  type Section,
  sectionsOf,
} from './page.ts';

/** Decision records, by their folder or their own name: https://adr.github.io */
const RECORD =
  /(?:^|\/)(?:adrs?|(?:architectur\w*[-_])?decisions?(?:[-_](?:records?|logs?))?)\/(?:.+\/)?[^/]+\.(?:md|markdown|rst|adoc|txt)$|(?:^|\/)adr[-_ ]?\d[^/]*\.(?:md|markdown|rst|adoc)$|(?:^|\/)docs?\/architecture\/\d[^/]*\.md$/i;
const BESIDE =
  /(?:^|\/)(?:readme|index|template|0+-?template|\d+-(?:record|document)-architectur\w+-decisions|contributing)[^/]*$|(?:^|\/)\.memory\/|template|node_modules|(?:^|\/)(?:tests?|fixtures?|testdata|vendor|examples?|[\w-]*(?:proposed|historic|deprecated|superseded|archived?)[\w-]*)\//i;

/** Still open, or replaced by another decision, wherever the status says so. */
const NOT_IN_FORCE =
  /\b(?:propos(?:ed|al)|draft|superseded|deprecated|obsolete|withdrawn|wip|replaced|retired|abandoned|on hold|not|pending|open)\b/i;
const REJECTED = /\b(?:rejected|declined)\b/i;
const DECIDED =
  /\b(?:rejected|declined|accepted|approved|adopted|implemented|agreed|decided|final|active|ratified|done|completed?|in force)\b/i;
/** The whole heading: "Decision Drivers" and "Decision Makers" decide nothing. */
const DECISION = /^(?:[\d.]+[.)]?\s*)?(?:(?:the )?decision|decision outcome|outcome):?$/i;

/** A name that says what was decided. */
const VERB =
  /^(?:\W*\d+[.:)-]*\s*)?(?:ADR[- ]?\d+[.:)-]*\s*)?(?:use|adopt|apply|replace|remove|keep|store|split|divide|move|switch|do not|don't|no|prefer|avoid|support|drop|allow|make|run|write|add|create|implement|introduce|protect|migrate|disable|enable|require|separate|stop)\s+\S+\s+\S/i;
/** Words that only make sense with those before them. */
const LEANING =
  /^(?:this|that|these|those|it|they|as such|see|from|after|based on|proposed|the (?:above|following))\b|\bth(?:is|ese|ose)\b/i;
/** Refers to something elsewhere, such as an option by its number, and so decides nothing when read alone. */
const POINTING =
  /\b(?:above|below|following|described|next section|as[- ]is|current|(?:option|solution|proposal|alternative|ADR|PR)s?(?: number)?\W{1,3}\d+)\b|^(?:chosen options?)?\W*\d+\W*$/i;

/** More than a first memory can hold. */
const MOST_PAGES = 200;
/** Most characters of a decision, which is quoted whole up to here. */
const MOST_CHARS = 400;

/** Decisions in force, or rejected, by their stated status: the newest three, and the oldest two of the topmost folder. */
export async function findDecisionRecords(reading: Reading): Promise<Finding[]> {
  const isRecord = (path: string) => RECORD.test(path) && !BESIDE.test(path);
  const pages = await pagesLike(reading, isRecord, MOST_PAGES);
  const records = pages.flatMap((page) => {
    const finding = findingOf(page);
    return finding ? [{ path: page.path, finding }] : [];
  });
  const folders = (path: string) => path.split('/').slice(0, -1);
  records.sort((a, b) => {
    return folders(a.path).length - folders(b.path).length || b.path.localeCompare(a.path, 'en', { numeric: true });
  });
  const top = folders(records[0]?.path ?? '').join('/');
  const oldest = records.filter(({ path }) => folders(path).join('/') === top).slice(-2);
  return [...new Set([...records.slice(0, 3), ...oldest])].map(({ finding }) => finding);
}

/** Undefined if the record is not in force, or if no part of it says by itself what was decided. */
function findingOf({ path, lines }: Page): Finding | undefined {
  const sections = sectionsOf({ path, lines });
  const title = sections.find(({ heading }) => heading !== '');
  const status = statusOf(lines, sections);
  const section = sections.find(({ heading, blocks }) => DECISION.test(heading) && blocks.length > 0);
  // In the document's own spelling.
  const said = NOT_IN_FORCE.test(status) ? undefined : DECIDED.exec(status)?.[0];
  const decision = section && decisionIn(section);
  if (title?.level !== 1 || !decision || said === undefined) return;
  const sentence = withoutMarkup((sentencesOf(decision.text)[0] ?? '').replace(/\.$/, ''));
  const full = POINTING.test(sentence) ? [] : [`${title.heading}: ${sentence}`];
  const alone = full.length === 0 || LEANING.test(sentence) ? [] : [sentence];
  const names = [...full, ...(VERB.test(title.heading) ? [title.heading] : alone)];
  // Without its status, a rejected decision would read like one in force.
  const titles = names.flatMap((name) => [`${name} (${said})`, ...(REJECTED.test(status) ? [] : [name])]);
  const short = fittingTitle(titles, LIMITS.title);
  if (short === '') return;
  return quotedFinding({
    pattern: 'decision',
    subject: path,
    quotes: [decision, { path, text: status }],
    title: short,
    narrative: `${path} has under "${section.heading}": "${decision.text}" (${placeOf(decision)}). Its status: "${said}".`,
    facts: [],
    concepts: ['decision', 'adr'],
    files_read: [path],
  });
}

const UNDECIDED = /^\W*(?:pending|tbd|todo|n\/a)\b/i;

/** The first sentences of a decision; undefined where they announce a list, mean nothing alone, or decide nothing yet. */
function decisionIn({ blocks: [first, next] }: Section): Quote | undefined {
  const isPart = first?.mark && next?.mark;
  if (!first || first.isQuotation || isPart || !isWhole(first.text) || UNDECIDED.test(first.text)) return;
  return { ...first, text: clampSentences(first.text, MOST_CHARS) };
}

/** A record's status, without markup: from its own section, a line, or the front matter; empty where it states none. */
function statusOf(lines: string[], sections: Section[]): string {
  const section = sections.find(({ heading }) => /^(?:\d+[.)]?\s*)?status\b/i.test(heading));
  const line = lines.slice(0, 30).find((one) => /^\W*status\W*[:|]/i.test(one));
  const said = section?.blocks.map(({ text }) => text).join(' ') ?? line?.replace(/^\W*status\W*/i, '') ?? '';
  // A status that was struck out no longer holds.
  return withoutMarkup(said.replace(/~~[^~]{1,100}~~/g, ''));
}
