import { createSecretScanner } from '../../review/exposed.ts';
import type { Commit } from './protocol-record.ts';
import type { SiteData } from './protocol-site.ts';

/** The data to publish, with secrets removed everywhere, and how many records contained one. */
export interface Covered {
  data: SiteData;
  exposed: number;
}

/** Searches for secrets once more, because published text cannot be taken back. `onRecord` gets the progress. */
export async function coveredData(data: SiteData, onRecord: (done: number) => void): Promise<Covered> {
  const { scan, cover } = createSecretScanner();
  let exposed = 0;
  for (const [i, { raw }] of data.records.entries()) {
    if ((await scan(raw)).length > 0) exposed++;
    onRecord(i + 1);
  }
  // A commit subject is somebody else's text too.
  let isElsewhere = false;
  for (const subject of new Set(commitsIn(data).map(({ subject }) => subject))) {
    if ((await scan(subject)).length > 0) isElsewhere = true;
  }
  return { data: exposed > 0 || isElsewhere ? throughout(data, cover) : data, exposed };
}

function commitsIn({ records }: SiteData): Commit[] {
  return records.map(({ provenance: { recorded } }) => recorded).filter((commit) => commit !== null);
}

/** The same value with every text in it changed. */
function throughout<T>(value: T, change: (text: string) => string): T;
function throughout(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => throughout(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, throughout(one, change)]));
}
