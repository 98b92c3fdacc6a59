import { wholeSeconds } from '../memory/file-name.ts';
import { isHidden } from '../memory/marks.ts';
import { isContent, type Observation, type Prompt, type Summary } from '../memory/record.ts';
import { type DigestCommit, type DigestTurn, decodeTurns, isSessionDigest } from '../memory/session-digest.ts';
import type { Annotated } from './annotate.ts';
import type { Session } from './session.ts';

/** What the drain knows of a session that its digest may not have yet. */
export interface KnownSession
  extends Pick<Session, 'session' | 'host' | 'prompts' | 'files_read' | 'files_modified' | 'commits' | 'tokens'> {
  branch?: string | undefined;
  startedAt?: string | undefined;
  endedAt?: string | undefined;
  isCut: boolean;
  lastAt: string;
}

/** For a session whose turns were not read yet. */
export const NO_WORK = { files_read: [], files_modified: [], commits: [], tokens: 0 };

/**
 * The sessions behind these records, newest first. `known` are those that the drain remembers; one without an end counts
 * as open until its last event is older than `idleBefore` (ISO 8601).
 */
export function sessionsOf(records: Annotated[], known: KnownSession[], idleBefore: string): Session[] {
  const bySession = new Map<string, Annotated[]>();
  for (const one of records) {
    const { session } = one.record;
    if (session === undefined || one.record.kind === 'mark' || one.state.redacted) continue;
    const list = bySession.get(session) ?? [];
    if (list.push(one) === 1) bySession.set(session, list);
  }
  const remembered = new Map(known.map((one) => [one.session, one]));
  const names = new Set([...bySession.keys(), ...remembered.keys()]);
  return [...names]
    .map((name) => sessionOf(name, bySession.get(name) ?? [], remembered.get(name), idleBefore))
    .sort((a, b) => (a.started < b.started ? 1 : a.started > b.started ? -1 : a.session < b.session ? 1 : -1));
}

/** A session's turns from its digest, then its later prompts; oldest first. */
export function turnsOf(records: Annotated[], session: string): DigestTurn[] {
  const own = records.filter(({ record, state }) => record.session === session && !state.redacted);
  const digest = own.find(isDigest)?.record;
  const later = own
    .flatMap(({ record }) => (record.kind === 'prompt' ? [record] : []))
    .filter(({ prompt_number = 0 }) => digest === undefined || prompt_number > (digest.prompt_number ?? 0))
    .sort((a, b) => (a.prompt_number ?? 0) - (b.prompt_number ?? 0))
    .map(({ prompt_number: number = 0, text }) => ({ ...NO_TURN, number, prompt: firstLine(text) }));
  return [...(digest ? decodeTurns(digest.request) : []), ...later];
}

const NO_TURN: DigestTurn = { number: 0, prompt: '', answer: '', files: [], checks: [], commits: [], saved: [] };

export function commitsOf(turns: readonly DigestTurn[]): DigestCommit[] {
  return [...new Map(turns.flatMap(({ commits }) => commits).map((one) => [one.commit, one])).values()];
}

function sessionOf(session: string, own: Annotated[], known: KnownSession | undefined, idleBefore: string): Session {
  const digest = own.find(isDigest)?.record;
  const left = own.filter(isLeft).sort((a, b) => (a.record.generated.at < b.record.generated.at ? -1 : 1));
  const prompts = own.flatMap(({ record }) => (record.kind === 'prompt' ? [record] : []));
  const times = own.map(({ record }) => record.generated.at).sort();
  const started = [known?.startedAt, digest?.started, times[0], known?.lastAt].filter(Boolean).sort()[0] ?? '';
  const last =
    [known?.endedAt ?? known?.lastAt, digest?.generated.at, times.at(-1)].filter(Boolean).sort().at(-1) ?? '';
  const isOpen = known?.endedAt === undefined && last >= idleBefore;
  const isCut = known?.isCut ?? digest?.stopped === 'interrupted';
  const files = (kind: 'files_read' | 'files_modified') => [
    ...new Set([...(known?.[kind] ?? []), ...left.flatMap(({ record }) => filesOf(record, kind))]),
  ];
  const observations = left.flatMap(({ record }) => (record.kind === 'observation' ? [record] : []));
  return {
    session,
    title: titleOf(digest, prompts, left),
    state: isOpen ? 'open' : isCut ? 'interrupted' : 'ended',
    started: wholeSeconds(started),
    ended: isOpen ? null : wholeSeconds(last),
    host: known?.host ?? digest?.generated.by ?? own[0]?.record.generated.by ?? '',
    branch: known?.branch ?? digest?.branch ?? own.find(({ record }) => record.branch)?.record.branch ?? null,
    prompts: Math.max(known?.prompts ?? 0, ...own.map(({ record }) => record.prompt_number ?? 0)),
    files_read: known || !digest ? files('files_read') : digest.files_read,
    files_modified: known || !digest ? files('files_modified') : digest.files_edited,
    commits: known?.commits ?? commitsOf(digest ? decodeTurns(digest.request) : []),
    tokens:
      known?.tokens ??
      digest?.discovery_tokens ??
      observations.reduce((sum, { discovery_tokens = 0 }) => sum + discovery_tokens, 0),
    records: left.map(({ record }) => record.id),
  };
}

function isDigest(one: Annotated): one is Annotated<Summary> {
  return isSessionDigest(one.record) && !isHidden(one.state);
}

/** Tells whether a record is something that the session left, not the digest of it. */
function isLeft(one: Annotated): one is Annotated<Observation | Summary> {
  return !isHidden(one.state) && isContent(one.record);
}

function filesOf(record: Observation | Summary, kind: 'files_read' | 'files_modified'): string[] {
  if (kind === 'files_read') return record.files_read;
  return record.kind === 'summary' ? record.files_edited : record.files_modified;
}

function titleOf(digest: Summary | undefined, prompts: Prompt[], left: Annotated<Observation | Summary>[]): string {
  const told = digest ?? left.find(({ record }) => record.kind === 'summary')?.record;
  if (told !== undefined) return told.title;
  const [first] = prompts.sort((a, b) => (a.prompt_number ?? 0) - (b.prompt_number ?? 0));
  return first ? firstLine(first.text) : (left[0]?.record.title ?? 'Its first turn has not been read yet');
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}
