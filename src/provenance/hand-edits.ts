import { objectIds, runGit } from '../git/objects.ts';
import { splitFrontMatter } from '../memory/front-matter.ts';
import { blobId } from '../memory/id.ts';
import { heldCopy } from '../memory/store/held.ts';
import { noteEdited, readLedgers, readOwnVersions } from '../memory/store/ledger.ts';
import type { Entry } from '../memory/store/source.ts';
import type { Workspace } from '../memory/store/workspace.ts';

interface Version {
  entry: Pick<Entry, 'path'>;
  blob: string;
}

/** What git writes when it converts line endings or expands idents; text with either may not be a person's. */
const CONVERTED = /\r|\$Id:/;

/**
 * Among files of the team's store whose content is not trusted, the blobs that a person made by editing what this clone
 * wrote; they are noted. Git must call the file modified, with this clone's own blob in its index. Or the file is
 * untracked and neither it nor this clone's version was ever in the index: then nobody else knows its path. Text of
 * others is in git's object database before it is in the checkout, unless git converts it on the way; so nothing that
 * may be converted counts. A staged edit counts if this clone's version never was, and no commit that git has here has
 * the path: agents correct a record, stage it and commit it in one command. Asks git only about files that this clone
 * wrote.
 */
export async function handEdits(workspace: Workspace, files: Version[]): Promise<Set<string>> {
  const { checkout, env, ledger, at } = workspace;
  if (files.length === 0 || at !== undefined) return new Set();
  const own = readLedgers(workspace);
  const written = readOwnVersions(workspace, own);
  const ours = files.filter(({ entry }) => written.has(entry.path)).filter((file) => isPlain(workspace, file));
  if (ours.length === 0) return new Set();
  const versions = ours.flatMap(({ entry }) => written.get(entry.path) ?? []);
  const known = await objectIds(checkout.root, [...ours.map(({ blob }) => blob), ...versions], env);
  if (known === undefined) return new Set();
  const staged = new Set(known.filter((blob) => blob !== undefined));
  const isUnstaged = (path: string) => !written.get(path)?.some((blob) => staged.has(blob));
  const possible = ours.filter(({ blob, entry: { path } }) => !staged.has(blob) || isUnstaged(path));
  if (possible.length === 0) return new Set();
  const paths = possible.map(({ entry }) => `.memory/${entry.path}`);
  const status = ['status', '--porcelain=v2', '-z', '--no-renames', '--untracked-files=all', '--ignored'];
  const [state, attributes] = await Promise.all([
    runGit(checkout.root, [...status, '--', ...paths.map((path) => `:(top,literal)${path}`)], env),
    runGit(checkout.root, ['check-attr', '-z', 'filter', 'working-tree-encoding', '--', ...paths], env),
  ]);
  const blobs = new Map(possible.map(({ entry, blob }) => [entry.path, blob]));
  const isEdit = new Map<string, boolean>();
  const added: string[] = [];
  for (const line of state?.split('\0') ?? []) {
    // For a tracked file: its state in index and checkout, a submodule's, three modes, the blobs in HEAD and index.
    const [, tracked, inIndex = '', full] = /^(?:1 (.M|A\.) (?:\S+ ){5}(\S+)|[?!]) (.+)$/s.exec(line) ?? [];
    if (full === undefined) continue;
    const path = full.slice('.memory/'.length);
    if (tracked === 'A.' && inIndex === blobs.get(path) && isUnstaged(path)) added.push(full);
    else if (staged.has(blobs.get(path) ?? '')) continue;
    else isEdit.set(full, tracked === undefined ? isUnstaged(path) : own.has(inIndex));
  }
  if (added.length > 0 && (await isInNoCommit(workspace, added))) for (const path of added) isEdit.set(path, true);
  const fields = attributes?.split('\0') ?? [];
  for (let i = 0; i + 2 < fields.length; i += 3) {
    if (!/^un(?:set|specified)$/.test(fields[i + 2] ?? '')) isEdit.delete(fields[i] ?? '');
  }
  const edited = possible.filter((_, i) => attributes !== undefined && isEdit.get(paths[i] ?? ''));
  const noted = edited.map(({ blob }) => blob);
  if (noted.length > 0) noteEdited(ledger, noted);
  return new Set(noted);
}

/** Whether no commit of a branch, a reflog or the last fetch has any of these paths; HEAD's history is not searched. */
async function isInNoCommit({ checkout, env }: Workspace, paths: string[]): Promise<boolean> {
  const names = ['FETCH_HEAD', 'ORIG_HEAD', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'REBASE_HEAD'];
  const from = ['rev-list', '--max-count=1', '--ignore-missing', '--all', '--reflog', ...names, '--not', 'HEAD'];
  return (await runGit(checkout.root, [...from, '--', ...paths.map((path) => `:(top,literal)${path}`)], env)) === '';
}

/**
 * Among files whose content is not trusted, the blobs that differ from what this clone wrote only in layout: a
 * formatter ran before the commit. Every word is the same, so it does not matter who ran it.
 */
export function inOtherLayout(workspace: Workspace, files: Version[]): Set<string> {
  const { stores, layout, format, at } = workspace;
  if (files.length === 0 || at !== undefined) return new Set();
  const written = readOwnVersions(workspace);
  const isSame = ({ entry: { path }, blob }: Version) => {
    try {
      const bytes = stores.team.files.bytes(path);
      return blobId(bytes, format) === blob && wordsOf(bytes, path) === wordsOf(heldCopy(layout.state, path), path);
    } catch {
      return false; // No copy is held, or one of them is not a record.
    }
  };
  return new Set(files.filter((file) => written.has(file.entry.path) && isSame(file)).map(({ blob }) => blob));
}

/** A record without what formatters change: front matter style, white space and Markdown marks. */
function wordsOf(bytes: Buffer, path: string): string {
  const { data, body } = splitFrontMatter(bytes.toString('utf8'), path);
  const text = body.replace(/^\s*(?:[-*+]|\d+[.)])\s|:?-{3,}:?/gm, '').replace(/[\s\\*_|]/g, '');
  return JSON.stringify([data, text]);
}

function isPlain({ stores, format }: Workspace, { entry, blob }: Version): boolean {
  try {
    const bytes = stores.team.files.bytes(entry.path);
    const text = bytes.toString('utf8');
    // Other encodings leave bytes that are not UTF-8.
    return !CONVERTED.test(text) && Buffer.from(text).equals(bytes) && blobId(text, format) === blob;
  } catch {
    return false; // Removed meanwhile.
  }
}

/** The ids of the untrusted files at paths that this clone wrote: a person may have to say whose text it is. */
export function changedHere(
  workspace: Workspace,
  files: readonly { entry: Pick<Entry, 'id' | 'path' | 'store'>; trust: string }[],
): string[] {
  const unreviewed = files.filter(({ entry, trust }) => entry.store === 'team' && trust === 'unreviewed');
  if (unreviewed.length === 0) return [];
  const written = readOwnVersions(workspace);
  return unreviewed.flatMap(({ entry }) => (written.has(entry.path) ? [entry.id] : []));
}

/** `k3v9x2qd7m has text that may not be yours: git mem trust k3v9x2qd7m accepts it.` */
export function changedSentence(ids: readonly string[]): string {
  const [these, have] = ids.length === 1 ? [ids[0], 'has'] : [`${ids.length} records that this clone wrote`, 'have'];
  return `${these} ${have} text that may not be yours: \`git mem show\`, then \`git mem trust ${ids.slice(0, 4).join(' ')}\` accepts ${ids.length === 1 ? 'it' : 'them'}.`;
}
