import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { objectIds, readBlobs } from '../git/objects.ts';
import { matchesGlob } from '../memory/glob.ts';
import { isContent } from '../memory/record.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { withoutEndSlashes } from '../slashes.ts';
import { type CheckOptions, changedSince, treeOf } from './check.ts';
import { createSecretScanner } from './exposed.ts';
import { startOf } from './memory-tree.ts';
import { type FiledRecord, readRecords } from './records.ts';
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

/** The owners according to the base: a change must not choose its reviewers. Without a file there, the checkout's. */
async function codeOwners({ checkout, env }: Workspace, base: string | undefined) {
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

/** Where the file may be; the first one found counts. */
const CODEOWNERS_PATHS = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'];

type Rule = { pattern: string; owners: string[] };

/**
 * Parses a CODEOWNERS file. In each section the last matching line counts, and one without owners removes them; GitHub
 * has no sections, so its whole file is one. Sources:
 * https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners,
 * https://docs.gitlab.com/user/project/codeowners/reference/.
 */
export function parseCodeOwners(text: string): { of(path: string): string[] } {
  const sections = new Map<string, Rule[]>([['', []]]);
  let rules = sections.get('') ?? [];
  let standard: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const content = line.replace(/(^|\s)#.*$/s, '').trim();
    if (content === '') continue;
    const section = /^\^?\[([^\]]+)\](?:\[\d+\])?(?:\s+(.*))?$/.exec(content);
    if (section) {
      const name = section[1]?.toLowerCase() ?? '';
      rules = sections.get(name) ?? [];
      sections.set(name, rules);
      standard = ownersIn(section[2] ?? '');
      continue;
    }
    // A space within a path is escaped by a backslash.
    const [, path = '', rest = ''] = /^((?:\\.|[^\s\\])+)(?:\s+(.*))?$/s.exec(content) ?? [];
    const pattern = path.replace(/\\(.)/g, '$1');
    if (pattern.startsWith('!')) continue;
    const owners = ownersIn(rest);
    rules.push({ pattern, owners: owners.length > 0 ? owners : standard });
  }
  return {
    of(path) {
      const last = (rules: Rule[]) => rules.findLast(({ pattern }) => fits(pattern, path))?.owners ?? [];
      return [...new Set([...sections.values()].flatMap(last))];
    },
  };
}

function ownersIn(text: string): string[] {
  return text.split(/\s+/).filter((word) => /^@.|.@./.test(word));
}

/** As in .gitignore, except that a trailing `*` matches only files directly in that folder. */
function fits(pattern: string, path: string): boolean {
  const isFolder = pattern.endsWith('/');
  const bare = withoutEndSlashes(pattern.replace(/^\/+/, ''));
  if (bare === '') return isFolder;
  const isAnchored = pattern.startsWith('/') || bare.includes('/');
  const glob = isAnchored || bare === '**' ? bare : `**/${bare}`;
  if (!isFolder && matchesGlob(glob, path)) return true;
  return !bare.endsWith('/*') && matchesGlob(`${glob}/**`, path);
}

/** The files that a record is about, each once. */
function citedPaths({ record }: FiledRecord): string[] {
  if (record.kind === 'observation') return [...new Set([...record.files_modified, ...record.files_read])];
  return record.kind === 'summary' ? [...new Set([...record.files_edited, ...record.files_read])] : [];
}
