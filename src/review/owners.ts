import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { objectIds, readBlobs } from '../git/objects.ts';
import { isContent } from '../memory/record.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { type CheckOptions, changedSince, treeOf } from './check.ts';
import { citedPaths } from './cited-paths.ts';
import { CODEOWNERS_PATHS, type CodeOwners, parseCodeOwners } from './codeowners.ts';
import { createSecretScanner } from './exposed.ts';
import { startOf } from './range.ts';
import { readRecords } from './records.ts';
import { type Item, itemOf } from './review-item.ts';

/** A new or changed record with the owners of the code it is about. */
export interface OwnedRecord extends Item {
  owners: string[];
  /** The owners of each cited file that has any. */
  files: Record<string, string[]>;
}

/** Largest CODEOWNERS file that is read, as on GitHub. */
const MAX_BYTES = 3_000_000;

/** Whose approval the records that differ from the base need; throws no-such-revision. */
export async function ownedRecords(workspace: Workspace, options: CheckOptions = {}): Promise<OwnedRecord[]> {
  const tree = await treeOf(workspace, options);
  const start = await startOf(workspace, options.base);
  const isChanged = await changedSince(workspace, tree, start);
  const owners = await codeOwners(workspace, start);
  const { scan, cover } = createSecretScanner();
  const changed = readRecords(new Map([...tree].filter(([path]) => isChanged(path)))).records;
  for (const { text } of changed) await scan(text);
  return changed
    .filter(({ record }) => isContent(record))
    .map((filed) => {
      const owned = citedPaths(filed).map((path) => [cover(path), owners.of(path)] as const);
      const files = Object.fromEntries(owned.filter(([, names]) => names.length > 0));
      return { ...itemOf(filed, cover), owners: [...new Set(Object.values(files).flat())], files };
    });
}

/**
 * The owners according to the base, because a change must not choose its own reviewers; from the checkout if the base
 * has no CODEOWNERS file.
 */
async function codeOwners({ checkout, env }: Workspace, base: string | undefined): Promise<CodeOwners> {
  const names = base === undefined ? [] : CODEOWNERS_PATHS.map((path) => `${base}:${path}`);
  const blob = (await objectIds(checkout.root, names, env))?.find((id) => id !== undefined);
  if (blob !== undefined) {
    const text = (await readBlobs(checkout.root, [blob], env)).get(blob)?.toString('utf8');
    if (text !== undefined) return parseCodeOwners(text.length <= MAX_BYTES ? text : '');
  }
  for (const path of CODEOWNERS_PATHS.map((name) => join(checkout.root, name))) {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isFile() && stat.size <= MAX_BYTES) return parseCodeOwners(readFileSync(path, 'utf8'));
  }
  return parseCodeOwners('');
}
