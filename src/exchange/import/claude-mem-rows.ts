import { basename, dirname, isAbsolute, normalize } from 'node:path';
import { GitMemError } from '../../errors.ts';
import { below } from '../../git/paths.ts';
import { jsonIn } from '../../json.ts';
import { wholeSeconds } from '../../memory/file-name.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import { frequencies } from '../../quantities.ts';
import type { Arrival, ImportSource } from './importer.ts';
import { titled } from './importer.ts';

export type Row = Record<string, unknown>;

/** The tables that are read, by their names in the database; the JSON export uses others. */
export type Table = 'sdk_sessions' | 'observations' | 'session_summaries' | 'user_prompts';

/** One claude-mem memory, wherever its rows are. */
export interface ClaudeMem {
  rows(table: Table): Iterable<Row>;
}

/** Most projects that an error names. */
const NAMED = 8;

/** The records of this repository; projects are named after their folders. Throws bad-input if there is none. */
export function* projectArrivals(memory: ClaudeMem, { workspace, project }: ImportSource): Generator<Arrival> {
  const { root, commonDir } = workspace.checkout;
  const main = basename(commonDir) === '.git' ? dirname(commonDir) : root;
  const wanted = project ?? basename(main);
  // Worktrees are named `project/worktree`.
  const isWanted = (name: unknown) => typeof name === 'string' && (name === wanted || name.startsWith(`${wanted}/`));
  const known = frequencies(projectsIn(memory));
  if (!known.some(([name]) => isWanted(name))) {
    const names = known.map(([name, count]) => `${name} (${count})`);
    const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
    const hint = `Name one with --project: ${names.slice(0, NAMED).join(', ')}${more}.`;
    throw new GitMemError('bad-input', `It has nothing from a project "${wanted}".`, {
      hint: names.length > 0 ? hint : 'It has no observations and no summaries at all.',
    });
  }
  yield* claudeMemArrivals(memory, isWanted, [...new Set([root, main])]);
}

function* projectsIn(memory: ClaudeMem): Generator<string> {
  for (const table of ['observations', 'session_summaries'] as const) {
    for (const { project } of memory.rows(table)) if (typeof project === 'string') yield project;
  }
}

interface Session {
  /** The host's own id, which captured records have too. */
  session: string;
  isWanted: boolean;
  prompt: string;
  at: string;
  hasPrompts: boolean;
}

/** The records of one project: observations and summaries, then prompts. Paths below `roots` become relative. */
function* claudeMemArrivals(memory: ClaudeMem, isWanted: (project: unknown) => boolean, roots: string[]) {
  const { byMemory, byContent } = sessionsOf(memory, isWanted);
  for (const table of ['observations', 'session_summaries'] as const) {
    for (const row of memory.rows(table)) {
      if (!isWanted(row.project)) continue;
      const given = text(row.memory_session_id) || text(row.sdk_session_id);
      const session = byMemory.get(given)?.session || given;
      const made = table === 'observations' ? observation : summary;
      yield arrivalOf(keyOf(table, given, row), made(row, session, roots));
    }
  }
  for (const row of memory.rows('user_prompts')) {
    const given = text(row.content_session_id) || text(row.claude_session_id);
    const session = byContent.get(given);
    if (!(session?.isWanted ?? isWanted(row.project))) continue;
    if (session !== undefined) session.hasPrompts = true;
    yield arrivalOf(keyOf('user_prompts', given, row), prompt(row, given, timeOf(row)));
  }
  for (const [given, session] of byContent) {
    if (!session.isWanted || session.hasPrompts || session.prompt === '') continue;
    const row = { prompt_text: session.prompt, prompt_number: 1 };
    yield arrivalOf(`sdk_sessions/${given}`, prompt(row, given, session.at));
  }
}

function sessionsOf(memory: ClaudeMem, isWanted: (project: unknown) => boolean) {
  const [byMemory, byContent] = [new Map<string, Session>(), new Map<string, Session>()];
  for (const row of memory.rows('sdk_sessions')) {
    const own = text(row.content_session_id) || text(row.claude_session_id);
    const theirs = text(row.memory_session_id) || text(row.sdk_session_id);
    const session: Session = {
      session: own || theirs,
      isWanted: isWanted(row.project),
      prompt: text(row.user_prompt),
      at: instant(row.started_at_epoch, row.started_at),
      hasPrompts: false,
    };
    if (theirs !== '') byMemory.set(theirs, session);
    if (own !== '') byContent.set(own, session);
  }
  return { byMemory, byContent };
}

