import { wholeSeconds } from '../../memory/file-name.ts';
import { idOf } from '../../memory/id.ts';
import type { Prompt } from '../../memory/record.ts';
import type { Turn } from '../extract/turn.ts';

/** The user's cleaned prompt as a record for the private store. */
export function promptRecord(turn: Turn, host: string, head: Pick<Prompt, 'branch' | 'commit'>): Prompt {
  return {
    id: idOf(turn.session, turn.key, 'prompt'),
    kind: 'prompt',
    session: turn.session,
    prompt_number: turn.promptNumber,
    ...head,
    generated: { by: host, at: wholeSeconds(turn.startedAt) },
    text: turn.prompt,
  };
}
