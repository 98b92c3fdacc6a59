import { AUTHORS, authorOf } from '../../memory/author.ts';
import type { Observation, Summary } from '../../memory/record.ts';
import type { Annotated } from '../query/annotate.ts';

/** Types by how hard their content is to recover by reading the code; a team's own types rank in the middle. */
const TYPES = ['decision', 'security', 'bugfix', 'discovery', '', 'feature', 'refactor', 'change'];

/** An observation, and whether a check that had failed passed in its turn. */
type Weighed = Annotated<Observation> & { isChecked?: true };

/** How many places a record drops because its files were edited since: below newer ones, but not below all. */
const TOUCHED_PENALTY = 10;

/**
 * Observations in the order in which they get a share of the budget: by author, type, evidence, review and recency. The
 * input is sorted newest first.
 */
export function byWorth<One extends Weighed>(observations: readonly One[]): One[] {
  const keyed = observations.map((candidate, i) => ({ candidate, key: worthOf(candidate, i) }));
  return keyed.sort((a, b) => compare(a.key, b.key)).map(({ candidate }) => candidate);
}

function worthOf({ record, state, trust, freshness, isChecked }: Weighed, place: number): number[] {
  const type = TYPES.indexOf(record.type);
  return [
    AUTHORS.indexOf(authorOf(record)),
    type < 0 ? TYPES.indexOf('') : type,
    state.verified || isChecked ? 0 : hasEvidence(record) ? 1 : 2,
    trust === 'reviewed' ? 0 : 1,
    place + (freshness === 'touched' ? TOUCHED_PENALTY : 0),
  ];
}

/** Tells whether a record rests on more than words: work that changed files. */
export function hasEvidence(record: Observation | Summary): boolean {
  return (record.kind === 'summary' ? record.files_edited : record.files_modified).length > 0;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
