import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeTurns } from '../../src/memory/session-digest.ts';
import { createEnvironment } from '../../src/setup/demo.ts';
import { PROGRAM } from '../support/program.ts';
import { bearsOn, movedTo, type PastSession, readContextSet, type Task } from './context-set.ts';
import type { CorpusDocument, Group } from './corpus.ts';
import { answersOf, called, type PrintedAnswer } from './retrieval.ts';
import { inFolder } from './scratch-folder.ts';

/** A repository's digests, its later tasks as questions, and what `search` answered to each; relevant are sessions. */
export interface ContextGroup extends Group {
  tasks: Map<string, Task>;
  answers: Map<string, PrintedAnswer>;
}

/** Kept, because reading 300 sessions takes minutes and two benchmarks ask for it. */
const read = new Map<string, Promise<ContextGroup[] | undefined>>();

/** Each repository with its sessions read by `sync --transcripts`, and its tasks searched; undefined without the set. */
export function contextGroups(folder: string): Promise<ContextGroup[] | undefined> {
  const groups = read.get(folder) ?? readGroups(folder);
  read.set(folder, groups);
  return groups;
}

async function readGroups(folder: string): Promise<ContextGroup[] | undefined> {
  const set = readContextSet(folder);
  if (set === undefined) return undefined;
  const names = [...new Set(set.sessions.map(({ repository }) => repository))].sort();
  const groups: ContextGroup[] = [];
  for (const name of names) {
    const sessions = set.sessions.filter(({ repository }) => repository === name);
    const tasks = set.tasks.filter(({ repository }) => repository === name);
    groups.push(await inFolder((scratch) => groupOf(scratch, name, sessions, tasks)));
  }
  return groups;
}

async function groupOf(scratch: string, name: string, sessions: PastSession[], tasks: Task[]): Promise<ContextGroup> {
  const env = createEnvironment(scratch, PROGRAM);
  const root = join(scratch, 'repository');
  const logs = join(scratch, 'home', '.claude', 'projects', root.replace(/[^A-Za-z0-9]/g, '-'));
  for (const path of [root, logs]) mkdirSync(path, { recursive: true });
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: root, env });
  for (const session of sessions) writeFileSync(join(logs, `${session.id}.jsonl`), movedTo(root, session));
  await called(root, env, ['init', '--yes', '--host', 'claude-code', '--json']);
  await called(root, env, ['sync', '--transcripts', 'claude-code', '--since', '2020-01-01', '--json']);
  await called(root, env, ['drain', '--wait', '--all', '--json']);
  const listed = await called(root, env, ['list', '--type', 'digest', '--limit', '1000', '--json']);
  const { records }: { records: Digest[] } = JSON.parse(listed);
  const queries = tasks.map(({ id, text }) => ({ id, group: name, text }));
  const answers = await answersOf(root, env, queries, new Map(records.map(({ id, session }) => [id, session])));
  const relevant = new Map(
    tasks.map((task) => [task.id, new Set(sessions.filter((one) => bearsOn(one, task)).map(({ id }) => id))]),
  );
  return {
    name,
    documents: records.map((record) => documentOf(record, name)),
    queries,
    relevant,
    tasks: new Map(tasks.map((task) => [task.id, task])),
    answers,
  };
}

/** Of a digest, as `list --json` prints it. */
interface Digest {
  id: string;
  session: string;
  title: string;
  request: string;
  files_edited: string[];
  created: string;
}

/** A digest's texts as a record, for what is compared with search, and for the prompt hook, which injects no digests. */
function documentOf({ session, title, request, files_edited, created }: Digest, group: string): CorpusDocument {
  const narrative = decodeTurns(request).map(({ prompt, answer }) => `${prompt}\n${answer}`);
  return {
    id: session,
    group,
    type: 'bugfix',
    title,
    narrative: narrative.join('\n\n'),
    facts: [],
    concepts: [],
    files: files_edited,
    date: created,
    session: null,
  };
}
