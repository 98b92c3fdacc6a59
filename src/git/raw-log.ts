/** One changed path in git's `--raw -z`. */
export interface RawChange {
  path: string;
  /** Its new name, where it was renamed. */
  now?: string;
  /** The file's mode after the change; zeros where it was removed. */
  mode: string;
  /** The blob before the change, in the first parent; zeros where there was none. */
  before: string;
  /** The blob that the change left there; zeros where it removed the file, or where git did not hash it. */
  blob: string;
  /** A letter, such as `A` for added; of a merge one for each parent. */
  status: string;
}

/** A commit as `--format` printed it, with what it changed. */
export interface RawCommit {
  head: string;
  changes: RawChange[];
}

/**
 * Parses the output of `git log --raw --no-abbrev -z`, or of `git diff`, whose changes have no head. Names of files and
 * people may hold anything but NUL, so NUL is the only separator.
 */
export function parseRawLog(output: string): RawCommit[] {
  const fields = output.split('\0');
  const commits: RawCommit[] = [];
  for (let i = 0; i < fields.length; i++) {
    const field = (fields[i] ?? '').replace(/^\n/, '');
    // One colon per parent; the last mode and blob are the commit's version of the file.
    const [, modes, blobs, status] = /^:+((?:\d{6} )+)((?:[0-9a-f]{40,64} )+)([A-Z]+)\d*$/.exec(field) ?? [];
    if (modes === undefined || blobs === undefined || status === undefined) {
      if (field !== '') commits.push({ head: field, changes: [] });
      continue;
    }
    const [before = '', ...after] = blobs.trim().split(' ');
    const change = { mode: modes.trim().split(' ').at(-1) ?? '', before, blob: after.at(-1) ?? '', status };
    const path = fields[++i] ?? '';
    const now = /^[RC]$/.test(status) ? fields[++i] : undefined;
    if (commits.length === 0) commits.push({ head: '', changes: [] });
    commits.at(-1)?.changes.push({ path, ...change, ...(now !== undefined && status === 'R' && { now }) });
  }
  return commits;
}

/** Every change in such output, in the order of the output. */
export function rawChanges(output: string): RawChange[] {
  return parseRawLog(output).flatMap(({ changes }) => changes);
}

/** Options for a log or diff that override what the user's settings would add. */
export const RAW_DIFF = ['--raw', '--no-abbrev', '-z', '--no-color', '--no-ext-diff'];
export const RAW_LOG = [...RAW_DIFF, '--no-show-signature', '--no-notes'];
