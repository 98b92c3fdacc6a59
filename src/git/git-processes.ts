import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import type { Checkout } from './locate.ts';
import { isInside } from './paths.ts';

/** Commands that move no reference, and git-mem itself. Some run for hours, as a child of an editor or of git. */
const ONLY_READS = new Set(
  (
    'blame cat-file check-attr check-ignore config credential daemon describe diff diff-files diff-index diff-tree ' +
    'for-each-ref fsmonitor--daemon grep help log ls-files ls-tree mem merge-base rev-list rev-parse shortlog show ' +
    'show-ref status upload-pack var'
  ).split(' '),
);

/** Options before the command that take the next word as their value. */
const WITH_VALUE = new Set(['-c', '-C', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env']);

/** A process of this machine. */
interface Process {
  pid: string;
  words: string[];
  /** Its working directory; undefined if the system does not say, so that it may be anywhere. */
  place?: string;
  parent: string;
}

/**
 * Why HEAD of a checkout must not move now, such as `git commit is running`; undefined if nothing prevents it. `git
 * commit` holds no lock while its hooks and its editor run, and dies if HEAD moves meanwhile: only its process shows
 * that it runs. Git works from the top of the checkout or from its git directory, so on Linux only a process in one of
 * them counts. `ps` does not say where a process works: on other systems a git command in any repository counts.
 */
export function gitAtWork(
  { root, gitDir }: Pick<Checkout, 'root' | 'gitDir'>,
  list: () => Iterable<Process> = process.platform === 'linux' ? linuxProcesses : listedProcesses,
): string | undefined {
  try {
    for (const { words, place, parent } of list()) {
      const command = commandOf(words);
      if (command === undefined || ONLY_READS.has(command)) continue;
      if (place !== undefined && !isInside(place, root) && !isInside(place, gitDir)) continue;
      // Our own child, which holds the branch's lock meanwhile.
      if (command === 'update-ref' && parent === String(process.pid)) continue;
      return `git ${command} is running`;
    }
    return undefined;
  } catch {
    return 'running git commands cannot be listed on this system';
  }
}

/** Git processes from /proc, including those that start meanwhile: it is listed again until no new one appears. */
function* linuxProcesses(): Iterable<Process> {
  const seen = new Set<string>();
  const unseen = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name) && !seen.has(name));
  for (let pids = unseen(); pids.length > 0; pids = unseen()) {
    for (const pid of pids) {
      seen.add(pid);
      const found = linuxProcess(pid);
      if (found !== undefined) yield found;
    }
  }
}

/** A git process; undefined for any other, for one that ended meanwhile, and for another user's. */
function linuxProcess(pid: string): Process | undefined {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    if (commandOf(words) === undefined) return undefined;
    return { pid, words, place: readlinkSync(`/proc/${pid}/cwd`), parent: parentOf(pid) };
  } catch {
    return undefined;
  }
}

/** The user's processes as POSIX `ps` lists them; throws if there is no `ps`. */
export function* listedProcesses(): Iterable<Process> {
  const columns = ['pid=', 'ppid=', 'args='].flatMap((column) => ['-o', column]);
  const user = process.getuid?.();
  const { stdout, status } = spawnSync(
    'ps',
    ['-ww', ...(user === undefined ? ['-A'] : ['-U', `${user}`]), ...columns],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (status !== 0) throw new Error('ps failed.');
  for (const line of stdout.split('\n')) {
    const [pid = '', parent = '', ...words] = line.trim().split(/\s+/);
    if (words.length > 0) yield { pid, words, parent };
  }
}

/** The git command of a process; undefined if it is not git. */
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
function parentOf(pid: string): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? '';
}
