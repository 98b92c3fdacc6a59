import type { StoreName } from '../../../memory/record.ts';
import type { Database } from './database.ts';
import type { Statements } from './statements.ts';
import { type Part, readKnownView, readView, type View } from './view.ts';

/** The view of an open database, read again once somebody wrote. */
export interface Moments {
  /** Which rows this checkout has now, or had when the snapshot began. */
  view(): View;
  /** Another one once somebody wrote, in whatever process. */
  version(): string;
  noteWrite(): void;
  /** Runs `use` on one unmoving state. */
  snapshot<T>(use: () => T): T;
}

export function openMoments(
  db: Database,
  sql: Statements,
  { scopeOf, part }: { scopeOf: Record<StoreName, number>; part: Part },
): Moments {
  let loaded: View | undefined;
  let writes = 0;
  /** Inside a snapshot nothing moves, and the version need not be asked for. */
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
        // The first read is what a transaction's state begins with; the view is read when somebody asks.
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
