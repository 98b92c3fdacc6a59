import type { StoreName } from '../../../memory/record.ts';
import type { KnownFile, Outline, RecordIndex } from '../memory-index.ts';
import type { Statements } from './statements.ts';
import { knownRows } from './view.ts';

/** What is known about a checkout's files, by the scopes of its two stores. */
export function fileTable(
  sql: Statements,
  scopeOf: Record<StoreName, number>,
): Pick<RecordIndex, 'folders' | 'files' | 'blobAt' | 'outlines' | 'unreadable' | 'size' | 'unknown'> {
  const ours = [scopeOf.team, scopeOf.private] as const;
  const storeOf = (scope: number): StoreName => (scope === scopeOf.team ? 'team' : 'private');

  return {
    folders: (store) => new Map(sql.folders.all(scopeOf[store]) as [string, string][]),
    files(store, folder) {
      const scope = scopeOf[store];
      // `0` is the character after `/`, so the range covers every path inside the folder.
      const found = folder === undefined ? sql.files.all(scope) : sql.filesIn.all(scope, `${folder}/`, `${folder}0`);
      const rows = found as [path: string, size: number, modifiedMs: number, changedMs: number][];
      return new Map(
        rows.map(([path, size, modifiedMs, changedMs]): [string, KnownFile] => [path, { size, modifiedMs, changedMs }]),
      );
    },
    blobAt: (store, path) => (sql.blobAt.get(scopeOf[store], path) as Buffer | undefined)?.toString('hex'),
    outlines() {
      type Row = [row: number, scope: number, path: string, id: string, blob: string];
      const byRow = new Map<number, Outline>();
      for (const [row, scope, path, id, blob] of sql.outlines.iterate(...ours) as Iterable<Row>) {
        const store = storeOf(scope);
        const known = byRow.get(row);
        if (known === undefined || (known.store === 'private' && store === 'team'))
          byRow.set(row, { row, id, blob, store, path });
      }
      return [...byRow.values()];
    },
    unreadable: () =>
      (sql.unreadable.all(...ours) as [number, string][]).map(([scope, path]) => ({ store: storeOf(scope), path })),
    size: () => sql.countOurs.get(...ours) as number,
    unknown() {
      type Row = [row: number, scope: number, path: string, blob: Buffer];
      const known = knownRows(sql, scopeOf);
      const found: ReturnType<RecordIndex['unknown']> = [];
      for (const [row, scope, path, blob] of sql.judgedRows.iterate(...ours) as Iterable<Row>) {
        if (!known[row]) found.push({ row, store: storeOf(scope), path, blob: blob.toString('hex') });
      }
      return found;
    },
  };
}
