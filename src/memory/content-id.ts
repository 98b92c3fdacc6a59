import { idOf } from './id.ts';
import type { Observation } from './record.ts';

/**
 * The id of an observation's content, whenever and wherever it was written: two branches that save the same finding
 * give it the same id, and their files are one record.
 */
export function contentId(observation: Observation): string {
  const { type, title, subtitle, narrative, facts, concepts, files_modified, supersedes } = observation;
  return idOf(JSON.stringify([type, title, subtitle, narrative, facts, concepts, files_modified, supersedes]));
}
