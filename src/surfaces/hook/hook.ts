import type { Environment } from '../../user-folders.ts';
import type { Loaded } from './compiled.ts';
import { standardInput, writeOutput } from './standard-streams.ts';
import { keptStartReply, startOf } from './start.ts';
import { type HookOutcome, takeEvent } from './take-event.ts';

/** The inputs of a hook. */
export interface HookRun {
  args: string[];
  process: NodeJS.Process;
  /** Loads the code that replies to a session start, or to other events. Most hooks need neither. */
  load: { brief(): Loaded<typeof import('./brief.ts')>; reply(): Loaded<typeof import('./reply.ts')> };
}

/** Takes one event of a host, and replies if the host expects it. Never fails: a hook must not harm its host. */
export async function hook({ args, process, load }: HookRun): Promise<void> {
  const { env } = process;
  const input = () => standardInput(process);
  const outcome = await takeEvent({ args, input, cwd: process.cwd(), env, now: new Date() });
  if (outcome === undefined) return;
  const start = startOf(outcome, env);
  if (start !== undefined) {
    const kept = await keptStartReply(start, env, Date.now());
    const { exports, keep } = kept === undefined ? load.brief() : {};
    await writeOutput(kept ?? (await exports?.sessionStartReply(start, env)) ?? '', process);
    keep?.();
  }
  // A reply to a turn's end makes the turn go on, and then its real end wakes the drain.
  const mayGoOn = outcome.occasion?.kind === 'turn-end';
  if (outcome.wake && !mayGoOn) await wake(outcome.checkout.root, env);
  if (start !== undefined || (outcome.question ?? outcome.occasion ?? outcome.touch ?? outcome.isOld) === undefined)
    return;
  await answer(outcome, { process, load, mayGoOn });
}

async function answer(
  outcome: HookOutcome,
  { process, load, mayGoOn }: Pick<HookRun, 'process' | 'load'> & { mayGoOn: boolean },
): Promise<void> {
  const { env } = process;
  const { exports, keep } = load.reply();
  const reply = await exports.hookReply(outcome, env);
  if (outcome.wake && mayGoOn && reply === '') await wake(outcome.checkout.root, env);
  await writeOutput(reply, process);
  keep();
  // Recall that ran out of time may still be running; the agent does not wait for it.
  process.exit(0);
}

/** Starts a drain. What does so is loaded only here, because most events need no child process. */
async function wake(root: string, env: Environment): Promise<void> {
  (await import('./wake.ts')).wakeDrain(root, env);
}
