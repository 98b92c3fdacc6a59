import { authorOf } from '../memory/author.ts';
import { sectionsOf } from '../memory/body.ts';
import type { MemoryRecord, Observation, StoreName, Summary } from '../memory/record.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import type { Annotated } from './annotate.ts';

/** A record in the JSON shape of every `--json` output. Keys are stable; more may be added. */
export type RecordView = ReturnType<typeof viewOf>;

/** Converts a record to its JSON shape. `folders` are the stores' paths as shown. */
export function viewOf(annotated: Annotated, folders: Record<StoreName, string>) {
  const { record, entry, state, trust, edited, freshness, missing, readTokens } = annotated;
  const common = {
    session: record.session ?? null,
    prompt_number: record.prompt_number ?? null,
    branch: record.branch ?? null,
    commit: record.commit ?? null,
    /** ISO 8601, UTC. */
    created: record.generated.at,
    generated_by: record.generated.by,
    generated_name: record.generated.name ?? null,
    read_tokens: readTokens,
    /** Relative to the top of the repository; absolute in the private store. */
    path: `${folders[entry.store]}/${entry.path}`,
    store: entry.store,
    trust,
    /** A person edited it in this clone, which wrote it. */
    edited,
    freshness,
    /** Names in its text that no file it cites contains any more. */
    missing_names: missing,
    superseded_by: state.superseded_by,
    pinned: state.pinned,
    verified: annotated.verified,
    retired: state.retired,
    redacted: state.redacted,
    /** Another active record replaces the same record differently. */
    disputed: state.disputed,
  };
  return { ...own(record), ...common };
}

function own(record: MemoryRecord) {
  switch (record.kind) {
    case 'observation': {
      const { id, kind, type, title, subtitle = '', narrative, facts, concepts, files_read, files_modified } = record;
      const said = { id, kind, type, title, subtitle, narrative, facts, concepts, files_read, files_modified };
      return { ...said, ...captured(record) };
    }
    case 'summary': {
      const { id, kind, type, title, files_read, files_edited } = record;
      const said = { id, kind, type, title, ...NOTHING, ...sectionsOf(record) };
      return {
        ...said,
        files_read,
        files_edited,
        files_modified: files_edited,
        // A digest is dated at the end of its session.
        ...(record.started && { started: record.started, ended: record.generated.at }),
        ...(record.stopped && { stopped: record.stopped }),
        ...(record.commits && { commits: record.commits }),
        ...captured(record),
      };
    }
    case 'mark': {
      const { id, kind, type, targets, guards, asks, reason } = record;
      const title = `${type} ${targets.join(', ')}`;
      const guarding = { ...(guards && { guards }), ...(asks && { asks }) };
      return { id, kind, type, title, ...NOTHING, targets, by: record.by ?? null, ...guarding, reason };
    }
    case 'prompt': {
      const { id, kind, text } = record;
      return { id, kind, type: 'prompt', title: text.split('\n')[0] ?? '', ...NOTHING, text };
    }
    default:
      return record satisfies never;
  }
}

/** Fields that a kind does not have are present and empty, so that programs can read all records alike. */
const NOTHING = {
  subtitle: '',
  concepts: [],
  files_read: [],
  files_modified: [],
  supersedes: [],
  extractor: null,
  author: null,
  inputs: [],
  discovery_tokens: null,
};

function captured(record: Observation | Summary) {
  const { supersedes, extractor = null, inputs = [], discovery_tokens = null } = record;
  return { supersedes, extractor, author: authorOf(record), inputs, discovery_tokens };
}

/** The stores' paths as shown: the team's relative to the top of its repository, unless it is another repository. */
export function foldersOf({ layout }: Workspace, isElsewhere = false): Record<StoreName, string> {
  return { team: isElsewhere ? layout.memory : '.memory', private: layout.private };
}
