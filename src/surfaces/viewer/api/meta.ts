import { basename } from 'node:path';
import { readHead } from '../../../git/locate.ts';
import { packageVersion } from '../../../templates.ts';
import type { Library } from '../library.ts';
import type { Kind, Meta } from '../protocol.ts';

/** Most names in a filter's list. */
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
    ...(project.config().config.capture.approve && { inbox: true }),
  };
}

/** How many records of each kind there are, and the names for the filters. */
export function namesIn(
  cards: { kind: Kind; type: string; concepts: string[]; branch?: string | null | undefined }[],
): Pick<Meta, 'counts' | 'types' | 'concepts' | 'branches'> {
  const counts = { observation: 0, summary: 0, mark: 0, prompt: 0 };
  const names = {
    types: new Map<string, number>(),
    concepts: new Map<string, number>(),
    branches: new Map<string, number>(),
  };
  const count = (of: Map<string, number>, name: string) => of.set(name, (of.get(name) ?? 0) + 1);
  for (const { kind, type, concepts, branch } of cards) {
    counts[kind]++;
    if (kind !== 'observation' && kind !== 'summary') continue;
    count(names.types, type);
    for (const concept of concepts) count(names.concepts, concept);
    if (branch) count(names.branches, branch);
  }
  return {
    counts,
    types: commonest(names.types),
    concepts: commonest(names.concepts),
    branches: commonest(names.branches),
  };
}

function commonest(counts: Map<string, number>): string[] {
  const sorted = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return sorted.slice(0, MOST).map(([name]) => name);
}
