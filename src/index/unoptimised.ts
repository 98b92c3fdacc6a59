import { statSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import type { Workspace } from '../memory/store/workspace.ts';
import { cachePath } from './open.ts';

/** A cache of some 30,000 records. With more of them a search runs long enough for optimised code to pay off. */
const LARGE_CACHE_BYTES = 40_000_000;

/**
 * Answers one question in a process that ends afterwards, without V8's optimising compiler: on a store of usual size
 * it takes a fifth of the processor time of a prompt or a search, and has hardly finished when the answer is there.
 */
export async function unoptimised<T>(workspace: Workspace, answer: () => Promise<T>): Promise<T> {
  const cache = statSync(cachePath(workspace), { throwIfNoEntry: false });
  if (cache === undefined || cache.size > LARGE_CACHE_BYTES) return answer();
  // With other flags V8 also refuses the compiled code of Node's own modules: those that are needed are loaded before.
  for (const name of ['node:crypto', 'node:zlib']) process.getBuiltinModule(name);
  setFlagsFromString('--no-opt');
  try {
    return await answer();
  } finally {
    // Compiled code is kept for other processes, which V8 refuses if its flags differ.
    setFlagsFromString('--opt');
  }
}
