import { basename } from 'node:path';
import { readHead } from '../../../git/locate.ts';
import { isContent } from '../../../memory/record.ts';
import { frequencies } from '../../../quantities.ts';
import { packageVersion } from '../../../templates.ts';
import type { Library } from '../library.ts';
import type { Kind, Meta } from '../protocol.ts';

/** Most names in a filter's list: nobody scrolls further, and rarer ones can be typed. */
const MOST = 200;

/** Data for the frame around every page. */
export async function meta({ project, snapshot }: Library, now: Date): Promise<Meta> {
  const { checkout } = project.workspace;
  const { revision, places } = await snapshot();
  return {
    repository: basename(checkout.root),
    branch: readHead(checkout).branch ?? null,
    version: packageVersion(),
    live: true,
    revision,
    ...namesIn(places.map(({ document }) => document.card)),
    at: now.toISOString(),
    ...(project.config().config.capture.destination === 'inbox' && { inbox: true }),
  };
}

/** How many records of each kind there are, and the names for the filters. */
export function namesIn(
  cards: { kind: Kind; type: string; concepts: string[]; branch?: string | null | undefined }[],
): Pick<Meta, 'counts' | 'types' | 'concepts' | 'branches'> {
  const counts = { observation: 0, summary: 0, mark: 0, prompt: 0 };
  for (const { kind } of cards) counts[kind]++;
  const content = cards.filter(isContent);
  return {
    counts,
    types: commonest(content.map(({ type }) => type)),
    concepts: commonest(content.flatMap(({ concepts }) => concepts)),
    branches: commonest(content.flatMap(({ branch }) => branch || [])),
  };
}

function commonest(names: string[]): string[] {
  const first = frequencies(names).slice(0, MOST);
  return first.map(([name]) => name);
}
