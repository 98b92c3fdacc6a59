import { splitObservation } from '../../memory/body.ts';
import type { FileOfRecord, NewRecord, RecordPage } from '../protocol.ts';

/** A record's file: what stands between its two lines of dashes, and what follows. */
export function partsOf(raw: string): { front: string; body: string } {
  const end = raw.startsWith('---\n') ? raw.indexOf('\n---\n', 3) : -1;
  return end < 0 ? { front: '', body: raw } : { front: raw.slice(4, end), body: raw.slice(end + 5).trim() };
}

/** The line below a record's title; empty where it has none. */
export function subtitleOf(raw: string): string {
  const [, value = ''] = /^subtitle: (.*)$/m.exec(partsOf(raw).front) ?? [];
  const [quote] = value;
  if (quote === "'") return value.slice(1, -1).replaceAll("''", "'");
  if (quote !== '"') return value;
  try {
    return String(JSON.parse(value));
  } catch {
    return ''; // Only git-mem's own spelling is read; the whole file can be looked at anyway.
  }
}

/** A record as the editor begins with it, to be replaced by what is made of it. */
export function draftOf({ card, markdown, raw, files }: RecordPage): NewRecord {
  const paths = (change: FileOfRecord['change']) =>
    files.filter((file) => file.change === change).map(({ path }) => path);
  const { narrative, facts: items } = splitObservation(markdown) ?? { narrative: markdown, facts: [] };
  // The editor has one a line.
  const facts = items.map((fact) =>
    fact
      .split('\n')
      .map((line) => line.trim())
      .join(' '),
  );
  return {
    ...{ type: card.type, title: card.title, subtitle: subtitleOf(raw), narrative, facts, concepts: card.concepts },
    ...{ files_modified: paths('modified'), files_read: paths('read'), supersedes: [card.id] },
  };
}

/** What a record that stands on nothing begins with. */
export const EMPTY_DRAFT: NewRecord = {
  ...{ type: 'decision', title: '', subtitle: '', narrative: '', facts: [], concepts: [] },
  ...{ files_modified: [], files_read: [], supersedes: [] },
};
