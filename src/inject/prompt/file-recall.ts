import type { IndexedDocument, MemoryIndex } from '../../index/memory-index.ts';

/** A record with one of the files that are about to be read. */
export interface FileHit {
  document: IndexedDocument;
  path: string;
  /** The path in the record: a former name if the file was renamed. */
  cited: string;
}

/** Most records injected with a read: reads come in dozens, and each adds to the context. */
export const MOST_FOR_FILES = 3;

/** A record that modified a file and cites more files than this is about none of them in particular. */
const MODIFIED_AMONG = 12;
const READ_AMONG = 3;

/**
 * The observations that bear on files, best first: those that modified one and cite few others, then those that only
 * read it, newest first among equals. `paths` are relative to the top of the checkout; `formerNames` returns a file's
 * former names.
 */
export function findForFiles(
  index: MemoryIndex,
  paths: readonly string[],
  formerNames: (path: string) => string[] = () => [],
): FileHit[] {
  // By row, not by id: an untrusted file may claim the id of another.
  const hits = new Map<number, FileHit & { weight: number }>();
  const names = paths.flatMap((path) => [path, ...formerNames(path)].map((cited) => ({ path, cited })));
  for (const { path, cited } of names) {
    for (const document of index.documents(index.citing(cited))) {
      const weight = weightOf(document, cited);
      const known = hits.get(document.row);
      if (weight > 0 && (known === undefined || known.weight < weight)) {
        hits.set(document.row, { document, path, cited, weight });
      }
    }
  }
  return [...hits.values()].sort(
    (a, b) => b.weight - a.weight || (a.document.card.created < b.document.card.created ? 1 : -1),
  );
}

/** Above 1 for a record that modified the file, up to 1 for one that read it, 0 for one that only mentions it in passing. */
function weightOf({ card }: IndexedDocument, path: string): number {
  const at = card.files.indexOf(path);
  if (card.kind !== 'observation' || at < 0) return 0;
  const isModified = at < card.modified;
  if (card.files.length > (isModified ? MODIFIED_AMONG : READ_AMONG)) return 0;
  return (isModified ? 1 : 0) + 1 / card.files.length;
}
