import { splitObservation } from '../../../memory/body.ts';
import { NO_CONTENT } from '../../../memory/record.ts';
import type { FileOfRecord, NewRecord, RecordPage } from '../protocol.ts';

/** A record as the editor's draft for its replacement. */
export function draftOf({ card, markdown, subtitle, files }: RecordPage): NewRecord {
  const paths = (change: FileOfRecord['change']) =>
    files.filter((file) => file.change === change).map(({ path }) => path);
  const { narrative, facts: items } = splitObservation(markdown) ?? { narrative: markdown, facts: [] };
  // The editor has one fact per line.
  const facts = items.map((fact) =>
    fact
      .split('\n')
      .map((line) => line.trim())
      .join(' '),
  );
  return {
    type: card.type,
    title: card.title,
    subtitle,
    narrative,
    facts,
    concepts: card.concepts,
    files_modified: paths('modified'),
    files_read: paths('read'),
    supersedes: [card.id],
  };
}

export const EMPTY_DRAFT: NewRecord = { ...NO_CONTENT, type: 'decision', subtitle: '', supersedes: [] };
