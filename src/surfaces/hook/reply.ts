import { findAgent } from '../../capture/agents/agents.ts';
import { requestToSave } from '../../capture/by-hand/ask.ts';
import type { Environment } from '../../user-folders.ts';
import type { HookOutcome } from './record.ts';

/** The host's JSON that answers an event: recalled records, and a request to save; empty if there is neither. */
export async function hookReply(outcome: HookOutcome, env: Environment): Promise<string> {
  const asked = outcome.reply ?? outcome.ask;
  if (asked === undefined) return '';
  const request = outcome.ask ? requestToSave(outcome.root, outcome.ask, env) : '';
  const texts = [await recalled(outcome, env), request].filter((text) => text !== '');
  return texts.length === 0 ? '' : (findAgent(asked.host)?.toReply(asked.event, texts.join('\n')) ?? '');
}

/** Loaded only if something may be recalled; a commit is answered without it. */
async function recalled({ root, reply }: HookOutcome, env: Environment): Promise<string> {
  if (reply === undefined || reply.question.kind === 'start') return '';
  return (await import('../../recall/prompt/answer.ts')).recalled(root, reply.question, env);
}
