import { documentOf } from '../../src/index/document.ts';
import type { Changes, IndexDocument, MemoryIndex } from '../../src/index/memory-index.ts';
import { blobOf, observation } from './scratch.ts';

/** Short ways to fill an index and to ask it. */
export function handles(index: () => MemoryIndex) {
  const doc = (...args: Parameters<typeof observation>): IndexDocument => {
    const record = observation(...args);
    return documentOf(record, blobOf(record));
  };
  const at = (document: IndexDocument, path: string, store: 'team' | 'private' = 'team') => ({
    store,
    path,
    blob: document.blob,
    size: 10,
    modifiedMs: 5,
    changedMs: 6,
  });
  const change = (changes: Partial<Changes>) =>
    index().apply({ seen: [], gone: [], documents: [], folders: [], ...changes });
  const add = (documents: IndexDocument[], store: 'team' | 'private' = 'team') =>
    change({ documents, seen: documents.map((document) => at(document, `${document.card.id}.md`, store)) });
  const find = (...terms: string[]) =>
    index()
      .candidates(new Map(terms.map((term) => [term, 1])), 10, () => true)
      .map(({ card }) => card.title);
  const rowOf = (document: IndexDocument) =>
    [...index().newest()].find(({ blob }) => blob === document.blob)?.row ?? -1;
  return { doc, at, change, add, find, rowOf };
}
