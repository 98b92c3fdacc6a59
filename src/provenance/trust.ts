import { resolve } from 'node:path';
import { defaultBranches } from '../git/default-branch.ts';
import {
  COMMAND_PATIENCE_MS,
  isAncestor,
  PATIENCE_MS,
  parseRawLog,
  RAW_LOG,
  readBlobs,
  runGit,
  treeFiles,
} from '../git/objects.ts';
import { isInside } from '../git/paths.ts';
import { commitOf, keptBlobs } from '../kept/facts.ts';
import { realpathSync } from '../looks.ts';
import { type EffectiveState, isHidden } from '../memory/marks.ts';
import type { StoreName } from '../memory/record.ts';
import { readLedgers } from '../memory/store/ledger.ts';
import { decodable, type Entry, type StoredFile, type StoredRecord } from '../memory/store/source.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import type { Environment } from '../user-folders.ts';
import { handEdits, inOtherLayout } from './hand-edits.ts';
import { TRUST, type Trust } from './levels.ts';

/** A file with its content's blob: all that judging its trust needs, since the meaning plays no part. */
export interface FileVersion {
  entry: Pick<Entry, 'store' | 'path'>;
  blob: string;
}

export interface TrustOptions {
  /** The default branches, if the caller already knows them. */
  branches?: string[];
  /** Whether signatures are verified, which costs time per commit: hooks that fire at every read cannot afford it. */
  signatures: boolean;
}

/**
 * The trust of each file, in their order: one git child per default branch for any number of files that were not asked
 * about since it moved; more only for untrusted files that this clone wrote, or if the user named allowed signers.
 */
export async function trustOf(files: FileVersion[], workspace: Workspace, options: TrustOptions): Promise<Trust[]> {
  const ledger = readLedgers(workspace);
  const paths = files.filter(({ entry }) => entry.store === 'team').map(pathOf);
  const branches = paths.length === 0 ? [] : (options.branches ?? (await reviewedTrees(workspace)));
  const trees = await Promise.all(branches.map((branch) => reviewedBlobs(workspace, branch, paths)));
  const levels = files.map((file): Trust => {
    const blobs = file.entry.store === 'team' ? trees.map((tree) => tree.get(pathOf(file))) : [];
    if (blobs.includes(file.blob)) return 'reviewed';
    if (ledger.has(file.blob)) return 'own';
    return blobs.every((blob) => blob === undefined) ? 'unreviewed' : 'edited';
  });
  const unreviewed = files.filter(({ entry }, i) => entry.store === 'team' && levels[i] === 'unreviewed');
  const laidOut = inOtherLayout(workspace, unreviewed);
  const rest = unreviewed.filter(({ blob }) => !laidOut.has(blob));
  const own = new Set([...laidOut, ...(await handEdits(workspace, rest))]);
  for (const [i, { blob }] of files.entries()) if (levels[i] === 'unreviewed' && own.has(blob)) levels[i] = 'own';
  const strange = files.filter(({ entry }, i) => entry.store === 'team' && !isTrusted(levels[i] ?? 'unreviewed'));
  if (!options.signatures || strange.length === 0) return levels;
  const places = strange.map((file) => ({ path: pathOf(file), blob: file.blob }));
  const signed = await signedBlobs(workspace, places);
  return levels.map((level, i) => {
    const file = files[i];
    const isSigned = file?.entry.store === 'team' && signed.has(`${file.blob} ${pathOf(file)}`);
    return isSigned && !isTrusted(level) ? 'own' : level;
  });
}

/** Something that was read, with the trust of its content. */
export type WithTrust<F> = F & { trust: Trust };

/** The files with the trust of each, in their order; `trustOf` says what it costs. */
export async function withTrust<F extends FileVersion>(
  files: F[],
  workspace: Workspace,
  options: TrustOptions,
): Promise<WithTrust<F>[]> {
  const levels = await trustOf(files, workspace, options);
  return files.map((file, i) => ({ ...file, trust: levels[i] ?? 'unreviewed' }));
}

