import { authorOf } from '../../memory/author.ts';
import { isHidden } from '../../memory/marks.ts';
import type { Observation, Summary } from '../../memory/record.ts';
import type { Annotated } from './annotate.ts';

/** A record that waits for a person. */
export type Waiting = Annotated<Observation | Summary>;

/**
 * Tells whether a record waits for a person to accept it: a private one of an agent, a model or the rules that is
 * neither hidden nor a digest.
 */
export function isWaiting(annotated: Annotated): annotated is Waiting {
  const { record, entry, state } = annotated;
  if (entry.store !== 'private' || isHidden(state)) return false;
  if (record.kind !== 'observation' && record.kind !== 'summary') return false;
  return record.type !== 'digest' && authorOf(record) !== 'person';
}
