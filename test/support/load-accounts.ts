import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { claudeCode } from '../../src/capture/agents/claude-code.ts';
import { readSession, seenHash } from '../../src/capture/drain/session-state.ts';
import { countEvents } from '../../src/capture/spool/spool.ts';
import { decode } from '../../src/memory/codec.ts';
import type { MemoryRecord, Summary } from '../../src/memory/record.ts';
import { decodeTurns } from '../../src/memory/session-digest.ts';
import type { LoadGround } from './load-ground.ts';
import type { LoadSession } from './load-session.ts';

/** What happened to the events of all sessions. */
export interface Accounts {
  /** Records in both stores. */
  records: number;
  /** Events, and what they said, that are nowhere. */
  lost: string[];
  /** What is there more than once. */
  doubled: string[];
  /** Events that still wait, and those set aside. */
  waiting: { pending: number; failed: number };
}

/**
 * Compares what is remembered with the plain model of the sessions: every event by its key among those that its session
 * acknowledged, and by what it alone said: the prompt in the private store, the answer, each edited and each read file
 * in the session's digest there. Puts what no commit has yet into one, and goes through both branches of every worktree.
 */
export function accountsOf(ground: LoadGround, sessions: LoadSession[]): Accounts {
  const records = [...teamRecords(ground), ...recordsIn(join(ground.state, 'private'))];
  const accounts: Accounts = { records: records.length, lost: [], doubled: [], waiting: countEvents(ground.state) };
  accounts.doubled.push(...repeated(records.map(({ id }) => `record ${id}`)));
  for (const session of sessions) {
    const own = records.filter((record) => record.session === session.id);
    accountEvents(ground, session, accounts);
    for (const turn of session.turns) accountTurn(turn, own, accounts);
    if (digestIn(own) === undefined) accounts.lost.push(`${session.id}: its end, no digest`);
  }
  return accounts;
}

/** The keys of the events that a session acknowledged, against those that it fired. */
function accountEvents({ state }: LoadGround, { id, events }: LoadSession, { lost, doubled }: Accounts): void {
  const seen = readSession(state, id)?.seen ?? [];
  const known = new Set(seen);
  doubled.push(...repeated(seen.map((hash) => `${id}: event ${hash}`)));
  for (const { event, payload } of events) {
    for (const { key } of claudeCode.toEvents(event, payload)) {
      if (key !== undefined && !known.has(seenHash(key))) lost.push(`${id}: ${key}`);
    }
  }
}

function accountTurn(
  { marker, edited, read }: LoadSession['turns'][number],
  own: MemoryRecord[],
  { lost, doubled }: Accounts,
): void {
  const digest = digestIn(own);
  const told = (what: string, count: number) => {
    if (count === 0) lost.push(`${marker}: ${what}`);
    if (count > 1) doubled.push(`${marker}: ${what}, ${count} times`);
  };
  const word = new RegExp(`\\b${marker}\\b`);
  told('prompt', own.filter((record) => record.kind === 'prompt' && word.test(record.text)).length);
  // A late edit of a turn stands in the next one.
  const turns = decodeTurns(digest?.request ?? '').filter(({ prompt }) => prompt.includes(`drops row ${marker},`));
  told('turn of the digest', turns.length);
  if (!turns.some(({ answer }) => answer.includes(`Fixed: row ${marker} was dropped`))) lost.push(`${marker}: answer`);
  for (const path of edited) told(path, digest?.files_edited.filter((one) => one === path).length ?? 0);
  for (const path of read) told(path, digest?.files_read.filter((one) => one === path).length ?? 0);
}

/** The newest digest of a session: the one that replaces the others. */
function digestIn(own: MemoryRecord[]): Summary | undefined {
  const digests = own.flatMap((record) => (record.kind === 'summary' && record.type === 'digest' ? [record] : []));
  const replaced = new Set(digests.flatMap(({ supersedes }) => supersedes));
  return digests.find(({ id }) => !replaced.has(id));
}

function teamRecords({ env, worktrees }: LoadGround): MemoryRecord[] {
  return worktrees.flatMap(({ root, branches }) => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: root, env, encoding: 'utf8' });
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '-m', 'What is left');
    return branches.flatMap((branch) => {
      git('checkout', '--quiet', branch);
      return recordsIn(join(root, '.memory'));
    });
  });
}

function recordsIn(store: string): MemoryRecord[] {
  return ['observations', 'summaries', 'prompts'].flatMap((kind) => {
    const folder = join(store, kind);
    if (!existsSync(folder)) return [];
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
    return files.map((name) => decode(readFileSync(join(folder, name), 'utf8'), `${kind}/${name}`));
  });
}

function repeated(values: string[]): string[] {
  const once = new Set<string>();
  return values.filter((value) => once.size === once.add(value).size);
}
