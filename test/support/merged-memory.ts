import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { locate, readHead } from '../../src/git/locate.ts';
import { decode } from '../../src/memory/codec.ts';
import { parseFileName } from '../../src/memory/file-name.ts';
import { blobId } from '../../src/memory/id.ts';
import { foldMarks, isHidden } from '../../src/memory/marks.ts';
import { removeFolder } from '../../src/setup/demo.ts';
import { CITED_FILES } from './generated-records.ts';
import { abandonJoin, type Git, gitIn, JoinFailed, joinTips } from './merge-joins.ts';
import type { MergeStore } from './merge-stores.ts';
import type { Trial } from './merge-trials.ts';
import { snapshot } from './replayed-session.ts';
import type { TestRepository } from './repository.ts';

/** File contents by path. */
export type Files = Record<string, string>;

/** What came of one way to join a trial's branches. */
export interface Joined {
  way: string;
  /** What git said where it did not join them cleanly. */
  conflict?: string;
  /** What `git status` shows afterwards. */
  status?: string;
  /** The memory's part of the working tree, and of the commit as blob ids. */
  files?: Files;
  blobs?: Files;
}

/** What came of a trial. */
export interface Outcome {
  joined: Joined[];
  /** All that any branch holds at its end, and all that any commit ever held, by path. */
  tips: Files;
  ever: Files;
  /** Paths under which two branches hold different content. */
  clashes: string[];
}

/** Plays a trial in a repository of its own below `folder`, which is gone afterwards. */
export async function playTrial(
  { folder, env }: Pick<TestRepository, 'folder' | 'env'>,
  store: MergeStore,
  trial: Trial,
): Promise<Outcome> {
  const root = join(folder, 'trial');
  gitIn(folder, env)('init', '--quiet', '--template=', root);
  try {
    const outcome: Outcome = { joined: [], tips: {}, ever: {}, clashes: [] };
    const tips = await grow(root, env, store, trial, outcome);
    for (const one of trial.joins) {
      const git = gitIn(root, env, one.config);
      outcome.joined.push(joinedBy(git, root, [one.way, ...one.config].join(' '), () => joinTips(git, tips, one)));
    }
    return outcome;
  } finally {
    await removeFolder(root);
  }
}

/** Makes all commits of the trial; gives the branches' tips. */
async function grow(
  root: string,
  env: TestRepository['env'],
  store: MergeStore,
  { initial, branches }: Trial,
  outcome: Outcome,
): Promise<string[]> {
  const start = { from: 0, commits: [initial], autocrlf: false };
  const commits: string[] = [];
  const tips: string[] = [];
  for (const [i, branch] of [start, ...branches].entries()) {
    const git = gitIn(root, env, branch.autocrlf ? ['core.autocrlf=true'] : []);
    if (i === 0) beginIn(root, store);
    // The default branch starts where everything starts.
    else
      git(
        'checkout',
        '--quiet',
        '--force',
        '-b',
        `branch-${i}`,
        commits[i === 1 ? 0 : branch.from % commits.length] ?? '',
      );
    changeCitedFiles(root, i);
    for (const operations of branch.commits) {
      for (const operation of operations) await store.apply(root, operation);
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '--message', `Commit ${commits.length}`);
      commits.push(headOf(root));
      Object.assign(outcome.ever, memoryIn(root));
    }
    if (i === 0) continue;
    tips.push(commits.at(-1) ?? '');
    for (const [path, text] of Object.entries(memoryIn(root))) {
      if ((outcome.tips[path] ?? text) !== text) outcome.clashes.push(path);
      outcome.tips[path] = text;
    }
  }
  return tips;
}

function headOf(root: string): string {
  const checkout = locate(root);
  return (checkout && readHead(checkout).commit) ?? '';
}

function beginIn(root: string, store: MergeStore): void {
  store.start(root);
  mkdirSync(join(root, '.git/info'), { recursive: true });
  writeFileSync(join(root, '.git/info/exclude'), '/src/\n');
}

/** The code that records cite differs from branch to branch; git need not know it. */
function changeCitedFiles(root: string, branch: number): void {
  for (const path of CITED_FILES.slice(0, 3)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), `export const branch = ${branch};\n`);
  }
}

function joinedBy(git: Git, root: string, way: string, act: () => void): Joined {
  try {
    act();
    const status = git('status', '--porcelain');
    const tree = git('ls-tree', '-r', '-z', 'HEAD', '.memory').split('\0').filter(Boolean);
    const blobs = tree.map((line) => [line.split('\t')[1]?.slice('.memory/'.length), line.split(/[ \t]/)[2]]);
    return { way, status, files: memoryIn(root), blobs: Object.fromEntries(blobs) };
  } catch (error) {
    if (!(error instanceof JoinFailed)) throw error;
    abandonJoin(git);
    return { way, conflict: error.message };
  }
}

function memoryIn(root: string): Files {
  return snapshot(join(root, '.memory'));
}

/** The blob ids that these files have when they are committed byte for byte. */
export function blobsOf(files: Files): Files {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, blobId(text)]));
}

/** What a reader of these files is told: of each record that is not hidden its text and its state. */
export function effectiveMemory(files: Files): Record<string, unknown> {
  const records = Object.entries(files)
    .filter(([path]) => parseFileName(path) !== undefined)
    // Newest first; of two files with one id readers take the first.
    .sort(([a], [b]) => (keyOf(a) < keyOf(b) ? 1 : -1))
    .map(([path, text]) => ({ text, record: decode(text, path) }));
  const states = foldMarks(records.map(({ record }) => record));
  const memory: Record<string, unknown> = {};
  for (const { record, text } of records) {
    const state = states.of(record.id);
    if (record.kind !== 'mark' && !isHidden(state)) memory[record.id] ??= { text, state };
  }
  return memory;
}

function keyOf(path: string): string {
  const file = path.slice(path.lastIndexOf('/') + 1);
  return `${file.slice(0, 16)}${file.slice(-13)}/${path}`;
}
