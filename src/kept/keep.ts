import { lstatSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { endAsked, listAsked } from '../git/asked.ts';
import { runGit } from '../git/objects.ts';
import { fieldsOf } from '../json.ts';
import { noteLooks } from '../looks.ts';
import { createFolder } from '../memory/store/create-folder.ts';
import { readNotes } from '../memory/store/json-file.ts';
import type { FileState } from '../memory/store/source.ts';
import type { Environment } from '../user-folders.ts';

// An expensive answer is cached with its inputs, and is valid while all of them stay the same: each file and folder
// that was looked at (`looks.ts`), each variable, the day, and git's answers to the same questions.

/** A cached answer and its inputs. */
interface Kept {
  day: number;
  env: [name: string, value: string | null][];
  questions: { args: string[]; output: string }[];
  /** The first is the program that made the answer. */
  paths: [path: string, stamp: string][];
  answer: unknown;
}

/** Where and when an answer is made, or asked for again. */
interface Asking {
  root: string;
  env: Environment;
  nowMs: number;
}

/**
 * Most questions to git, and characters of its answers: checking more would take as long as the work it saves. One question
 * more, or one that git answers with an error, and the answer is made anew each time.
 */
const MOST_QUESTIONS = 3;
const MOST_CHARS = 65_536;

/** Most paths: checking one takes ten microseconds, and checking all of them less than making the answer. */
const MOST_PATHS = 1000;

/**
 * Makes an answer and caches it in a file with its inputs. It is not cached if an input changes meanwhile or changed a
 * moment ago, or if git was asked more than can be asked again. `isApart` names places, git's and our own, that change
 * all the time without changing an answer.
 */
export async function keep<T>(
  file: string,
  { root, env, nowMs, isApart }: Asking & { isApart: (path: string) => boolean },
  make: (env: Environment) => Promise<T>,
): Promise<T> {
  const program = process.argv[1] ?? '';
  const stamps = new Map([[program, stampOf(program)]]);
  const variables = new Map<string, string | null>();
  const endLooks = noteLooks((path) => {
    // A number is the descriptor of a file that was opened by its path.
    if (typeof path === 'number') return;
    const whole = typeof path === 'string' ? resolve(path) : UNKNOWN;
    if (!stamps.has(whole) && !isApart(whole)) stamps.set(whole, stampOf(whole));
  });
  const asked = listAsked();
  let answer: T;
  try {
    answer = await make(noting(env, variables));
  } finally {
    endLooks();
    endAsked();
  }
  const open = asked.filter(({ args }) => !isAboutCommits(args));
  const questions = open.map(({ args, output = '' }) => ({ args: [...args], output }));
  const isAnswered = asked.every(({ output }) => output !== undefined);
  const isAskedAgain = isAnswered && open.every(({ cwd, input }) => cwd === root && input === '');
  const chars = questions.reduce((sum, { output }) => sum + output.length, 0);
  const paths = [...stamps];
  const isSmall = open.length <= MOST_QUESTIONS && chars <= MOST_CHARS && paths.length <= MOST_PATHS;
  if (!isAskedAgain || !isSmall) return answer;
  if (!paths.every(([path, stamp]) => stampOf(path) === stamp && isStampSettled(stamp, nowMs))) return answer;
  const kept: Kept = { day: dayOf(nowMs), env: [...variables], questions, paths, answer };
  try {
    createFolder(dirname(file), 0o700);
    // Written in place and not flushed: half of it is not JSON, and the answer is computed again.
    writeFileSync(file, JSON.stringify(kept), { mode: 0o600 });
  } catch {
    // No space, or no permission to write: it is computed again next time.
  }
  return answer;
}

/**
 * The answer cached in a file, if its files, variables and day are still the same; undefined if there is none. Before
 * using it call `holds`, which asks git again.
 */
export function keptAnswer(
  file: string,
  { root, env, nowMs }: Asking,
): { answer: unknown; holds(): Promise<boolean> } | undefined {
  const kept = readNotes(file);
  if (!isKept(kept) || kept.day !== dayOf(nowMs)) return undefined;
  // Another version may give another answer.
  if (kept.paths[0]?.[0] !== process.argv[1]) return undefined;
  if (!kept.env.every(([name, value]) => (env[name] ?? null) === value)) return undefined;
  if (!kept.paths.every(([path, stamp]) => stampOf(path) === stamp)) return undefined;
  return {
    answer: kept.answer,
    async holds() {
      const said = await Promise.all(kept.questions.map(({ args }) => runGit(root, args, env)));
      return said.every((output, i) => output === kept.questions[i]?.output);
    },
  };
}

/** A shallow check is enough: only `keep` writes these files. */
function isKept(value: unknown): value is Kept {
  const { paths, env, questions } = fieldsOf(value);
  return Array.isArray(paths) && Array.isArray(env) && Array.isArray(questions);
}

/** The day of a moment, in UTC: answers may depend on the date. */
function dayOf(nowMs: number): number {
  return Math.floor(nowMs / 86_400_000);
}

/** Whether a question names commits only by their ids, so that its answer never changes. */
function isAboutCommits([command, ...rest]: readonly string[]): boolean {
  const ids = rest.filter((one) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(one)).length;
  return (command === 'ls-tree' && ids > 0) || (command === 'diff' && ids === 2);
}

/** The variables, noting each that is read by name. Reading all of them is not noted: only git gets them all. */
function noting(env: Environment, noted: Map<string, string | null>): Environment {
  let listed: string | symbol | undefined;
  return new Proxy(env, {
    getOwnPropertyDescriptor(target, name) {
      listed = name;
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
    get(target, name) {
      if (typeof name === 'string' && name !== listed) noted.set(name, target[name] ?? null);
      listed = undefined;
      return Reflect.get(target, name);
    },
  });
}

/** Stands for a path that is not given as text: no path contains a NUL. */
const UNKNOWN = '\0';

// Whether a file or folder changed is judged by its times alone. File systems record times in steps: a file that
// changed a moment ago could change again within the same step, so a stamp counts only once it has settled.

/** Time steps of file systems, in ms: ten kernel ticks if times have fractions of a second, else FAT's two seconds. */
export const STEP_MS = 100;
export const COARSE_STEP_MS = 2000;

type Times = Pick<FileState, 'modifiedMs' | 'changedMs'>;

/** Whether any change from now on must get a different time. */
export function isSettled({ modifiedMs, changedMs }: Times, nowMs: number): boolean {
  const stepMs = modifiedMs % 1000 === 0 ? COARSE_STEP_MS : STEP_MS;
  return Math.max(modifiedMs, changedMs) < nowMs - stepMs;
}

/** Differs once a folder has changed; undefined while it could change without a new stamp, or if it does not exist. */
export function folderStamp(state: Times | undefined, nowMs: number): string | undefined {
  return state && isSettled(state, nowMs) ? `${state.modifiedMs} ${state.changedMs}` : undefined;
}

/** The stamp of something that cannot be read. */
const UNREADABLE = '?';

/** The stamp of what is at a path, a link's target included: the same only if nothing was written, replaced or moved. */
export function stampOf(path: string): string {
  try {
    const own = lstatSync(path, { throwIfNoEntry: false });
    if (own === undefined) return '-';
    const target = own.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : undefined;
    return target === undefined ? stampIn(own) : `${stampIn(own)} ${stampIn(target)}`;
  } catch {
    return UNREADABLE;
  }
}

function stampIn({ mode, dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${mode} ${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

/** Whether any change from now on must give a different stamp. */
export function isStampSettled(stamp: string, nowMs: number): boolean {
  if (stamp === UNREADABLE) return false;
  const numbers = stamp.split(' ').map(Number);
  // The last two of every six numbers are times.
  const changes = numbers.flatMap((changedMs, i) =>
    i % 6 === 5 ? [{ modifiedMs: numbers[i - 1] ?? 0, changedMs }] : [],
  );
  return changes.every((times) => isSettled(times, nowMs));
}
