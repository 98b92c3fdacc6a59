import type { Card, IndexedDocument } from './memory-index.ts';

/** The ids that a record's say connects, its own among them; none for a record that has no say about others. */
export function mentionsOf({ id, mark, supersedes }: Card): string[] {
  if (mark === undefined && supersedes.length === 0) return [];
  return [...new Set([id, ...(mark?.targets ?? []), ...(mark?.by === undefined ? [] : [mark.by]), ...supersedes])];
}

/**
 * The statements that bear on what becomes of these ids: those that mention one of them, those that mention what these
 * mention, and so on. What marks and replacements say together never reaches beyond that, so that to fold these gives the
 * same states as to fold all.
 */
export function connected(
  about: Iterable<string>,
  mentioning: (id: string) => Iterable<IndexedDocument>,
): IndexedDocument[] {
  const ids = new Set(about);
  const found = new Map<number, IndexedDocument>();
  // A set gives what is added to it on the way, too.
  for (const id of ids) {
    for (const document of mentioning(id)) {
      if (found.has(document.row)) continue;
      found.set(document.row, document);
      for (const other of mentionsOf(document.card)) ids.add(other);
    }
  }
  return [...found.values()];
}
