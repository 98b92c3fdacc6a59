import { clampSentences } from '../../memory/clamp.ts';
import { encode } from '../../memory/codec.ts';
import { inputWords, isContent, type MemoryRecord, oneLine, typeOf } from '../../memory/record.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { withoutMarkup } from '../../memory/without-markup.ts';
import { frequencies } from '../../quantities.ts';
import type { Annotated } from '../../records/annotate.ts';
import type { Placed } from '../../records/judgement.ts';
import { readJudged } from '../../records/read-judged.ts';
import { titleOf } from '../../review/review-item.ts';
import type { Library } from './library.ts';
import type { Card, Kind, Meta, Name } from './protocol.ts';
import type { Snapshot } from './snapshot.ts';

/** Longest excerpt, in characters: a card shows one line. */
const EXCERPT = 200;

/** Most names in a filter's list: nobody scrolls further, and rarer ones can be typed. */
const MOST_NAMES = 200;

/** Records of a snapshot as cards for lists, read from their files, in order; without the text of redacted ones. */
export async function cardsOf({ project, cache }: Library, snapshot: Snapshot, places: Placed[]): Promise<Card[]> {
  const read = await readJudged(project.workspace, cache, places, snapshot.judgement);
  return read.map(({ annotated }) => cardOf(annotated));
}

/** How many records of each kind lists show, and the names for the filters, with their counts. */
export function namesIn(
  cards: { kind: Kind; type: string; concepts: string[]; branch?: string | null | undefined }[],
): Pick<Meta, 'counts' | 'types' | 'concepts' | 'branches'> {
  const counts = { observation: 0, summary: 0, mark: 0, prompt: 0 };
  for (const { kind } of cards) counts[kind]++;
  const content = cards.filter(isContent);
  return {
    counts,
    types: commonest(content.map(({ type }) => type)),
    concepts: commonest(content.flatMap(({ concepts }) => [...new Set(concepts)])),
    branches: commonest(content.flatMap(({ branch }) => branch || [])),
  };
}

function commonest(names: string[]): Name[] {
  return frequencies(names)
    .slice(0, MOST_NAMES)
    .map(([name, count]) => ({ name, count }));
}

/** The text of a record's file; a summary's without what hidden records said. */
export function rawText({ record, entry }: Annotated, { stores }: Pick<Workspace, 'stores'>): string {
  return record.kind === 'summary' ? encode(record) : stores[entry.store].load(entry).text;
}

export function cardOf({ record, entry, state, verified, trust, edited, freshness }: Annotated): Card {
  const { id, kind, generated, session = null, branch = null } = record;
  const { verified_by: _, ...marked } = state;
  return {
    id,
    kind,
    type: typeOf(record),
    title: titleOf(record),
    excerpt: leadingText(wordsOf(record), EXCERPT),
    created: generated.at,
    author: generated.name ?? generated.by.split('/')[0] ?? '',
    session,
    branch,
    concepts: kind === 'observation' ? record.concepts : [],
    files: [...new Set(filesOf(record).map(({ path }) => path))],
    store: entry.store,
    trust,
    edited,
    freshness,
    inputs: inputWords(record),
    ...marked,
    verified,
  };
}

/** The files that a record cites, modified ones first. */
export function filesOf(record: MemoryRecord): { path: string; change: 'modified' | 'read' }[] {
  if (!isContent(record)) return [];
  const modified = record.kind === 'observation' ? record.files_modified : record.files_edited;
  const read = record.files_read.filter((path) => !modified.includes(path));
  return [
    ...modified.map((path) => ({ path, change: 'modified' as const })),
    ...read.map((path) => ({ path, change: 'read' as const })),
  ];
}

/** The first sentences of Markdown texts in plain text, on one line, at most `max` characters. */
export function leadingText(texts: string[], max: number): string {
  const plain = texts.map((text) => oneLine(withoutMarkup(text.slice(0, max * 20))));
  return clampSentences(plain.filter(Boolean).join(' '), max);
}

function wordsOf(record: MemoryRecord): string[] {
  switch (record.kind) {
    case 'observation':
      return [record.subtitle ?? '', record.narrative, ...record.facts];
    case 'summary':
      return [record.completed, record.learned, record.next_steps, record.request];
    case 'mark':
      return [record.reason];
    case 'prompt':
      // Its first line is the title.
      return [record.text.split('\n').slice(1).join(' ')];
    default:
      return record satisfies never;
  }
}
