import { GitMemError } from '../../errors.ts';
import { outlineReader } from '../../memory/outline.ts';
import { type Mark, type MemoryRecord, STORES } from '../../memory/record.ts';
import {
  fragmentsOf,
  hashOf,
  passagesHolding,
  passagesIn,
  passagesOf,
  searchableAmong,
} from '../../memory/redaction.ts';
import type { Entry } from '../../memory/store/source.ts';
import type { Store } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { activeRedactions } from '../../provenance/redactions.ts';
import { NO_REQUEST } from '../extract/summary.ts';
import { copiesOf, forgetNames } from './copies.ts';
import { type Marked, type MarkMaking, writeMark } from './mark.ts';

export interface Redacting {
  /** Full ids of records. */
  ids: string[];
  reason: string;
  /** Leaves other records that contain the same sentences alone. */
  only?: boolean;
  /** Only looks; writes nothing. */
  dryRun?: boolean;
  /** The user's personal store, which is searched too. */
  personal?: Workspace | undefined;
}

/** The file of a record that repeats a sentence of others: a summary, a sibling, a prompt, a mark's reason. */
export interface Repetition {
  entry: Entry;
  record: MemoryRecord;
  /** Its passages that hold such a sentence, as `passagesOf` gives them. */
  passages: string[];
}

/** The result of a redaction. */
export interface Redaction {
  /** One for each store in which records are hidden; none for a dry run. */
  marks: Marked[];
  /** Records that contain the same sentences and are hidden with the named ones. */
  also: Repetition[];
  /** The same in the personal store. */
  personal: Repetition[];
  /** Records that still contain them, with `only`. */
  left: Repetition[];
  /** Other files that hold the sentences word for word; absolute. */
  copies: string[];
}

/** A record to hide, as one store has it, and the passages that may not be captured again because of it. */
interface Hidden {
  entry: Entry;
  passages: string[];
}

/**
 * Hides records, and all others that contain one of their sentences, with one mark in each store that holds such records: hashes
 * of private text don't belong in a file that everybody gets. Throws bad-input, no-such-record.
 */
export async function redact(
  workspace: Workspace,
  { ids, reason, only = false, dryRun = false, personal }: Redacting,
  making: MarkMaking,
): Promise<Redaction> {
  const named = filesOf(workspace, new Set(ids));
  const records = named.flatMap(({ record }) => record ?? []);
  const redactions = await activeRedactions(workspace);
  const shared = sharedWith(workspace, records);
  const repetitions = shared.repetitions.filter(({ record }) => !redactions.ids.has(record.id));
  const also = only ? [] : repetitions;
  const left = only ? repetitions : [];
  // Text that may stay in another team record isn't kept out by its hash either.
  const inTeam = left.filter(({ entry }) => entry.store === 'team');
  const allowed = new Set([...shared.formulas, ...inTeam.flatMap(({ record }) => passagesOf(record))]);
  const hidden: Hidden[] = [
    ...named.map(({ entry, record }) => {
      const passages = record === undefined ? [] : passagesOf(record);
      return { entry, passages: passages.filter((passage) => !allowed.has(passage)) };
    }),
    ...also,
  ];
  refuseRepeating(reason, hidden);
  const marks: Marked[] = [];
  for (const store of dryRun ? [] : STORES) {
    const there = hidden.filter(({ entry }) => entry.store === store);
    if (there.length === 0) continue;
    // The private mark names them all, so that an undo of the named ones lifts it too.
    const targets = [...(store === 'private' ? ids : []), ...there.map(({ entry }) => entry.id)];
    const hashed = hashedWith(redactions.salt, there);
    marks.push(await writeMark(workspace, { type: 'redact', targets, reason, store, hashed }, making));
  }
  const abroad = only || personal === undefined ? [] : sharedWith(personal, records).repetitions;
  const others = personal && abroad.length > 0 ? (await activeRedactions(personal)).ids : new Set<string>();
  const inPersonal = abroad.filter(({ record }) => !others.has(record.id));
  if (!dryRun && personal !== undefined && inPersonal.length > 0) {
    const there = inPersonal.map(({ entry, passages }) => ({ entry, passages }));
    const targets = there.map(({ entry }) => entry.id);
    const hashed = hashedWith(redactions.salt, there);
    await writeMark(personal, { type: 'redact', targets, reason, store: 'team', hashed }, making);
  }
  // `scrub` deals with the files of the redacted records themselves.
  if (!dryRun)
    forgetNames(
      workspace,
      hidden.map(({ entry }) => entry.id),
    );
  const own = hidden.map(({ entry }) => entry);
  const copies = await copiesOf(workspace, [...new Set(records.flatMap(fragmentsOf))], own);
  return { marks, also, personal: inPersonal, left, copies };
}

/** The files of these records in both stores; `record` is undefined where a file does not parse. */
function filesOf({ stores }: Workspace, ids: Set<string>): { entry: Entry; record: MemoryRecord | undefined }[] {
  return [stores.team, stores.private].flatMap((store) =>
    [...store.newest()].filter(({ id }) => ids.has(id)).map((entry) => ({ entry, record: readable(store, entry) })),
  );
}

function hashedWith(salt: string, hidden: Hidden[]): Pick<Mark, 'hashed_with' | 'hashes'> {
  const passages = new Set(hidden.flatMap((one) => one.passages));
  return { hashed_with: salt, hashes: [...passages].map((passage) => hashOf(passage, salt)).sort() };
}

function refuseRepeating(reason: string, hidden: Hidden[]): void {
  const passages = new Set(hidden.flatMap((one) => one.passages));
  if (!passagesIn(reason).some((passage) => passages.has(passage))) return;
  throw new GitMemError('bad-input', 'The reason repeats what is to be redacted.', {
    hint: 'Give the reason without the words themselves: it is committed.',
  });
}

/** What other records share with some. `formulas`: shared fixed wording; redacting it would keep out unrelated records. */
interface Shared {
  repetitions: Repetition[];
  formulas: Set<string>;
}

/**
 * Finds every other record of both stores that contains one of their sentences, whole or within a longer one, ignoring case and
 * punctuation. The title of a session without a request does not count: it is all that such sessions share.
 */
function sharedWith({ stores }: Workspace, records: MemoryRecord[]): Shared {
  const formulas = new Set(records.flatMap(formulasOf));
  const searchable = searchableAmong(new Set(records.flatMap(passagesOf))).filter((passage) => !formulas.has(passage));
  const ids = new Set(records.map(({ id }) => id));
  const shared: Shared = { repetitions: [], formulas: new Set() };
  if (searchable.length + formulas.size === 0) return shared;
  for (const store of [stores.team, stores.private]) {
    for (const entry of store.newest()) {
      const record = ids.has(entry.id) ? undefined : readable(store, entry);
      if (record === undefined) continue;
      const passages = passagesHolding(record, searchable);
      if (passages.length > 0) shared.repetitions.push({ entry, record, passages });
      if (formulas.size === 0) continue;
      for (const passage of passagesOf(record)) if (formulas.has(passage)) shared.formulas.add(passage);
    }
  }
  return shared;
}

/** A record of a store; undefined if it does not parse: then it is never shown, and `git mem check` names it. */
function readable(store: Store, entry: Entry): MemoryRecord | undefined {
  try {
    return store.read(entry, outlineReader).record;
  } catch {
    return undefined;
  }
}

/** Passages with a fixed wording, the same in any record. */
function formulasOf(record: MemoryRecord): string[] {
  return record.kind === 'summary' && record.title === NO_REQUEST ? passagesIn(NO_REQUEST) : [];
}
