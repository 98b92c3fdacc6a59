import { evidence, type Finding } from './finding.ts';
import type { Commit, FileChange, History } from './history.ts';
import { folderOf, isNoise } from './path-kinds.ts';
import { counted, listed, shortPath, titled } from './wording.ts';

const LEAST_LINES = 300;

/** Where as many lines came back in new files, something was rewritten rather than removed. */
const REWRITTEN = 0.5;

/** What was taken out of the code for good, so that nobody looks for it, or builds it again unknowingly. */
export function findDeletions(history: History): Finding[] {
  return history.commits.flatMap((commit) => {
    const gone = commit.files.filter(({ status, path, before }) => {
      return status === 'D' && !isNoise(path) && !history.tree.has(path) && !history.tree.has(before);
    });
    const lines = linesOf(gone, 'removed');
    if (lines < LEAST_LINES) return [];
    const written = linesOf(
      commit.files.filter(({ status, path }) => status === 'A' && !isNoise(path)),
      'added',
    );
    return written > lines * REWRITTEN ? [] : [findingOf(commit, gone, lines, history)];
  });
}

function findingOf(commit: Commit, gone: FileChange[], lines: number, history: History): Finding {
  const paths = gone.toSorted((a, b) => b.removed - a.removed || (a.path < b.path ? -1 : 1)).map(({ path }) => path);
  const folder = commonFolder(paths);
  const isWhole = folder !== '' && ![...history.tree.keys()].some((path) => path.startsWith(`${folder}/`));
  return {
    pattern: 'deletion',
    subject: commit.id,
    support: 1,
    weight: 0.35 + Math.min(0.3, lines / 10_000) + (isWhole ? 0.15 : 0),
    commits: [commit],
    tell(cite) {
      const { shortId, day, subject } = cite(commit);
      const size = `${counted(gone.length, 'file')}, ${counted(lines, 'line')}`;
      const where = isWhole ? ` The folder ${folder}/ does not exist any more.` : '';
      return {
        type: 'change',
        title: titleOf({ paths, folder, isWhole, lines, subject }),
        narrative: `Commit ${shortId} of ${day} ("${subject}") removed ${listed(paths)} (${size}).${where}`,
        facts: [evidence(cite(commit)), `Removed: ${size}.`],
        concepts: ['removal', 'history'],
        files_modified: paths,
        files_read: [],
      };
    },
  };
}

function titleOf(of: { paths: string[]; folder: string; isWhole: boolean; lines: number; subject: string }): string {
  const { paths, folder, isWhole, lines, subject } = of;
  const [only] = paths;
  if (paths.length === 1 && only) return `${shortPath(only, 44)} was removed (${counted(lines, 'line')})`;
  const size = `${counted(paths.length, 'file')}, ${counted(lines, 'line')}`;
  if (isWhole) return `${shortPath(`${folder}/`, 38)} was removed (${size})`;
  if (folder !== '')
    return `${paths.length} files of ${shortPath(`${folder}/`, 30)} were removed (${counted(lines, 'line')})`;
  return titled(`${paths.length} files were removed: `, subject);
}

function commonFolder(paths: string[]): string {
  let folder = folderOf(paths[0] ?? '');
  while (folder !== '' && !paths.every((path) => path.startsWith(`${folder}/`))) folder = folderOf(folder);
  return folder;
}

function linesOf(files: FileChange[], key: 'added' | 'removed'): number {
  return files.reduce((sum, file) => sum + file[key], 0);
}
