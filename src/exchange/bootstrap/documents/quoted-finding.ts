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

/** A quoted line as part of a title: links as their text, no emphasis and no quoting of code, which stays as it is. */
export function withoutMarkup(text: string): string {
  const plain = text
    .replace(/!?\[([^\]]{0,300})\](?:\([^)]{0,300}\)|\[[^\]]{0,300}\])?/g, '$1')
    .replace(/[{:]\w{1,30}[}:](?=`)/g, '');
  const emphasis = /\*{1,3}|(?<![\p{L}\p{N}])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![\p{L}\p{N}_])/gu;
  const parts = plain.split('`').map((part, i) => (i % 2 === 1 ? part : part.replace(emphasis, '')));
  return parts.join('').trim();
}
