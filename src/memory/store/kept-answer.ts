import { runGit } from '../../git/objects.ts';
import type { Environment } from '../../user-folders.ts';
import { readNotes } from './json-file.ts';
import { stampOf } from './stamp.ts';

// An answer that took long is kept with all that it was made from (`keep-answer.ts`), and counts as long as all of that
// is the same: each file and folder that was looked at, each variable, the day, and what git says to the same questions.

/** An answer, and what it was made from. */
export interface Kept {
  day: number;
  env: [name: string, value: string | null][];
  questions: { args: string[]; output: string }[];
  /** The first is the program that made the answer. */
  paths: [path: string, stamp: string][];
  answer: unknown;
}

const DAY_MS = 86_400_000;

/** The day of a moment, in UTC: answers may depend on the date. */
export function dayOf(nowMs: number): number {
  return Math.floor(nowMs / DAY_MS);
}

/**
 * The answer kept in a file, if files, variables and day are those that it was made from; call `holds` before using it,
 * which asks git. Undefined if there is none.
 */
export function keptAnswer(
  file: string,
  { root, env, nowMs }: { root: string; env: Environment; nowMs: number },
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

/** Only `keep-answer.ts` writes such files, whole. */
function isKept(value: unknown): value is Kept {
  if (typeof value !== 'object' || value === null || !('paths' in value) || !Array.isArray(value.paths)) return false;
  return 'env' in value && Array.isArray(value.env) && 'questions' in value && Array.isArray(value.questions);
}
