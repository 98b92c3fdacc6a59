import * as z from 'zod/mini';
import { runHook, type Scratch } from './recording.ts';

const reply = z.object({ hookSpecificOutput: z.object({ additionalContext: z.string() }) });

/** What the SessionStart hook hands to the agent, taken out of the host's JSON; empty where it says nothing. */
export async function sessionStart(
  scratch: Pick<Scratch, 'repository' | 'env'>,
  payload: Record<string, unknown>,
): Promise<string> {
  const { stdout } = await runHook('SessionStart', `${JSON.stringify(payload)}\n`, scratch);
  return stdout === '' ? '' : reply.parse(JSON.parse(stdout)).hookSpecificOutput.additionalContext;
}
