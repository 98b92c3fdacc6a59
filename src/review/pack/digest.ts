import { emptySummary } from '../../memory/body.ts';
import { canonical } from '../../memory/canonical.ts';
import { idOf } from '../../memory/id.ts';
import { isHidden } from '../../memory/marks.ts';
import { DIGEST_TITLE, PACKS } from '../../memory/packs.ts';
import { LIMITS, type Observation, type Summary } from '../../memory/record.ts';
import { frequencies } from '../../quantities.ts';
import type { Annotated } from '../../recall/query/annotate.ts';

/** Records that may be packed: marks follow their targets, and prompts are never the team's. */
export type Packable = Annotated<Observation | Summary>;

const BY = 'git-mem/pack';

/**
 * The one record that replaces some records of one kind and month: their ids, days, types and titles, and what they
 * supersede outside the digest, so that nothing becomes active again. It does not say when or where it was made: the
 * same records give the same bytes in every clone, and two clones that pack the same records still merge.
 */
export function digestOf(month: string, packed: Packable[]): Observation | Summary {
  const records = packed.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  const ids = records.map(({ record }) => record.id);
  const at = records.at(-1)?.record.generated.at ?? '';
  const supersedes = records.flatMap(({ record }) => record.supersedes).filter((id) => !ids.includes(id));
  const tokens = records.reduce((sum, { record }) => sum + (record.discovery_tokens ?? 0), 0);
  const common = {
    id: '',
    supersedes: [...new Set(supersedes)].sort(),
    generated: { by: BY, at },
    ...(tokens > 0 && { discovery_tokens: tokens }),
    extra: { [PACKS]: ids },
  };
  const open = records.filter(({ state }) => !state.redacted).map(({ record }) => record);
  const lines = records.map(lineOf);
  const isSummary = records[0]?.record.kind === 'summary';
  const content = isSummary ? summaryOf(month, common, open, lines) : observationOf(month, common, open, lines);
  return canonical({ ...content, id: idOf('pack', month, JSON.stringify(content)) });
}

type CommonPart = Pick<Observation, 'id' | 'supersedes' | 'generated' | 'discovery_tokens' | 'extra'>;

function observationOf(
  month: string,
  common: CommonPart,
  open: (Observation | Summary)[],
  lines: string[],
): Observation {
  const observations = open.filter((record) => record.kind === 'observation');
  const concepts = observations.flatMap((one) => one.concepts);
  const cited = observations.flatMap((one) => [...one.files_modified, ...one.files_read]);
  return {
    ...common,
    kind: 'observation',
    type: 'change',
    title: titleOf(month, lines.length, 'observations'),
    concepts: ['digest', ...commonest(concepts, LIMITS.concepts - 1)],
    files_modified: [],
    files_read: commonest(cited, LIMITS.files),
    anchors: {},
    narrative: explanation(lines.length),
    facts: lines,
  };
}

function summaryOf(month: string, common: CommonPart, open: (Observation | Summary)[], lines: string[]): Summary {
  const edited = open.flatMap((record) => (record.kind === 'summary' ? record.files_edited : []));
  return {
    ...common,
    kind: 'summary',
    type: 'summary',
    title: titleOf(month, lines.length, 'sessions'),
    files_read: [],
    files_edited: commonest(edited, LIMITS.files),
    ...emptySummary(),
    completed: lines.map((line) => `- ${line}`).join('\n'),
    notes: explanation(lines.length),
  };
}

function titleOf(month: string, count: number, noun: string): string {
  return `${DIGEST_TITLE} ${month}: ${count} ${noun}`;
}

function explanation(count: number): string {
  return (
    `${count} records of this month were packed into this one. Each line names one by its id, which still finds this digest. ` +
    'Their full texts are in the history: `git log --diff-filter=D -p -- .memory`.'
  );
}

/** One packed record. Redacted text is not repeated; a record that was no longer active is marked. */
function lineOf({ record, state }: Packable): string {
  const day = record.generated.at.slice(0, 10);
  const start = `${record.id} ${day} ${record.kind === 'observation' ? record.type : 'session'}`;
  if (state.redacted) return `${start}: (redacted)`;
  const by = state.superseded_by.length > 0 && `superseded by ${state.superseded_by.join(', ')}`;
  const notes = isHidden(state) ? [by, state.retired && 'retired'].filter(Boolean).join(', ') : '';
  return `${start}: ${record.title}${notes && ` (${notes})`}`;
}

function commonest(values: string[], most: number): string[] {
  return frequencies(values)
    .slice(0, most)
    .map(([value]) => value);
}

function orderOf({ record }: Packable): string {
  return `${record.generated.at} ${record.id}`;
}
