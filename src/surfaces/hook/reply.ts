import { findAgent } from '../../capture/agents/agents.ts';
import { requestToSave } from '../../capture/by-hand/ask.ts';
import type { GuardReply } from '../../inject/prompt/guard-reply.ts';
import { takeHeldStart } from '../../inject/prompt/injected.ts';
import { layoutOf } from '../../memory/store/layout.ts';
import type { Environment } from '../../user-folders.ts';
import type { HookOutcome } from './take-event.ts';

/** The host's JSON that answers an event: guards, recalled records, and a request to save; empty if there is nothing. */
export async function hookReply(outcome: HookOutcome, env: Environment): Promise<string> {
  const { host, event, checkout, occasion, touch } = outcome;
  const request = occasion ? requestToSave(checkout, { host, occasion }, env) : '';
  // Before recall, which leaves out what a guard says.
  const { text, ask } = await guarding(outcome, env);
  const texts = [heldStart(outcome, env), text, await recalled(outcome, env), request].filter((one) => one !== '');
  if (texts.length === 0) return '';
  // Clients show the reason in their question about a command, but not about an edit, of which the person sees the change.
  const notice = touch?.paths.length ? ask : undefined;
  const beside = { ...(ask && { ask }), ...(notice && { notice }) };
  return findAgent(host)?.toReply(event, texts.join('\n'), beside) ?? '';
}

/** What the session's start was told, where the host hands it on with the prompt only. */
function heldStart({ host, checkout, question }: HookOutcome, env: Environment): string {
  if (question?.kind !== 'prompt' || !findAgent(host)?.startsWithPrompt) return '';
  return takeHeldStart(layoutOf(checkout, env).state, question.session);
}

/** Loaded only where the reviewed branch has guards. */
async function guarding({ checkout, touch }: HookOutcome, env: Environment): Promise<GuardReply> {
  if (touch === undefined) return { text: '' };
  const { guardReply } = await import('../../inject/prompt/guard-reply.ts');
  return guardReply(checkout, touch, env);
}

/** Loaded only if something may be recalled, or the launcher has to learn that nothing is. */
async function recalled({ checkout, question, isOld }: HookOutcome, env: Environment): Promise<string> {
  if (question?.kind === 'start' || (question === undefined && !isOld)) return '';
  const answer = await import('../../inject/prompt/answer.ts');
  if (question !== undefined) return answer.recalled(checkout, question, env);
  // The next call has it done where this one fails.
  await answer.renewNames(checkout, env).catch(() => undefined);
  return '';
}
