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
 * Takes the output of `git log --raw --no-abbrev -z` apart, or of `git diff`, whose changes have no head. Names of files
 * and people may hold anything but NUL, so that nothing else divides it.
 */
export function parseRawLog(output: string): RawCommit[] {
  const fields = output.split('\0');
  const commits: RawCommit[] = [];
  for (let i = 0; i < fields.length; i++) {
    const field = (fields[i] ?? '').replace(/^\n/, '');
    // One colon a parent; the last of the blobs is what the commit made of the file.
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

/** What a log or diff is asked for, whatever the user's settings would add. */
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
