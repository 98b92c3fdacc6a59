import type { StoreName } from '../../../memory/record.ts';
import type { Database } from './database.ts';
import type { Statements } from './statements.ts';
import { type Part, readKnownView, readView, type View } from './view.ts';

/** The view of an open database, read again after a write. */
export interface Moments {
  /** Which rows this checkout has now, or had when the snapshot began. */
  view(): View;
  /** Changes after every write, in any process. */
  version(): string;
  noteWrite(): void;
  /** Runs `use` on one consistent state. */
  snapshot<T>(use: () => T): T;
}

export function openMoments(
  db: Database,
  sql: Statements,
  { scopeOf, part }: { scopeOf: Record<StoreName, number>; part: Part },
): Moments {
  let loaded: View | undefined;
  let writes = 0;
  /** True inside a snapshot, where nothing changes and the version need not be read. */
  let isStill = false;
  let isPinned = false;

  // Other processes' writes, then our own.
  const version = () => `${db.pragma('data_version', { simple: true })}.${writes}`;

  function view(): View {
    if (loaded !== undefined && isPinned) return loaded;
    const now = version();
    if (loaded?.version !== now) {
      loaded = (part === 'known' ? readKnownView(sql, scopeOf, now) : undefined) ?? readView(sql, scopeOf, now);
    }
    isPinned = isStill;
    return loaded;
  }

  return {
    view,
    version,
    noteWrite: () => void writes++,
    snapshot: (use) =>
      db.transaction(() => {
        // A transaction's state begins with its first read; the view itself is read on demand.
        sql.meta.get('');
        isStill = true;
        try {
          return use();
        } finally {
          isStill = false;
          isPinned = false;
        }
      })(),
  };
}
