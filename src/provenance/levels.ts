// The terms for what is computed about a record, without the computation: the viewer's pages use them too.

/**
 * The trust of a record by its provenance, never by its own claims. `reviewed`: the same blob is in the tree of a
 * default branch. `own`: this clone's ledger has its blob, a person here edited an unreviewed file that this clone
 * wrote, or an allowed signer signed the commit that wrote it. `edited`: a reviewed path with other content; the
 * reviewed content counts. `unreviewed`: everything else.
 */
export type Trust = (typeof TRUST)[number];

/** From the most trusted to the least. */
export const TRUST = ['reviewed', 'own', 'edited', 'unreviewed'] as const;

/** The state of what a record cites: unchanged, edited (even at another path), at another path, deleted, unknown. */
export type Freshness = (typeof FRESHNESS)[number];
export const FRESHNESS = ['fresh', 'touched', 'moved', 'gone', 'unknown'] as const;
