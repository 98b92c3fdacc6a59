// The words for what is computed of a record, without the computing: pages know them too.

/**
 * The trust of a record by its provenance, never by what it says of itself. `reviewed`: the same blob is in the tree of
 * a default branch. `own`: this clone's ledger has its blob, a person edited here what this clone wrote and nobody
 * reviewed yet, or somebody whom the user allows signed it in. `edited`: a reviewed path with other content.
 * `unreviewed`: everything else.
 */
export type Trust = (typeof TRUST)[number];

/** From the most trusted to the least. */
export const TRUST = ['reviewed', 'own', 'edited', 'unreviewed'] as const;

/**
 * The state of the files that a record cites: unchanged, edited (be it at another path), at another path, deleted, or
 * nothing can be said.
 */
export type Freshness = (typeof FRESHNESS)[number];
export const FRESHNESS = ['fresh', 'touched', 'moved', 'gone', 'unknown'] as const;
