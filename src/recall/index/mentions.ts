import type { Card, IndexedDocument } from './memory-index.ts';

/** The ids that a mark or replacement connects, its own among them; none for a record that changes no other. */
export function mentionsOf({ id, mark, supersedes }: Card): string[] {
  if (mark === undefined && supersedes.length === 0) return [];
  return [...new Set([id, ...(mark?.targets ?? []), ...(mark?.by === undefined ? [] : [mark.by]), ...supersedes])];
}

/**
 * The statements that affect the state of these ids: those that mention one of them, those that mention the ids that
 * these mention, and so on. The effects of marks and replacements never reach further, so folding these gives the same
 * states as folding all.
 */
export function connected(
  about: Iterable<string>,
  mentioning: (id: string) => Iterable<IndexedDocument>,
): IndexedDocument[] {
  const ids = new Set(about);
  const found = new Map<number, IndexedDocument>();
  // Iterating a Set also visits values that are added on the way.
  for (const id of ids) {
    for (const document of mentioning(id)) {
      if (found.has(document.row)) continue;
      found.set(document.row, document);
      for (const other of mentionsOf(document.card)) ids.add(other);
    }
  }
  return [...found.values()];
}
