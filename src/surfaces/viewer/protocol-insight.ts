// The protocol's part about the whole memory in numbers.

import type { Freshness, Trust } from '../../provenance/levels.ts';

/** Counts of active records of a team or a repository that need attention; a team without a name is none. */
export interface Attention {
  name: string;
  records: number;
  /** Their cited files changed or are gone. */
  stale: number;
  unreviewed: number;
  /** Old, and never read through the hub. */
  unused: number;
  disputed: number;
}

/** GET /api/insight */
export interface Insight {
  /** Of several together: the records of each, most first; their `files` are left out, since paths repeat. */
  repositories?: { name: string; count: number }[];
  /** Of a hub: what needs attention, by team and repository; it counts neither days nor tokens. */
  attention?: (Attention & { repositories: Attention[] })[];
  /** Active observations and summaries per day (YYYY-MM-DD, UTC). */
  days: Record<string, number>;
  months: { month: string; types: Record<string, number> }[];
  types: { name: string; count: number }[];
  concepts: { name: string; count: number }[];
  /** Files with the number of records that cite them; for `stale` of these the file was touched or is gone. */
  files: { path: string; count: number; stale: number }[];
  trust: Record<Trust, number>;
  freshness: Record<Freshness, number>;
  tokens: {
    /**
     * Tokens spent by the extractors, by provider; input and output. Missing in a static site: it concerns one machine.
     */
    spent?: { provider: string; tokens: number }[];
    /** Tokens that a session start costs now; also missing in a static site. */
    injected?: number;
    /** The agents' work behind the records, and the cost of reading those instead. */
    discovery: number;
    read: number;
    saved: number;
  };
}
