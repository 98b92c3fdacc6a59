import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { idOf } from '../../memory/id.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import { replaceFile } from '../../memory/store/atomic.ts';
import { namesIn } from '../../memory/store/names-in.ts';
import type { Turn, TurnCall } from '../extract/turn.ts';
import { textsOfCall } from './clean.ts';
import { type PendingTurn, readTurn } from './pending-turns.ts';

/**
 * Raw evidence: turns as they were captured, kept in the clone's private state for as long as `capture.keep` says. They
 * are no records: nothing injects, searches or syncs them, and drains remove those that are over.
 */

/** Keeps a turn until it is `capture.keep` old, without the texts that a redact mark keeps out. */
export function keepEvidence(state: string, { turn, ...place }: PendingTurn, isFree: (text: string) => boolean): void {
  const kept: PendingTurn = { ...place, turn: withoutRedacted(turn, isFree) };
  // The file's time is the turn's, so that its age needs no reading.
  const at = new Date(Math.min(Date.parse(turn.endedAt) || Date.now(), Date.now()));
  replaceFile(join(folderOf(state), nameOf(turn)), JSON.stringify(kept), 0o600, at);
}

/** Removes the turns that ended before `before`, in milliseconds since 1970. */
export function dropExpired(state: string, before: number): void {
  for (const name of namesIn(folderOf(state))) {
    const path = join(folderOf(state), name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat !== undefined && stat.mtimeMs <= before) rmSync(path, { force: true });
  }
}

/** Removes the kept turns behind these records, and those with a text that a redact mark keeps out. */
export function dropRedacted(state: string, records: MemoryRecord[], isFree: (text: string) => boolean): void {
  const behind = new Set(records.flatMap((record) => namesBehind(state, record)));
  for (const name of namesIn(folderOf(state))) {
    const kept = behind.has(name) ? undefined : readTurn(join(folderOf(state), name));
    if (kept === undefined || !textsOf(kept.turn).every(isFree)) rmSync(join(folderOf(state), name), { force: true });
  }
}

/**
 * The turn from which a record was made, with what the host reported for it later, oldest first; none that ended before
 * `after`, in milliseconds since 1970, and none of a summary, which is about a whole session.
 */
export function turnsBehind(
  state: string,
  record: MemoryRecord,
  { after, isFree }: { after: number; isFree: (text: string) => boolean },
): PendingTurn[] {
  const names = namesBehind(state, record).filter((name) => {
    const stat = statSync(join(folderOf(state), name), { throwIfNoEntry: false });
    return stat !== undefined && stat.mtimeMs > after;
  });
  const turns = names.flatMap((name) => readTurn(join(folderOf(state), name)) ?? []);
  const exact = turns.filter(({ turn }) => isMadeOf(record, turn));
  const found = exact.length > 0 ? exact : turns;
  // The mark may be younger than the file, and have come with a merge.
  const free = found.map((kept) => ({ ...kept, turn: withoutRedacted(kept.turn, isFree) }));
  return free.sort((a, b) => (a.turn.startedAt < b.turn.startedAt ? -1 : 1));
}

/** More drafts than any extractor makes of a turn: twice `MOST_OBSERVATIONS`. */
const MOST_ORDINALS = 8;

/** Tells whether the record's id was made of this turn; that of one that an agent saved was not. */
function isMadeOf({ id }: MemoryRecord, { session, key }: Turn): boolean {
  const parts = ['prompt', ...Array.from({ length: MOST_ORDINALS }, (_, ordinal) => String(ordinal))];
  return parts.some((part) => idOf(session, key, part) === id);
}

function namesBehind(state: string, record: MemoryRecord): string[] {
  if (record.kind !== 'observation' && record.kind !== 'prompt') return [];
  const { session, prompt_number: number } = record;
  if (session === undefined || number === undefined) return [];
  return namesIn(folderOf(state)).filter((name) => name.startsWith(`${idOf(session)}-${number}-`));
}

function nameOf({ session, promptNumber, key }: Turn): string {
  return `${idOf(session)}-${promptNumber}-${idOf(key)}.json`;
}

function folderOf(state: string): string {
  return join(state, 'turns');
}

function textsOf({ prompt, reply, reports, calls }: Turn): string[] {
  return [prompt, reply, ...reports, ...calls.flatMap(textsOfCall)].filter(Boolean);
}

function withoutRedacted(turn: Turn, isFree: (text: string) => boolean): Turn {
  const free = (text: string) => (isFree(text) ? text : '[redacted]');
  const call = ({ command, description, change, ...rest }: TurnCall): TurnCall => ({
    ...rest,
    output: free(rest.output),
    ...(command !== undefined && { command: free(command) }),
    ...(description !== undefined && { description: free(description) }),
    ...(change && { change: { removed: free(change.removed), added: free(change.added) } }),
  });
  const { prompt, reply, reports, calls } = turn;
  return { ...turn, prompt: free(prompt), reply: free(reply), reports: reports.map(free), calls: calls.map(call) };
}
