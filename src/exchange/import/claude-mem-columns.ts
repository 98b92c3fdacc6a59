import type { FieldUse } from './importer.ts';

export type Row = Record<string, unknown>;

/** The tables that are read, by their names in the database; the JSON export uses others. */
export const TABLES = ['sdk_sessions', 'observations', 'session_summaries', 'user_prompts'] as const;
export type Table = (typeof TABLES)[number];

/** One claude-mem memory, wherever its rows are. */
export interface ClaudeMem {
  columns(table: Table): string[];
  rows(table: Table): Iterable<Row>;
  /** Tables that are not read. */
  others: string[];
}

interface LeftOut {
  because: string;
}

const leftOut = (because: string): LeftOut => ({ because });
const ROW = leftOut('it numbers rows, and nothing refers to it');
const PROGRESS = leftOut('it says how far claude-mem got with a session, which means nothing once it is over');

/** Where the content of a column goes in records, or why it is left out. Has the column names of several versions. */
const USES: Record<Table, Record<string, string | LeftOut>> = {
  sdk_sessions: {
    id: ROW,
    content_session_id: 'session',
    claude_session_id: 'session',
    memory_session_id: 'session',
    sdk_session_id: 'session',
    project: '--project',
    user_prompt: 'prompt, where user_prompts has none',
    started_at: 'generated.at of that prompt',
    started_at_epoch: 'generated.at of that prompt',
    completed_at: PROGRESS,
    completed_at_epoch: PROGRESS,
    status: PROGRESS,
  },
  observations: {
    id: 'source',
    memory_session_id: 'session',
    sdk_session_id: 'session',
    project: '--project',
    text: 'narrative',
    type: 'type',
    title: 'title',
    subtitle: 'subtitle',
    facts: 'facts',
    narrative: 'narrative',
    concepts: 'concepts',
    files_read: 'files_read',
    files_modified: 'files_modified',
    prompt_number: 'prompt_number',
    discovery_tokens: 'discovery_tokens',
    created_at: 'generated.at',
    created_at_epoch: 'generated.at',
    content_hash: leftOut('claude-mem finds its own duplicates by it; records have ids over what they say'),
  },
  session_summaries: {
    id: 'source',
    memory_session_id: 'session',
    sdk_session_id: 'session',
    project: '--project',
    request: 'request',
    investigated: 'investigated',
    learned: 'learned',
    completed: 'completed',
    next_steps: 'next_steps',
    files_read: 'files_read',
    files_edited: 'files_edited',
    notes: 'notes',
    prompt_number: 'prompt_number',
    discovery_tokens: 'discovery_tokens',
    created_at: 'generated.at',
    created_at_epoch: 'generated.at',
  },
  user_prompts: {
    id: 'source',
    content_session_id: 'session',
    claude_session_id: 'session',
    prompt_number: 'prompt_number',
    prompt_text: 'text',
    created_at: 'generated.at',
    created_at_epoch: 'generated.at',
  },
};

/** Tells how every column is used, including those that a newer version added. */
export function fieldUses({ columns, others }: ClaudeMem): FieldUse[] {
  const known = TABLES.flatMap((table) =>
    columns(table).map((column) => {
      const use = USES[table][column] ?? leftOut('this version of git-mem does not know it');
      return { table, column, ...(typeof use === 'string' ? { becomes: use } : { becomes: null, ...use }) };
    }),
  );
  const because = 'the table holds no memory';
  return [...known, ...others.map((table) => ({ table, column: '*', becomes: null, because }))];
}
