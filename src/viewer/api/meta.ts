import { basename } from 'node:path';
import { readHead } from '../../repo/locate.ts';
import { packageVersion } from '../../templates.ts';
import type { Library } from '../library.ts';
import type { Meta } from '../protocol.ts';

/** What surrounds every page. */
export async function meta({ project, cache }: Library, now: Date): Promise<Meta> {
  const { checkout } = project.workspace;
  const revision = await cache.query((index) => index.version());
  const counts = { observation: 0, summary: 0, mark: 0, prompt: 0 };
  return {
    repository: basename(checkout.root),
    branch: readHead(checkout).branch ?? null,
    version: packageVersion(),
    live: true,
    revision,
    counts,
    types: [],
    concepts: [],
    branches: [],
    at: now.toISOString(),
  };
}
