import { sectionsOf } from '../../memory/body.ts';
import type { MemoryRecord, Observation, Prompt, Summary } from '../../memory/record.ts';
import { visibleJson } from '../../privacy/sanitise.ts';

/** When a session was, as its row has it; one without is taken for as long as its records. */
export interface SessionSpan {
  session: string;
  state: 'open' | 'ended' | 'interrupted';
  /** ISO 8601, UTC. */
  started: string;
  /** Null while it is open. */
  ended: string | null;
}

/**
 * Records in the form that claude-mem's `import-memories` reads: rows of its tables. Marks have no counterpart there.
 * `project` is claude-mem's name for the repository.
 */
export function claudeMemExport(
  records: MemoryRecord[],
  { project, now, spans }: { project: string; now: Date; spans: SessionSpan[] },
): string {
  const rows = {
    observations: records.flatMap((one, i) => (one.kind === 'observation' ? [observation(one, i + 1, project)] : [])),
    sessions: sessionsOf(records, spans, project),
    summaries: records.flatMap((one, i) => (one.kind === 'summary' ? [summary(one, i + 1, project)] : [])),
    prompts: records.flatMap((one, i) => (one.kind === 'prompt' ? [prompt(one, i + 1)] : [])),
  };
  const about = {
    exportedAt: now.toISOString(),
    exportedAtEpoch: now.getTime(),
    query: '',
    project,
    totalObservations: rows.observations.length,
    totalSessions: rows.sessions.length,
    totalSummaries: rows.summaries.length,
    totalPrompts: rows.prompts.length,
  };
  return `${visibleJson(JSON.stringify({ ...about, ...rows }, null, 2))}\n`;
}

/** claude-mem requires a session for every record. */
function sessionOf({ session }: MemoryRecord): string {
  return session ?? 'git-mem';
}

/** claude-mem's words for the state of a session. */
const STATUS = { open: 'active', ended: 'completed', interrupted: 'failed' } as const;

function sessionsOf(records: MemoryRecord[], spans: SessionSpan[], project: string) {
  const known = new Map(spans.map((span) => [span.session, span]));
  const first = new Map<string, MemoryRecord>();
  for (const record of records) {
    if (record.kind === 'mark') continue;
    const earlier = first.get(sessionOf(record));
    if (earlier === undefined || record.generated.at < earlier.generated.at) first.set(sessionOf(record), record);
  }
  return [...first].map(([session, record], i) => {
    const { started, ended = null, state = 'ended' } = known.get(session) ?? { started: record.generated.at };
    return {
      id: i + 1,
      content_session_id: session,
      memory_session_id: session,
      project,
      user_prompt: record.kind === 'prompt' ? record.text : '',
      started_at: started,
      started_at_epoch: Date.parse(started) || 0,
      completed_at: ended,
      completed_at_epoch: ended === null ? null : Date.parse(ended) || 0,
      status: STATUS[state],
    };
  });
}

function observation(record: Observation, id: number, project: string) {
  const { type, title, subtitle = null, narrative, facts, concepts, files_read, files_modified } = record;
  return {
    id,
    memory_session_id: sessionOf(record),
    project,
    text: null,
    type,
    title,
    subtitle,
    narrative,
    facts: JSON.stringify(facts),
    concepts: JSON.stringify(concepts),
    files_read: JSON.stringify(files_read),
    files_modified: JSON.stringify(files_modified),
    ...counted(record),
  };
}

function summary(record: Summary, id: number, project: string) {
  return {
    id,
    memory_session_id: sessionOf(record),
    project,
    ...sectionsOf(record),
    files_read: JSON.stringify(record.files_read),
    files_edited: JSON.stringify(record.files_edited),
    ...counted(record),
  };
}

function prompt(record: Prompt, id: number) {
  return {
    id,
    content_session_id: sessionOf(record),
    prompt_text: record.text,
    prompt_number: record.prompt_number ?? 1,
    ...timed(record),
  };
}

function counted(record: Observation | Summary) {
  return {
    prompt_number: record.prompt_number ?? null,
    discovery_tokens: record.discovery_tokens ?? 0,
    ...timed(record),
  };
}

function timed({ generated }: MemoryRecord) {
  return { created_at: generated.at, created_at_epoch: Date.parse(generated.at) || 0 };
}
