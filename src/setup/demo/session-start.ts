import * as z from 'zod/mini';
import { runHook, type Scratch } from './recording.ts';

const reply = z.object({ hookSpecificOutput: z.object({ additionalContext: z.string() }) });

/** The text that the SessionStart hook injects, from the host's JSON; empty if there is none. */
export async function sessionStart(
  scratch: Pick<Scratch, 'repository' | 'env'>,
  payload: Record<string, unknown>,
): Promise<string> {
  const { stdout } = await runHook('SessionStart', `${JSON.stringify(payload)}\n`, scratch);
  return stdout === '' ? '' : reply.parse(JSON.parse(stdout)).hookSpecificOutput.additionalContext;
}
