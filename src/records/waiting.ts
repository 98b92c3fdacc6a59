import { authorOf } from '../memory/author.ts';
import { isHidden } from '../memory/marks.ts';
import { isContent, type Observation, type Summary } from '../memory/record.ts';
import type { Annotated } from './annotate.ts';

/** A record that waits for a person. */
export type Waiting = Annotated<Observation | Summary>;

/**
 * Tells whether a record waits for a person to accept it: a private one of an agent or a model that is neither
 * hidden nor a digest.
 */
export function isWaiting(annotated: Annotated): annotated is Waiting {
  const { record, entry, state } = annotated;
  if (entry.store !== 'private' || isHidden(state)) return false;
  return isContent(record) && authorOf(record) !== 'person';
}
