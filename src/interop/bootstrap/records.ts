import { idOf } from '../../memory/id.ts';
import { canonical, type MemoryRecord, type Observation, oneLine } from '../../memory/record.ts';
import type { Cleaner } from '../../worker/clean.ts';
import { cleanRecord, limited } from '../../worker/clean-record.ts';
import { createCiter } from './citation.ts';
import type { Finding } from './finding.ts';
import type { History } from './history.ts';

/** What a record's front matter says of the finding behind it, so that a later run finds it again. */
export interface Origin {
  /** The id over pattern and subject: a pair of files, a reverted commit. */
  finding: string;
  /** Commits that spoke for it. */
  support: number;
}

/** The key of a record's front matter that holds its origin. */
const KEY = 'bootstrap';

/** The finding's own id, the same at every run. */
export function findingId({ pattern, subject }: Finding): string {
  return idOf('finding', pattern, subject);
}

/** Where a record of an earlier run came from; undefined for any other. */
export function originOf(record: MemoryRecord): Origin | undefined {
  const noted = record.extra?.[KEY];
  if (typeof noted !== 'object' || Array.isArray(noted)) return undefined;
  const { finding, support } = noted;
  return typeof finding === 'string' ? { finding, support: Number(support) || 0 } : undefined;
}

/**
 * The record of a finding. Its id is over all that it says and its time is that of the newest commit it cites, so the same
 * history gives the same bytes in every clone, and other evidence never meets the same file name.
 */
export async function recordOf(
  finding: Finding,
  { history, cleaner, supersedes }: { history: History; cleaner: Cleaner; supersedes: string[] },
): Promise<Observation> {
  const telling = finding.tell(await createCiter(finding.commits, cleaner));
  const newest =
    finding.commits
      .map(({ at }) => at)
      .sort()
      .at(-1) ?? '';
  const cited = [...telling.files_modified, ...telling.files_read].slice(0, 40);
  const anchors = cited.flatMap((path): [string, string][] => {
    const blob = history.tree.get(path);
    return blob === undefined || oneLine(path) !== path ? [] : [[path, blob]];
  });
  const clean = await cleanRecord(
    canonical<Observation>({
      id: '',
      kind: 'observation',
      ...telling,
      anchors: Object.fromEntries(anchors),
      supersedes,
      generated: { by: 'git-mem/bootstrap', at: newest },
      extractor: 'bootstrap',
    }),
    cleaner,
  );
  const origin = { pattern: finding.pattern, finding: findingId(finding), support: String(finding.support) };
  const content = canonical(limited(clean));
  return { ...content, id: idOf('bootstrap', JSON.stringify([content, origin])), extra: { [KEY]: origin } };
}
