import { frontAndBody } from '../../../memory/front-matter-lines.ts';
import type { SiteRecord } from '../protocol-site.ts';

/** The searchable texts of a record, in the order of FIELDS, as in the command line's index. */
export function searchedTexts({ card, subtitle, facts, raw }: SiteRecord): string[] {
  const { title, concepts, files } = card;
  return [`${title}\n${subtitle}`, proseOf(raw), facts.join('\n'), concepts.join('\n'), files.join('\n')];
}

/** The body without its headings, and without the facts, which are a field of their own. */
function proseOf(raw: string): string {
  const { body } = frontAndBody(raw);
  const facts = body.search(/^## Facts$/m);
  return (facts < 0 ? body : body.slice(0, facts)).replace(/^#+ .*$/gm, '').trim();
}
