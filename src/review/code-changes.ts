import { objectOrNone } from '../git/object-id.ts';
import { askGit } from '../git/objects.ts';
import { rawChanges } from '../git/raw-log.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { answered, MEMORY } from './memory-tree.ts';
import type { Range } from './range.ts';
import type { FiledRecord } from './records.ts';

/** What a change did to the files outside `.memory/`. */
export interface CodeChanges {
  /** Blob of each changed file before and after, by path; undefined if there was or is no file. */
  files: Map<string, { before: string | undefined; after: string | undefined }>;
}

/** The code that a range changes, from one git child that compares the two trees. */
export async function codeChanges(workspace: Workspace, { base, head }: Range): Promise<CodeChanges> {
  const files: CodeChanges['files'] = new Map();
  if (base === undefined) return { files };
  const shape = ['--raw', '-z', '--no-renames', '--no-abbrev', '--ignore-submodules'];
  const args =
    head === undefined
      ? ['diff', '--no-ext-diff', '--no-textconv', ...shape, base, '--']
      : ['diff-tree', '-r', ...shape, base, head, '--'];
  const output = await askGit(workspace, args);
  for (const { path, mode, before, blob } of rawChanges(answered(output, `what changed since ${base}`))) {
    if (path.startsWith(`${MEMORY}/`)) continue;
    // A mode of zeros is a deletion; an id of zeros beside a mode is a working file that git has not hashed.
    files.set(path, { before: objectOrNone(before), after: Number(mode) === 0 ? undefined : blob });
  }
  return { files };
}

/** A record whose cited files changed, with what this change did to them. */
export interface StaleRecord<R extends Pick<FiledRecord, 'record'> = FiledRecord> {
  filed: R;
  files: string[];
  /** As freshness would call it: every file only moved, every file gone, or at least one edited. */
  freshness: 'touched' | 'moved' | 'gone';
}

/** The records whose anchors matched before the change and no longer do. */
export function staleByChange<R extends Pick<FiledRecord, 'record'>>(
  records: R[],
  { files }: CodeChanges,
): StaleRecord<R>[] {
  const arrived = new Set([...files.values()].filter(({ before }) => before === undefined).map(({ after }) => after));
  return records.flatMap((filed) => {
    const anchors = filed.record.kind === 'observation' ? Object.entries(filed.record.anchors) : [];
    const broken = anchors.filter(([path, blob]) => {
      const change = files.get(path);
      return change !== undefined && change.before === blob && change.after !== blob;
    });
    if (broken.length === 0) return [];
    const fates = broken.map(([path, blob]) =>
      files.get(path)?.after !== undefined ? 'touched' : arrived.has(blob) ? 'moved' : 'gone',
    );
    const all = (fate: string) => fates.every((one) => one === fate);
    const freshness = all('moved') ? 'moved' : all('gone') && broken.length === anchors.length ? 'gone' : 'touched';
    return [{ filed, files: broken.map(([path]) => path), freshness }];
  });
}
