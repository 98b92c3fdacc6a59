import type { Turn } from '../extract/turn.ts';
import type { SpooledEvent } from '../extract/turns.ts';
import { wholeSeconds } from '../memory/file-name.ts';
import { idOf } from '../memory/id.ts';
import type { Prompt } from '../memory/record.ts';

/** The user's cleaned prompt as a record for the private store. */
export function promptRecord(turn: Turn, host: string, last: SpooledEvent): Prompt {
  return {
    id: idOf(turn.session, turn.key, 'prompt'),
    kind: 'prompt',
    session: turn.session,
    prompt_number: turn.promptNumber,
    ...(last.branch && { branch: last.branch }),
    ...(last.commit && { commit: last.commit }),
    generated: { by: host, at: wholeSeconds(turn.startedAt) },
    text: turn.prompt,
  };
}
