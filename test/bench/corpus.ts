import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonical } from '../../src/memory/canonical.ts';
import { wholeSeconds } from '../../src/memory/file-name.ts';
import { idOf } from '../../src/memory/id.ts';
import type { Observation } from '../../src/memory/record.ts';
import { openWorkspace, type Workspace } from '../../src/memory/store/workspace.ts';
import { drop } from '../support/written-records.ts';

export interface CorpusDocument {
  id: string;
  group: string;
  type: string;
  title: string;
  narrative: string;
  facts: string[];
  concepts: string[];
  files: string[];
  date: string;
  session: string | null;
}

export interface CorpusQuery {
  id: string;
  group: string;
  text: string;
}

/** One repository or conversation: its records, the questions about it, and the right answers by question. */
export interface Group {
  name: string;
  documents: CorpusDocument[];
  queries: CorpusQuery[];
  relevant: Map<string, Set<string>>;
}

/** Reads a set's groups; undefined when the folder is not there. */
export function readSet(folder: string): Group[] | undefined {
  if (!existsSync(join(folder, 'corpus.jsonl'))) return undefined;
  const documents = jsonLines<CorpusDocument>(join(folder, 'corpus.jsonl'));
  const queries = jsonLines<CorpusQuery>(join(folder, 'queries.jsonl'));
  const relevant = new Map<string, Set<string>>();
  for (const { qid, did, rel } of jsonLines<{ qid: string; did: string; rel: number }>(join(folder, 'qrels.jsonl'))) {
    if (rel > 0) relevant.set(qid, (relevant.get(qid) ?? new Set()).add(did));
  }
  const names = [...new Set(queries.map(({ group }) => group))];
  return names.map((name) => ({
    name,
    documents: documents.filter(({ group }) => group === name),
    queries: queries.filter(({ group, id }) => group === name && relevant.has(id)),
    relevant,
  }));
}

/** The documents as observations, with the corpus id by record id. */
export function toRecords(documents: CorpusDocument[]): { records: Observation[]; corpusIds: Map<string, string> } {
  const corpusIds = new Map<string, string>();
  const inSession = new Map<string, number>();
  const records = documents.map((document) => {
    const id = idOf(document.id);
    corpusIds.set(id, document.id);
    const ordinal = (inSession.get(document.session ?? '') ?? 0) + 1;
    if (document.session !== null) inSession.set(document.session, ordinal);
    const observation: Observation = {
      kind: 'observation',
      id,
      type: document.type,
      title: document.title,
      concepts: document.concepts,
      files_modified: document.files,
      files_read: [],
      anchors: {},
      supersedes: [],
      generated: { by: 'bench', at: wholeSeconds(document.date) },
      ...(document.session !== null && { session: document.session, prompt_number: ordinal }),
      narrative: document.narrative,
      facts: document.facts,
    };
    return canonical(observation);
  });
  return { records, corpusIds };
}

/** A new repository in a temporary folder whose team store holds the records. */
export function repositoryOf(records: Observation[]): Workspace {
  const root = mkdtempSync(join(tmpdir(), 'git-mem-bench-'));
  execFileSync('git', ['init', '-q', '-b', 'main', root]);
  const workspace = openWorkspace(root, {});
  for (const record of records) writeRecord(workspace, record);
  return workspace;
}

/** Writes a record as a checkout would: without the store's fsync, which would be most of the time. */
export function writeRecord(workspace: Workspace, record: Observation): string {
  return join(workspace.checkout.root, drop(workspace.checkout, record));
}

/** The values of a file with one in each line. */
export function jsonLines<T>(path: string): T[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as T);
}
