import type { Content } from '../../../memory/record.ts';
import type { Finding } from '../finding.ts';
import { editionOf, type Quote } from './page.ts';

/** The text of a record that quotes files, and the quotations behind it. */
interface Quoted extends Pick<Finding, 'pattern' | 'subject' | 'weight'> {
  quotes: Pick<Quote, 'path' | 'text'>[];
  text: Omit<Content, 'files_modified'>;
}

/** A finding based on the words of files, not on commits: it is written again only after these words have changed. */
export function quotedFinding({ quotes, text, ...what }: Quoted): Finding {
  return {
    ...what,
    support: 1,
    edition: editionOf(quotes),
    commits: [],
    incident: [],
    textWith: () => ({ ...text, files_modified: [] }),
  };
}
