import type { Meta } from './protocol.ts';
import type { RecordPage } from './protocol-record.ts';

/** The data of a static site: the team's records at the time of writing. */
export interface SiteData {
  meta: Meta;
  /** Newest first. */
  records: SiteRecord[];
  /** Which record replaces which, according to trusted records and marks. */
  replacements: { old: string; by: string }[];
  /** Cited files that were renamed since: the cited path and the current one. */
  renames: [cited: string, now: string][];
}

/** One record of a static site; everything else on the pages is derived from these. */
export type SiteRecord = Pick<
  RecordPage,
  'card' | 'raw' | 'path' | 'subtitle' | 'facts' | 'files' | 'provenance' | 'marks'
>;
