import type { StoreName } from '../../../memory/record.ts';
import type { Database } from './database.ts';
import type { Statements } from './statements.ts';
import { type Part, readKnownView, readView, type View } from './view.ts';

/** The view of an open database, read again after a write. */
export function openMoments(
  db: Database,
  sql: Statements,
  { scopeOf, part }: { scopeOf: Record<StoreName, number>; part: Part },
) {
  let loaded: View | undefined;
  let writes = 0;
  /** True inside a snapshot, where nothing changes and the version need not be read. */
  let isStill = false;
  let isPinned = false;

  /** Changes after every write, in any process: those of others, then our own. */
  const version = () => `${db.pragma('data_version', { simple: true })}.${writes}`;

  /** Which rows this checkout has now, or had when the snapshot began. */
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
    /** Runs `use` on one consistent state. */
    snapshot: <T>(use: () => T): T =>
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