/**
 * Judged files with the text that counts: of one edited since its review, the reviewed text until the edit is reviewed
 * or accepted. One more git child, if there is one.
 */
export async function withReviewedText<F extends WithTrust<StoredFile>>(
  files: F[],
  workspace: Workspace,
  branches?: string[],
): Promise<F[]> {
  const edited = files.filter(({ trust }) => trust === 'edited');
  if (edited.length === 0 || workspace.at !== undefined) return files;
  const paths = edited.map(pathOf);
  const named = branches ?? (await reviewedTrees(workspace));
  const trees = await Promise.all(named.map((branch) => reviewedBlobs(workspace, branch, paths)));
  const blobOf = (file: F) => trees.map((tree) => tree.get(pathOf(file))).find((blob) => blob !== undefined) ?? '';
  const contents = await readBlobs(workspace.checkout.root, new Set(edited.map(blobOf)), workspace.env);
  return files.map((file) => {
    const blob = file.trust === 'edited' ? blobOf(file) : '';
    const text = contents.get(blob)?.toString('utf8');
    return text === undefined ? file : { ...file, blob, text };
  });
}

/** The same for records that were read. */
export async function withReviewedRecord<F extends WithTrust<StoredRecord>>(
  records: F[],
  workspace: Workspace,
): Promise<F[]> {
  const files = await withReviewedText(records, workspace);
  return files.map((file, i) => (file === records[i] ? file : (decodable(file) ?? file)));
}

/** Whether a record counts: the text was reviewed, or written here. */
export function isTrusted(trust: Trust): boolean {
  return trust === 'reviewed' || trust === 'own';
}

/** Whether a judged record counts: trusted, and neither superseded, retired nor redacted. */
export function isActive({ trust, state }: { trust: Trust; state: EffectiveState }): boolean {
  return isTrusted(trust) && !isHidden(state);
}

/**
 * One item for each id, in their order. A file may claim another's id: then the most trusted counts, among equals the
 * team's, which others see, and then the first.
 */
export function mostTrusted<T>(items: T[], of: (item: T) => { id: string; store: StoreName; trust: Trust }): T[] {
  const best = new Map<string, { item: T; rank: number }>();
  for (const item of items) {
    const { id, store, trust } = of(item);
    const rank = TRUST.indexOf(trust) * 2 + (store === 'team' ? 0 : 1);
    const known = best.get(id);
    if (known === undefined || rank < known.rank) best.set(id, { item, rank });
  }
  const chosen = new Set([...best.values()].map(({ item }) => item));
  return items.filter((item) => chosen.has(item));
}

/** The same for records that were read. */
export function mostTrustedRecords<R extends WithTrust<StoredRecord>>(records: R[]): R[] {
  return mostTrusted(records, ({ record, entry, trust }) => ({ id: record.id, store: entry.store, trust }));
}

export async function reviewedTrees(workspace: Workspace): Promise<string[]> {
  const { checkout, env, at } = workspace;
  const branches = defaultBranches(workspace);
  if (at === undefined) return branches;
  // The tree of a commit that is now part of a default branch was reviewed, even if its files were removed since.
  const parts = await Promise.all(branches.map((branch) => isAncestor(checkout.root, at, branch, env)));
  return parts.includes(true) ? [...branches, at] : branches;
}

function pathOf({ entry }: FileVersion): string {
  return `.memory/${entry.path}`;
}

/** For more paths, their folders are named: a command line is limited, and these take 50 KB of macOS's 1 MB. */
const NAMED_PATHS = 400;

async function reviewedBlobs(workspace: Workspace, branch: string, paths: string[]): Promise<Map<string, string>> {
  const { checkout, env } = workspace;
  const ask = (revision: string, some: string[]) => treeBlobs(checkout.root, revision, some, env);
  // Asked by the commit, whose tree never changes.
  if (paths.length > NAMED_PATHS) return (await ask(commitOf(checkout, branch) ?? branch, paths)) ?? new Map();
  return keptBlobs(workspace, branch, paths, ask);
}

