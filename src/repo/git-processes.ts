import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, sep } from 'node:path';
import type { Checkout } from './locate.ts';

/** Commands that move no reference, and git-mem itself. Some of them stay for hours, as a child of an editor or of git. */
const ONLY_READS = new Set([
  ...['blame', 'cat-file', 'check-attr', 'check-ignore', 'config', 'credential', 'daemon', 'describe', 'diff'],
  ...['diff-files', 'diff-index', 'diff-tree', 'for-each-ref', 'fsmonitor--daemon', 'grep', 'help', 'log', 'ls-files'],
  ...[
    'ls-tree',
    'merge-base',
    'rev-list',
    'mem',
    'rev-parse',
    'shortlog',
    'show',
    'show-ref',
    'status',
    'upload-pack',
    'var',
  ],
]);

/** Options before the command that take the next word with them. */
const WITH_VALUE = new Set(['-c', '-C', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env']);

/**
 * A git command of somebody else that may be about to move HEAD of a checkout, such as `commit`; undefined where there is
 * none. `git commit` holds no lock while its hooks and its editor run, and dies when HEAD moved meanwhile: only its process
 * tells. Git works from the top of the checkout or from its git directory, so that is where the process is. Linux only;
 * elsewhere the answer is always undefined.
 */
export function gitAtWork({ root, gitDir }: Pick<Checkout, 'root' | 'gitDir'>): string | undefined {
  for (const pid of processIds()) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      const command = commandOf(words);
      if (command === undefined || ONLY_READS.has(command)) continue;
      const place = readlinkSync(`/proc/${pid}/cwd`);
      if (!isInside(place, root) && !isInside(place, gitDir)) continue;
      // Our own, which holds the branch's lock meanwhile.
      if (command === 'update-ref' && parentOf(pid) === String(process.pid)) continue;
      return command;
    } catch {
      // It ended while it was looked at, or is another user's.
    }
  }
  return undefined;
}

function processIds(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return []; // No Linux.
  }
}

/** The git command of a process; undefined where it is not git. */
function commandOf(words: string[]): string | undefined {
  const program = basename(words[0] ?? '');
  if (program.startsWith('git-') && program !== 'git-mem') return program.slice('git-'.length);
  if (program !== 'git') return undefined;
  for (let i = 1; i < words.length; i++) {
    const word = words[i] ?? '';
    if (WITH_VALUE.has(word)) i++;
    else if (!word.startsWith('-')) return word;
  }
  return undefined;
}

/** The fourth field of `stat`; the second, the name, may hold anything but ends with the last parenthesis. */
function parentOf(pid: string): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}${sep}`);
}
