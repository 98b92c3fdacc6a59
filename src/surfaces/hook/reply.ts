import { findAgent } from '../../capture/agents/agents.ts';
import { requestToSave } from '../../capture/by-hand/ask.ts';
import type { GuardReply } from '../../inject/prompt/guard-reply.ts';
import { takeHeldStart } from '../../inject/prompt/injected.ts';
import { layoutOf } from '../../memory/store/layout.ts';
import type { Environment } from '../../user-folders.ts';
import type { HookOutcome } from './take-event.ts';

/** The host's JSON that answers an event: guards, recalled records, a request to save; empty if there is nothing. */
export async function hookReply(outcome: HookOutcome, env: Environment): Promise<string> {
  const { host, event, checkout, occasion, touch } = outcome;
  const request = occasion ? requestToSave(checkout, { host, occasion }, env) : '';
  // Before recall, which then leaves out what a guard tells.
  const { text, ask } = await guarding(outcome, env);
  const texts = [heldStart(outcome, env), text, await recalled(outcome, env), request].filter((one) => one !== '');
  if (texts.length === 0) return '';
  // A client's question about a command shows the reason; one about an edit shows only the change, hence the notice.
  const notice = touch?.paths.length ? ask : undefined;
  const beside = { ...(ask && { ask }), ...(notice && { notice }) };
  return findAgent(host)?.toReply(event, texts.join('\n'), beside) ?? '';
}

/** The reply to the session's start, if the host passes that on only with the first prompt. */
function heldStart({ host, checkout, question }: HookOutcome, env: Environment): string {
  if (question?.kind !== 'prompt' || !findAgent(host)?.startsWithPrompt) return '';
  return takeHeldStart(layoutOf(checkout, env).state, question.session);
}

/** Its code is loaded only if the reviewed branch may have guards for this call. */
async function guarding({ checkout, touch }: HookOutcome, env: Environment): Promise<GuardReply> {
  if (touch === undefined) return { text: '' };
  const { guardReply } = await import('../../inject/prompt/guard-reply.ts');
  return guardReply(checkout, touch, env);
}

/** Its code is loaded only if something may be recalled, or if the launcher has to learn that nothing can be. */
async function recalled({ checkout, question, isOld }: HookOutcome, env: Environment): Promise<string> {
  if (question?.kind === 'start' || (question === undefined && !isOld)) return '';
  const answer = await import('../../inject/prompt/answer.ts');
  if (question !== undefined) return answer.recalled(checkout, question, env);
  // If this fails, the next call tries again.
  await answer.renewNames(checkout, env).catch(() => undefined);
  return '';
}
