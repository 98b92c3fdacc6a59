import { basename } from 'node:path/posix';
import { readRevert } from '../../provenance/revert-words.ts';
import { mergesOf } from './commit-lookup.ts';
import { evidence, type Finding } from './finding.ts';
import type { Commit, FileChange, History } from './history.ts';
import { folderOf, isNoise, isSource, stemOf } from './path-kinds.ts';
import { namesCause, reasonIn } from './reasons.ts';
import { listed, titled } from './wording.ts';

/** The removal is the commit's purpose, not something done in passing. */
const REMOVES =
  /\b(?:remov\w*|drop\w*|delet\w*|get(?:ting)? rid|retir\w*|eliminat\w*|replac\w*|switch\w*|migrat\w*|kill|unused|obsolete)\b/i;

/** A smaller removal is tidying up: nobody builds that again by mistake. */
const LEAST_LINES = 100;

/** From this share of lines that came back in new files, the code was rewritten rather than removed. */
const REWRITTEN = 0.5;

/** Code that was removed for a stated reason, so that nobody builds it again unknowingly. */
export function findRemovals(history: History): Finding[] {
  const mergeOf = mergesOf(history);
  const today = new Set([...history.tree.keys()].map((path) => basename(path)));
  const stems = new Set([...history.tree.keys()].map(stemOf));
  const seen = new Set<string>(history.tree.values());
  const findings: Finding[] = [];
  // Newest first: code that a later commit or HEAD still has was moved, not removed.
  for (const commit of history.commits) {
    const gone = commit.files.filter((file) => {
      const isCode = file.status === 'D' && isSource(file.name);
      return isCode && !seen.has(file.blobBefore) && !today.has(basename(file.name)) && !stems.has(stemOf(file.name));
    });
    for (const { blob, blobBefore, status } of commit.files) seen.add(status === 'D' ? blobBefore : blob);
    const finding = findingOf(commit, gone, mergeOf(commit));
    if (finding) findings.push(finding);
  }
  return findings;
}

function findingOf(commit: Commit, gone: FileChange[], merge: Commit | undefined): Finding | undefined {
  const lines = gone.reduce((sum, { removed }) => sum + removed, 0);
  if (lines < LEAST_LINES || readRevert(commit) || !REMOVES.test(commit.subject)) return undefined;
  const added = commit.files.filter(({ status, path }) => status === 'A' && !isNoise(path));
  if (added.reduce((sum, file) => sum + file.added, 0) > lines * REWRITTEN) return undefined;
  const source = [commit, merge].find((one) => one && namesCause(reasonIn(one.body)));
  if (source === undefined) return undefined;
  const paths = gone.toSorted((a, b) => b.removed - a.removed || (a.name < b.name ? -1 : 1)).map(({ name }) => name);
  return {
    pattern: 'removal',
    subject: commit.id,
    support: 1,
    weight: 0.45 + Math.min(0.1, lines / 10_000),
    commits: source === commit ? [commit] : [commit, source],
    incident: [commit.id],
    textWith(cite) {
      const { shortId, day, subject } = cite(commit);
      const says = source === commit ? 'Its message' : `The pull request (merged by ${cite(source).shortId})`;
      return {
        type: 'decision',
        title: titled('Removed on purpose: ', subject),
        narrative: `${shortId} of ${day} removed ${listed(paths)}. ${says} says: "${reasonIn(cite(source).body)}" Do not bring it back without an answer to that.`,
        facts: [evidence(cite(commit)), `Folder: ${folderOf(paths[0] ?? '') || 'the top'}.`],
        concepts: ['removal', 'history'],
        files_modified: paths,
        files_read: [],
      };
    },
  };
}
