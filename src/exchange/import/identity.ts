import { fieldsOf } from '../../json.ts';
import { wholeSeconds } from '../../memory/file-name.ts';
import { idOf, isId } from '../../memory/id.ts';
import { isHidden } from '../../memory/marks.ts';
import type { Kind, MemoryRecord } from '../../memory/record.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { grouped } from '../../quantities.ts';
import { readEverything } from '../../records/read.ts';
import type { Arrival, BroughtRecord, Origin, Place } from './importer.ts';

/** A new record, with the id that it gets here. */
export interface Identified extends BroughtRecord {
  at: Place;
  /** The record's id in the source. */
  id: string;
  origin: Origin | undefined;
}

/** What is known of a record: enough to distinguish it from another with the same id. */
interface Known {
  kind: Kind;
  /** ISO 8601, UTC, whole seconds. */
  time: string;
}

/** The front matter key that says where a record was imported from: `{from, item}`; a `key` looks like a secret. */
const KEY = 'source';

/**
 * Distinguishes new records from existing ones, in either store. A record with an origin gets an id hashed from that origin and
 * its words: the same words are the same record; different words are a new one that supersedes the earlier record of that origin,
 * unless a person retired or redacted it. A record without an origin keeps a valid id that is free.
 */
export function identification(workspace: Workspace) {
  const known = knownRecords(workspace);
  /** The source's ids that differ here, mapped to ours. */
  const renamed = new Map<string, string>();
  let earlier: ReturnType<typeof readEarlier> | undefined;

  /** Undefined if the record already exists, or an earlier import of it was retired or redacted. */
  async function identify(arrival: Extract<Arrival, { kind: 'record' }>): Promise<Identified | undefined> {
    const { at, brought, origin } = arrival;
    const { id } = brought.record;
    if (origin === undefined) {
      const free = freeId(brought);
      return free === undefined ? undefined : { ...brought, at, id, origin, record: { ...brought.record, id: free } };
    }
    earlier ??= readEarlier(workspace);
    const own = idOf('import', origin.from, origin.key, wordsOf(brought));
    if (id !== '') renamed.set(id, own);
    const before = (await earlier).get(keyOf(origin)) ?? [];
    if (known.has(own) || before.some(({ isUnwanted }) => isUnwanted)) return undefined;
    if (brought.record.kind === 'prompt' && before.length > 0) return undefined;
    known.set(own, selfOf(brought.record));
    const replaced = before.filter(({ isActive }) => isActive).map((one) => one.id);
    return { ...brought, at, id, origin, record: withOrigin({ ...brought.record, id: own }, origin, replaced) };
  }

  /** The id under which the record is new; undefined if it exists. */
  function freeId({ record, isDated }: BroughtRecord): string | undefined {
    const { id } = record;
    const self = selfOf(record);
    const isSame = (other: Known) => other.kind === self.kind && (!isDated || other.time === self.time);
    const holder = isId(id) ? known.get(id) : undefined;
    if (holder !== undefined && isSame(holder)) return undefined;
    if (isId(id) && holder === undefined) {
      known.set(id, self);
      return id;
    }
    const given = isDated ? record : { ...record, generated: { ...record.generated, at: '' } };
    const own = idOf('import', JSON.stringify(given));
    if (id !== '') renamed.set(id, own);
    if (known.has(own)) return undefined;
    known.set(own, self);
    return own;
  }

  return { identify, renamed };
}

/** The records of earlier imports, in either store, by their origins. */
async function readEarlier(workspace: Workspace) {
  const { records } = await readEverything(workspace);
  const found = records.flatMap(({ record, state }) => {
    const { from, item } = fieldsOf(record.extra?.[KEY]);
    // A redacted name could have been anything, and would merge many origins into one.
    if (typeof from !== 'string' || typeof item !== 'string' || item.includes('[redacted')) return [];
    const isUnwanted = state.retired || state.redacted;
    return [{ name: keyOf({ from, key: item }), id: record.id, isActive: !isHidden(state), isUnwanted }];
  });
  return grouped(found, ({ name }) => name);
}

function keyOf({ from, key }: Origin): string {
  return `${from} ${key}`;
}

/** The record's content, without anything that depends on the time and place of the import. */
function wordsOf({ record, isDated }: BroughtRecord): string {
  const { id: _, generated, ...said } = record;
  return JSON.stringify({ ...said, anchors: undefined, supersedes: undefined, at: isDated ? generated.at : '' });
}

function withOrigin(record: MemoryRecord, { from, key }: Origin, replaced: string[]): MemoryRecord {
  const extra = { ...record.extra, [KEY]: { from, item: key } };
  if (record.kind === 'mark' || record.kind === 'prompt') return { ...record, extra };
  return { ...record, extra, supersedes: [...new Set([...record.supersedes, ...replaced])] };
}

function knownRecords({ stores }: Workspace): Map<string, Known> {
  const known = new Map<string, Known>();
  for (const store of [stores.private, stores.team]) {
    for (const { id, kind, time } of store.newest()) known.set(id, { kind, time });
  }
  return known;
}

function selfOf(record: MemoryRecord): Known {
  return { kind: record.kind, time: wholeSeconds(record.generated.at) };
}
