import type { Content } from '../../memory/record.ts';
import { isChange } from '../agents/event.ts';
import type { Turn } from './turn.ts';

/** Files that an observation may cite. */
export type CitedFiles = Pick<Content, 'files_read' | 'files_modified'>;

/** Keeps the claimed files that occur in the turns; for what was changed, the calls count more than the claim. */
export type FileFilter = (claimed: CitedFiles) => CitedFiles;

/** A filter for what a model claims about the files of these turns. */
export function filesOf(turns: Turn[]): FileFilter {
  const calls = turns.flatMap((turn) => turn.calls);
  const done = calls.filter((call) => call.ok !== false);
  const modified = new Set(done.filter(isChange).flatMap(({ paths }) => paths));
  // A search names a folder as often as a file.
  const seen = new Set(done.flatMap(({ action, paths }) => (action === 'search' ? paths.filter(isFileLike) : paths)));
  const named = new Set(calls.flatMap(({ command }) => wordsOf(command ?? '')).filter(isFileLike));
  const known = [...new Set([...seen, ...named])];

  const resolve = (claim: string): string[] => {
    const path = claim.replace(/^\.\//, '').replaceAll('\\', '/');
    if (known.includes(path)) return [path];
    // An absolute path or a bare file name will do if exactly one file of the turns matches.
    const meant = known.filter((one) => one.endsWith(`/${path}`) || path.endsWith(`/${one}`));
    return path !== '' && meant.length === 1 ? meant : [];
  };

  return (claimed) => {
    const claimedModified = new Set(claimed.files_modified.flatMap(resolve));
    const all = [...new Set([...claimedModified, ...claimed.files_read.flatMap(resolve)])];
    // Only a shell command can change a file without a call that shows it.
    const isModified = (path: string) => modified.has(path) || (claimedModified.has(path) && named.has(path));
    return { files_read: all.filter((path) => !isModified(path)), files_modified: all.filter(isModified) };
  };
}

function wordsOf(command: string): string[] {
  return command.split(/[\s"'`=,:;()<>|&{}]+/).map((word) => word.replace(/^\.\//, ''));
}

function isFileLike(word: string): boolean {
  const isInside = !/^[-/~$]|(^|\/)\.\.(\/|$)|\/$/.test(word);
  return isInside && /(\.[\w-]+$)|\w\/\w/.test(word);
}
