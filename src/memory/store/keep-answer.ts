import fs from 'node:fs';
import { dirname, resolve } from 'node:path';
import { endAsked, listAsked } from '../../git/asked.ts';
import type { Environment } from '../../user-folders.ts';
import { createFolder } from './create-folder.ts';
import { dayOf, type Kept } from './kept-answer.ts';
import { isStampSettled, stampOf } from './stamp.ts';

/** How Node's functions look at a path. Those that open a file for writing are among them, and do no harm. */
const LOOKS = [
  ...(['accessSync', 'existsSync', 'lstatSync', 'openSync', 'opendirSync', 'readFileSync'] as const),
  ...(['readdirSync', 'readlinkSync', 'realpathSync', 'statSync'] as const),
];

/** Most questions to git, and characters of its answers: more would take as long as the work that is saved. */
const MOST_QUESTIONS = 3;
const MOST_CHARS = 65_536;

/** Most paths: looking at each again costs ten microseconds, and all of them less than the answer. */
const MOST_PATHS = 1000;

/**
 * Makes an answer, and keeps it in a file with what it was made from. Nothing has to be declared, so nothing can be
 * forgotten: while the answer is made, each path that this process looks at is noted, each variable, and each question
 * to git; and the program itself. It is not kept if any of that changes meanwhile or changed a moment ago, or if git
 * was asked for more than can be asked again. `isApart` tells of places of git's and our own that change all the time
 * without changing an answer.
 */
export async function answerToKeep<T>(
  file: string,
  { root, env, nowMs, isApart }: { root: string; env: Environment; nowMs: number; isApart: (path: string) => boolean },
  make: (env: Environment) => Promise<T>,
): Promise<T> {
  const program = process.argv[1] ?? '';
  const stamps = new Map([[program, stampOf(program)]]);
  const variables = new Map<string, string | null>();
  const unwatch = watch((path) => {
    const whole = typeof path === 'string' ? resolve(path) : UNKNOWN;
    if (!stamps.has(whole) && !isApart(whole)) stamps.set(whole, stampOf(whole));
  });
  const asked = listAsked();
  let answer: T;
  try {
    answer = await make(noting(env, variables));
  } finally {
    unwatch();
    endAsked();
  }
  const open = asked.filter(({ args }) => !isAboutCommit(args));
  const questions = open.map(({ args, output = '' }) => ({ args: [...args], output }));
  const isAnswered = asked.every(({ output }) => output !== undefined);
  const isAskedAgain = isAnswered && open.every(({ cwd, input }) => cwd === root && input === '');
  const chars = questions.reduce((sum, { output }) => sum + output.length, 0);
  const paths = [...stamps];
  const isSmall = open.length <= MOST_QUESTIONS && chars <= MOST_CHARS && paths.length <= MOST_PATHS;
  // Where Node's functions cannot be watched, no other path was seen.
  if (!isAskedAgain || !isSmall || paths.length === 1) return answer;
  if (!paths.every(([path, stamp]) => stampOf(path) === stamp && isStampSettled(stamp, nowMs))) return answer;
  const kept: Kept = { day: dayOf(nowMs), env: [...variables], questions, paths, answer };
  try {
    createFolder(dirname(file), 0o700);
    // Not flushed to the disk, and in place: half of it is not JSON, and the answer is computed again.
    fs.writeFileSync(file, JSON.stringify(kept), { mode: 0o600 });
  } catch {
    // No space, or no permission to write: it is computed again the next time.
  }
  return answer;
}

/** Tells whether a question is about the tree of a commit by its id, which never changes. */
function isAboutCommit(args: readonly string[]): boolean {
  const [command, ...rest] = args;
  return command === 'ls-tree' && rest.some((one) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(one));
}

/** Calls `look` with each path before it is looked at; returns what ends this. */
function watch(look: (path: unknown) => void): () => void {
  const originals = LOOKS.map((name) => [name, fs[name]] as const);
  let isLooking = false;
  for (const [name, original] of originals) {
    const watched = (path: unknown, ...rest: unknown[]) => {
      // A number is a file that was opened by its path.
      if (!isLooking && typeof path !== 'number') {
        isLooking = true;
        look(path);
        isLooking = false;
      }
      return Reflect.apply(original, fs, [path, ...rest]);
    };
    Object.assign(fs, { [name]: Object.assign(watched, original) });
  }
  return () => {
    for (const [name, original] of originals) Object.assign(fs, { [name]: original });
  };
}

/** The variables, each of which is noted when it is read by its name: all together they only go to git. */
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
