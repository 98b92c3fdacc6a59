import { foldMarks, isHidden } from '../../memory/marks.ts';
import type { MemoryRecord, Observation } from '../../memory/record.ts';
import { personalCheckout } from '../../memory/store/personal.ts';
import { decodable, loadable } from '../../memory/store/source.ts';
import type { Store } from '../../memory/store/store.ts';
import { type Workspace, workspaceOf } from '../../memory/store/workspace.ts';
import { tokensOf } from '../../records/annotate.ts';
import type { Briefing } from './briefing.ts';
import { cleanLine } from './fence.ts';

/** What the user told agents about themselves, as it is injected. */
export type PersonalPart = Pick<Briefing, 'text' | 'records' | 'dropped'>;

/** Most tokens that personal records take of a session start's 1,000 or so: the rest is for the repository. */
const MOST_TOKENS = 150;

/** Most records that are read, newest first, far more than are told; and most marks, any of which may retire one. */
const MOST_READ = { observation: 100, mark: 1000 } as const;

/** Largest file that is read, in bytes: only a record's type and title are told. */
const MOST_BYTES = 64_000;

/** Length of the ids shown: the store is small, and commands reject an ambiguous id instead of guessing. */
const SHORT = 4;

const OPEN = '<git-mem-personal>';
const CLOSE = '</git-mem-personal>';
const INTRO =
  "The user's own words about how they work, in every repository. Where this repository's records say otherwise, those win.";

/**
 * The records of the user's personal store as lines, pinned ones first, then the newest, in at most 150 tokens and at
 * most `tokens`. Undefined if none fits, or if this is that store's own checkout. Reads some files, and asks git
 * nothing.
 */
export function personalPart({ checkout, env }: Workspace, tokens: number): PersonalPart | undefined {
  const personal = personalCheckout(env);
  if (personal === undefined || personal.commonDir === checkout.commonDir) return undefined;
  const { team } = workspaceOf(personal, { ...env, GIT_MEM_STATE: undefined }).stores;
  const records = readSome(team, 'observation').filter((record) => record.kind === 'observation');
  const states = foldMarks([...records, ...readSome(team, 'mark')]);
  const active = records.filter(({ id }) => !isHidden(states.of(id)));
  const isPinned = ({ id }: Observation) => Number(states.of(id).pinned);
  const ranked = active.toSorted((a, b) => isPinned(b) - isPinned(a));
  const chosen: { record: Observation; line: string }[] = [];
  const dropped: Briefing['dropped'] = [];
  const text = () => [OPEN, INTRO, ...chosen.map(({ line }) => line), CLOSE].join('\n');
  for (const record of ranked) {
    chosen.push({ record, line: `${record.id.slice(0, SHORT)} ${cleanLine(record.type)}: ${cleanLine(record.title)}` });
    if (tokensOf(text()) <= Math.min(tokens, MOST_TOKENS)) continue;
    chosen.pop();
    dropped.push({ id: record.id, reason: 'no room among the personal records' });
  }
  if (chosen.length === 0) return undefined;
  const told = chosen.map(({ record: { id }, line }): Briefing['records'][number] => {
    return { id, reason: 'personal', tokens: tokensOf(line), trust: 'own', freshness: 'unknown' };
  });
  return { text: text(), records: told, dropped };
}

function readSome(store: Store, kind: keyof typeof MOST_READ): MemoryRecord[] {
  const read: MemoryRecord[] = [];
  for (const entry of store.newest(kind)) {
    if (read.length >= MOST_READ[kind]) break;
    const file = loadable(store, entry, MOST_BYTES);
    const record = file && decodable(file)?.record;
    if (record !== undefined) read.push(record);
  }
  return read;
}
