import { existsSync, lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  type Root,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { GitMemError } from '../../errors.ts';
import { locate } from '../../git/locate.ts';
import { isObject } from '../../json.ts';
import type { Environment } from '../../user-folders.ts';

/** Longest wait for an older client's roots, in milliseconds: a call must not wait for one that never answers. */
const ANSWER_MS = 10_000;

/**
 * The folders that the client works in; empty if it names none. Since protocol 2026-07-28 a server cannot send
 * requests: the tool call is answered with the question, and the client calls again with its roots.
 */
export async function clientRoots(
  server: Server,
  context: ServerContext,
  era: 'legacy' | 'modern',
): Promise<string[] | InputRequiredResult> {
  const { envelope, inputResponses, requestState } = context.mcpReq;
  if (era === 'modern') {
    const answer = inputResponse(inputResponses, 'roots');
    if (answer.kind === 'roots') return foldersOf(answer.roots);
    // An answer of another kind counts as none: asking again would never end.
    const capabilities: unknown = new Map(Object.entries(envelope ?? {})).get(CLIENT_CAPABILITIES_META_KEY);
    if (requestState() !== undefined || !isObject(capabilities) || !('roots' in capabilities)) return [];
    return inputRequired({ inputRequests: { roots: inputRequired.listRoots() }, requestState: 'asked' });
  }
  if (!server.getClientCapabilities()?.roots) return [];
  try {
    return foldersOf((await server.listRoots(undefined, { timeout: ANSWER_MS })).roots);
  } catch (error) {
    // A client that declares roots but does not support the request names none.
    if (error instanceof ProtocolError) return [];
    throw new GitMemError('busy', 'The client did not report which folder it works in.', {
      hint: 'Call the tool again.',
      cause: error,
    });
  }
}

/**
 * Where to look for the repository: a root inside a checkout, preferably the working directory's, because clients name
 * every open folder; the working directory if the client names no root at all.
 */
export function startOf(roots: string[], cwd: string): string {
  const [first, ...others] = roots;
  if (first === undefined) return cwd;
  const own = locate(cwd)?.root;
  const found = [first, ...others].map((folder) => ({ folder, root: locate(folder)?.root }));
  const best = found.find(({ root }) => root !== undefined && root === own) ?? found.find(({ root }) => root);
  return best?.folder ?? first;
}

/** Tells whether nobody set up a memory there and the clone never wrote a record: then nothing is created. */
export function isUninvited(folder: string, env: Environment): boolean {
  const checkout = locate(folder);
  if (checkout === undefined) return false;
  const { root, commonDir } = checkout;
  const state = env.GIT_MEM_STATE ? resolve(root, env.GIT_MEM_STATE) : join(commonDir, 'git-mem');
  const hasMemory = lstatSync(join(root, '.memory'), { throwIfNoEntry: false }) !== undefined;
  return !hasMemory && !existsSync(join(state, 'own'));
}

function foldersOf(roots: Root[]): string[] {
  return roots.flatMap(({ uri }) => {
    try {
      return [fileURLToPath(uri)];
    } catch {
      return []; // Not a file URL: there is no checkout behind it.
    }
  });
}
