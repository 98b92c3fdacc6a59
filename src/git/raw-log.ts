/** One changed path in git's `--raw -z`. */
export interface RawChange {
  path: string;
  /** Its new name, where it was renamed. */
  now?: string;
  /** The blob that the change left there; zeros where it removed the file, or where git did not hash it. */
  blob: string;
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
    // One colon per parent; the last blob is the commit's version of the file.
    const [, blob, status] = /^:+[\d ]+(?: [0-9a-f]+)* ([0-9a-f]{40,64}) ([A-Z]+)\d*$/.exec(field) ?? [];
    if (blob === undefined || status === undefined) {
      if (field !== '') commits.push({ head: field, changes: [] });
      continue;
    }
    const path = fields[++i] ?? '';
    const now = /^[RC]$/.test(status) ? fields[++i] : undefined;
    if (commits.length === 0) commits.push({ head: '', changes: [] });
    commits.at(-1)?.changes.push({ path, blob, ...(now !== undefined && status === 'R' && { now }) });
  }
  return commits;
}

/** Options for a log or diff that override what the user's settings would add. */
export const RAW_LOG = [
  '--raw',
  '--no-abbrev',
  '-z',
  '--no-show-signature',
  '--no-color',
  '--no-ext-diff',
  '--no-notes',
];
export const RAW_DIFF = ['--raw', '--no-abbrev', '-z', '--no-color', '--no-ext-diff'];