function keyOf(table: Table, session: string, row: Row): string {
  return `${table}/${session}/${number(row.id) ?? text(row.created_at)}`;
}

function arrivalOf(key: string, record: MemoryRecord): Arrival {
  // The cited files' state at that time is unknown, so there are no anchors rather than today's.
  const brought = { record, isDated: true, isAnchored: true, isOurs: false };
  return { kind: 'record', at: { place: key }, brought, origin: { from: 'claude-mem', key } };
}

function observation(row: Row, session: string, roots: string[]): MemoryRecord {
  const [narrative, other] = [text(row.narrative).trim(), text(row.text).trim()];
  const whole = narrative.includes(other) ? narrative : [narrative, other].filter(Boolean).join('\n\n');
  const subtitle = text(row.subtitle).trim();
  return {
    ...extracted(row, session),
    kind: 'observation',
    type: text(row.type).trim().toLowerCase() || 'change',
    ...titled(text(row.title) || subtitle || (whole.split('\n')[0] ?? ''), whole),
    ...(subtitle && { subtitle }),
    concepts: texts(row.concepts),
    files_modified: repositoryFiles(row.files_modified, roots),
    files_read: repositoryFiles(row.files_read, roots),
    anchors: {},
    facts: texts(row.facts),
  };
}

function summary(row: Row, session: string, roots: string[]): MemoryRecord {
  const section = (name: string) => text(row[name]).trim();
  const [request, learned, completed] = [section('request'), section('learned'), section('completed')];
  return {
    ...extracted(row, session),
    kind: 'summary',
    type: 'summary',
    request,
    learned,
    completed,
    title: titled(request || completed || learned || 'Session', '').title,
    investigated: section('investigated'),
    next_steps: section('next_steps'),
    notes: section('notes'),
    files_read: repositoryFiles(row.files_read, roots),
    files_edited: repositoryFiles(row.files_edited, roots),
  };
}

function prompt(row: Row, session: string, at: string): MemoryRecord {
  return { ...common(row, session), kind: 'prompt', text: text(row.prompt_text), generated: { by: 'claude-mem', at } };
}

function common(row: Row, session: string) {
  const prompt_number = number(row.prompt_number);
  return {
    id: '',
    ...(session && { session }),
    ...(prompt_number !== undefined && { prompt_number }),
    generated: { by: 'claude-mem', at: timeOf(row) },
  };
}

function extracted(row: Row, session: string) {
  const discovery_tokens = number(row.discovery_tokens);
  const made = { ...common(row, session), extractor: 'import/claude-mem', supersedes: [] };
  return discovery_tokens ? { ...made, discovery_tokens } : made;
}

function timeOf(row: Row): string {
  return instant(row.created_at_epoch, row.created_at);
}

/** Uses the milliseconds, or in early versions seconds, in preference to the text. */
function instant(epoch: unknown, written: unknown): string {
  const ms = number(epoch);
  return wholeSeconds(ms ? new Date(ms < 1e11 ? ms * 1000 : ms) : text(written));
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) : undefined;
}

/** The texts of a JSON list; early versions wrote plain text. */
function texts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => (typeof entry === 'string' ? [entry] : []));
  const written = text(value).trim();
  if (written === '') return [];
  if (!written.startsWith('[')) return written.split('\n');
  const parsed = jsonIn(written);
  // Not a list after all, but the text is worth keeping.
  return Array.isArray(parsed) ? texts(parsed) : [written];
}

/** Paths relative to one of `roots`; those elsewhere, or in git's and git-mem's own folders, are left out. */
function repositoryFiles(value: unknown, roots: string[]): string[] {
  const found = texts(value).flatMap((given) => {
    const path = given.trim();
    if (path === '') return [];
    const relative = isAbsolute(path) ? roots.map((root) => below(root, path)).find(Boolean) : normalize(path);
    const posix = relative?.replaceAll('\\', '/').replace(/\/$/, '') ?? '';
    const isOutside = /^(?:\.{0,2}$|\.\.\/|~|[A-Za-z]:|\/|\.(?:git|memory)(?:\/|$))/.test(posix);
    return isOutside ? [] : [posix];
  });
  return [...new Set(found)];
}
