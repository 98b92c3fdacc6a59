import { trimBlock } from './record.ts';

/**
 * The canonical body: what git-mem writes is split at its headings without a Markdown parser, which would cost a
 * hundred times as much as the front matter. Lines of prose that begin with `#` are escaped with a backslash, as in
 * Markdown.
 */

/** The sections of a summary, in the order of the file; the keys are the record's. */
const SUMMARY_SECTIONS = {
  request: 'Request',
  investigated: 'Investigated',
  learned: 'Learned',
  completed: 'Completed',
  next_steps: 'Next steps',
  notes: 'Notes',
} as const;

export interface ObservationBody {
  narrative: string;
  facts: string[];
}

export type SummaryBody = Record<keyof typeof SUMMARY_SECTIONS, string>;

/** Reads bodies that people wrote by hand, not in the canonical shape. Undefined: the body is one piece of prose. */
export interface BodyReader {
  observation(body: string): ObservationBody | undefined;
  summary(body: string): SummaryBody | undefined;
}

export function joinObservation({ narrative, facts }: ObservationBody): string {
  const list = facts.map((fact) => `- ${fact.replace(/\n(?!\n|$)/g, '\n  ')}`).join('\n');
  return [escapeHashes(narrative), list && `## Facts\n\n${list}`].filter(Boolean).join('\n\n');
}

/** Splits a canonical observation body; undefined for any other shape. */
export function splitObservation(body: string): ObservationBody | undefined {
  const lines = trimBlock(body).split('\n');
  const heading = lines.indexOf('## Facts');
  const prose = heading < 0 ? lines : lines.slice(0, heading);
  if (prose.some((line) => line.startsWith('#'))) return undefined;
  const facts: string[] = [];
  const list = heading < 0 ? [] : lines.slice(heading + 1);
  let blanks = 0;
  for (const line of list) {
    if (line === '') blanks++;
    else if (line.startsWith('- ')) facts.push(line.slice(2));
    else if (line.startsWith('  ') && facts.length > 0)
      facts.push(`${facts.pop()}${'\n'.repeat(blanks + 1)}${line.slice(2)}`);
    else return undefined;
    if (line !== '') blanks = 0;
  }
  return { narrative: unescapeHashes(prose.join('\n')), facts };
}

export function joinSummary(summary: SummaryBody): string {
  return sections()
    .filter(([key]) => summary[key] !== '')
    .map(([key, title]) => `## ${title}\n\n${escapeHashes(summary[key])}`)
    .join('\n\n');
}

/** Splits a canonical summary body; undefined for any other shape. */
export function splitSummary(body: string): SummaryBody | undefined {
  const summary = emptySummary();
  let current: keyof SummaryBody | undefined;
  const byTitle = new Map(sections().map(([key, title]) => [`## ${title}`, key]));
  const texts = new Map<keyof SummaryBody, string[]>();
  for (const line of trimBlock(body).split('\n')) {
    const key = byTitle.get(line);
    if (key !== undefined && !texts.has(key)) {
      current = key;
      texts.set(key, []);
    } else if (line.startsWith('#') || (current === undefined && line !== '')) return undefined;
    else if (current !== undefined) texts.get(current)?.push(line);
  }
  for (const [key, lines] of texts) summary[key] = unescapeHashes(lines.join('\n'));
  return summary;
}

export function emptySummary(): SummaryBody {
  return { request: '', investigated: '', learned: '', completed: '', next_steps: '', notes: '' };
}

/** Only the sections of a summary, each as `change` returns it. */
export function sectionsOf(summary: SummaryBody, change = (text: string) => text): SummaryBody {
  return Object.fromEntries(sections().map(([key]) => [key, change(summary[key])])) as SummaryBody;
}

export function sections(): [keyof SummaryBody, string][] {
  return Object.entries(SUMMARY_SECTIONS) as [keyof SummaryBody, string][];
}

function escapeHashes(text: string): string {
  return text.replace(/^(\\*)#/gm, '$1\\#');
}

function unescapeHashes(text: string): string {
  return trimBlock(text).replace(/^(\\*)\\#/gm, '$1#');
}
