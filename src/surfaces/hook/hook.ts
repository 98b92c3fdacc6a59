import type { Loaded } from './compiled.ts';
import type { HookOutcome } from './record.ts';
import { recordEvent } from './record.ts';
import { wakeDrain } from './wake.ts';

/** What a hook is run with. */
export interface HookRun {
  args: string[];
  process: NodeJS.Process;
  /** Loads what replies to a session start; loads what replies to other events. Both are not needed by most hooks. */
  load: { brief(): Loaded<typeof import('./brief.ts')>; reply(): Loaded<typeof import('./reply.ts')> };
}

/** Takes one event of a host, and answers it where the host wants that. Never fails: a hook must not hurt its host. */
export async function hook({ args, process, load }: HookRun): Promise<void> {
  const { stdin, stdout, env } = process;
  const outcome = await recordEvent({ args, stdin, cwd: process.cwd(), env, now: new Date() });
  if (outcome === undefined) return;
  const isStart = outcome.reply?.question.kind === 'start';
  if (isStart) {
    const { exports, keep } = load.brief();
    stdout.write(await exports.sessionStartReply(outcome, env));
    keep();
  }
  // An end that is answered is none: the turn goes on, and its real end wakes the drain.
  const mayGoOn = outcome.ask?.occasion.kind === 'turn-end';
  if (outcome.wake && !mayGoOn) wakeDrain(outcome.root, env);
  if (isStart || (outcome.reply ?? outcome.ask) === undefined) return;
  await answer(outcome, { process, load, mayGoOn });
}

async function answer(
  outcome: HookOutcome,
  { process, load, mayGoOn }: Pick<HookRun, 'process' | 'load'> & { mayGoOn: boolean },
): Promise<void> {
  const { stdout, env } = process;
  const { exports, keep } = load.reply();
  const reply = await exports.hookReply(outcome, env);
  if (outcome.wake && mayGoOn && reply === '') wakeDrain(outcome.root, env);
  // Whatever is still under way came too late: the agent is not kept waiting for it.
  stdout.write(reply, () => {
    keep();
    process.exit(0);
  });
}
