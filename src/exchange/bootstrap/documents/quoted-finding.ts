import type { Finding, Telling } from '../finding.ts';
import { editionOf, type Quote } from './page.ts';

/** The text of a record that quotes files, and the quotations behind it. */
interface Quoted extends Pick<Finding, 'pattern' | 'subject' | 'weight'> {
  quotes: Pick<Quote, 'path' | 'text'>[];
  telling: Omit<Telling, 'files_modified'>;
}

/** A finding based on the words of files, not on commits: it is written again only after these words have changed. */
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