/**
 * The blobs at these paths in a revision's tree; undefined if git does not answer. One walk: asking `git cat-file` for
 * each path would parse the month's folder again for each, which with thousands of records is half the time of a
 * session start.
 */
async function treeBlobs(
  root: string,
  revision: string,
  paths: string[],
  env: Environment,
): Promise<Map<string, string> | undefined> {
  const isMany = paths.length > NAMED_PATHS;
  // Only commands ask about this many; a timeout would make a whole memory untrusted.
  const patienceMs = isMany ? COMMAND_PATIENCE_MS : PATIENCE_MS;
  const files = await treeFiles(root, revision, isMany ? foldersOf(paths) : paths, env, patienceMs);
  const asked = new Set(paths);
  const found = files?.filter(({ path }) => asked.has(path));
  return found && new Map(found.map(({ path, blob }) => [path, blob]));
}

/** The folders of many paths; for very many, the whole memory. */
function foldersOf(paths: string[]): string[] {
  const folders = new Set(paths.map((path) => path.slice(0, path.lastIndexOf('/'))));
  return folders.size > NAMED_PATHS ? ['.memory'] : [...folders];
}

/** Most commits whose signatures are verified, newest first: each costs two processes. */
const MOST_COMMITS = 50;

/** Most paths on one command line, 50 KB of macOS's 1 MB; further files stay unreviewed until somebody reviews them. */
const MOST_PATHS = 400;

/** The settings to read; a repository's own may name a list that came with it. */
const KEYS = '^(gpg\\.ssh\\.allowedsignersfile|core\\.repositoryformatversion)$';

/** Verifying takes longer than asking git for objects, and a session start waits for it. In milliseconds. */
const SIGNATURES_MS = 10_000;

/**
 * Which of these files, as `blob path`, a commit with a good SSH signature added or changed, by a signer in the user's or
 * the machine's `gpg.ssh.allowedSignersFile`. None without that setting. An author's name is only text; a signature is not.
 */
export async function signedBlobs(
  { checkout, env }: Workspace,
  places: { path: string; blob: string }[],
): Promise<Set<string>> {
  const { root, commonDir } = checkout;
  // The format version is in every repository, so git answers even without a list, and what depends on it can be cached.
  const question = ['config', '--type=path', '--show-scope', '-z', '--get-regexp', KEYS];
  const settings = ((await runGit(root, question, env)) ?? '').split('\0');
  const listed = settings.filter((_, i) => /^(?:global|system)$/.test(settings[i - 1] ?? ''));
  const given = listed.findLast((one) => one.startsWith('gpg.'))?.replace(/^.*\n/, '') ?? '';
  const file = resolve(root, given);
  // A list of signers inside the checkout came with it: any branch can add a key.
  if (given === '' || (isWithin(root, file) && !isWithin(commonDir, file))) return new Set();
  const wanted = new Set(places.map(({ path, blob }) => `${blob} ${path}`));
  const log = [
    ...['-c', `gpg.ssh.allowedSignersFile=${file}`, 'log', `--max-count=${MOST_COMMITS}`, '--format=%G? %GK'],
    ...[...RAW_LOG, '--no-renames', '--diff-filter=AM', 'HEAD', '--'],
    ...places.slice(0, MOST_PATHS).map(({ path }) => `:(top,literal)${path}`),
  ];
  const output = (await runGit(root, log, env, { patienceMs: SIGNATURES_MS })) ?? '';
  const signed = new Set<string>();
  for (const { head, changes } of parseRawLog(output)) {
    // Keys of the GnuPG keyring are trusted for other reasons than being allowed here.
    if (!head.startsWith('G SHA256:')) continue;
    for (const { blob, path } of changes) if (wanted.has(`${blob} ${path}`)) signed.add(`${blob} ${path}`);
  }
  return signed;
}

function isWithin(folder: string, path: string): boolean {
  try {
    return isInside(realpathSync(path), realpathSync(folder));
  } catch {
    return false; // No such file: git finds no signer in it either.
  }
}
