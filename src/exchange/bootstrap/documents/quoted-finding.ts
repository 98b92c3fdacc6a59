import type { Finding, Telling } from '../finding.ts';
import { editionOf, type Quote } from './page.ts';

/** What a record says that quotes files, and the quotations that it rests on. */
interface Quoted extends Pick<Finding, 'pattern' | 'subject' | 'weight'> {
  quotes: Pick<Quote, 'path' | 'text'>[];
  telling: Omit<Telling, 'files_modified'>;
}

/** A finding that no commit proves but the words of files: it is written again once these have changed. */
export function quotedFinding({ quotes, telling, ...what }: Quoted): Finding {
  return {
    ...what,
    support: 1,
    edition: editionOf(quotes),
    commits: [],
    incident: [],
    tell: () => ({ ...telling, files_modified: [] }),
  };
}
