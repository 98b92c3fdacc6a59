import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { GitMemError } from '../errors.ts';
import { factsOn, keepFacts } from '../kept/facts.ts';
import { parseFileName, parseMarkSlug } from '../memory/file-name.ts';
import { activeMarks, foldMarks } from '../memory/marks.ts';
import { isContent, type Mark, type MemoryRecord, type Observation } from '../memory/record.ts';
import { createSalt, echoesIn, hashOf, isSalt, passagesIn, passagesOf, textsOf } from '../memory/redaction.ts';
import { MAX_HOOK_BYTES } from '../memory/size.ts';
import { namesIn } from '../memory/store/names-in.ts';
import { decodable, loadable, readable, type StoredRecord } from '../memory/store/source.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { lastingMarks, marksNamed, readMarks } from './lasting-marks.ts';
import { isTrusted, withTrust } from './trust.ts';

/** What the active redact marks of a checkout keep from being captured again. */
export interface Redactions {
  ids: Set<string>;
  /** The id of a mark that keeps this record out; undefined if none does. */
  against(record: MemoryRecord): string | undefined;
  /** Throws redacted for a record that a mark keeps out. */
  refuse(record: MemoryRecord): void;
  /** An observation without the facts that a mark keeps out; the others may be worth keeping. */
  withoutRedactedFacts(record: Observation): Observation;
  /** Whether no mark keeps a passage out. */
  isFree(text: string): boolean;
  /** Whether one of a record's own passages is redacted: its title, a fact, a sentence, a section. */
  repeats(record: MemoryRecord): boolean;
  /** A short digest of the marks' hashes; empty if there are none. */
  version: string;
  /** The salt that a new mark should have: one salt for all means one hash of each passage. */
  salt: string;
}

/**
 * Reads the redact marks of both stores. Only trusted marks count: otherwise an untrusted branch could keep out any
 * record. With `ids`, only those on these records. One git child, none if nothing was ever redacted.
 */
export async function activeRedactions(workspace: Workspace, ids?: readonly string[]): Promise<Redactions> {
  const marks = await trustedMarks(workspace, 'redact');
  const isAbout = ({ type, targets }: Mark) => type === 'undo' || targets.some((id) => ids?.includes(id));
  return redactionsOf(ids === undefined ? marks : marks.filter(isAbout));
}

/** What these marks keep out, trusted or not. */
export function redactionsOf(marks: Mark[]): Redactions {
  const active = activeMarks(marks).filter(({ type }) => type === 'redact');
  // The mark, by salt and then hash.
  const known = new Map<string, Map<string, string>>();
  for (const { id, hashed_with: salt, hashes = [] } of active) {
    if (salt === undefined || !isSalt(salt)) continue;
    const hashed = known.get(salt) ?? new Map<string, string>();
    for (const hash of hashes) hashed.set(hash, id);
    known.set(salt, hashed);
  }

  /** Earlier answers by passage: many commits end in the same lines. */
  const answers = new Map<string, string | undefined>();
  function markOf(passage: string): string | undefined {
    if (!answers.has(passage))
      answers.set(passage, [...known].map(([salt, hashed]) => hashed.get(hashOf(passage, salt))).find(Boolean));
    return answers.get(passage);
  }
  const markAgainst = (passages: string[]) => passages.map(markOf).find(Boolean);

  const against = (record: MemoryRecord) =>
    known.size === 0 ? undefined : markAgainst([...new Set([...passagesOf(record), ...echoesIn(textsOf(record))])]);
  const isFree = (text: string) =>
    known.size === 0 || markAgainst([...passagesIn(text), ...echoesIn([text])]) === undefined;

  const said = [...known].flatMap(([salt, hashed]) => [salt, ...hashed.keys()]).sort();
  return {
    ids: new Set(active.flatMap(({ targets }) => targets)),
    against,
    refuse(record) {
      const mark = against(record);
      if (mark === undefined) return;
      throw new GitMemError('redacted', `This repeats what was redacted by the mark ${mark}.`, {
        hint: `Leave that passage out. If the redaction was a mistake, \`git mem undo ${mark}\` lifts it.`,
      });
    },
    withoutRedactedFacts: (record) => ({ ...record, facts: record.facts.filter(isFree) }),
    isFree,
    repeats: (record) => known.size > 0 && markAgainst(passagesOf(record)) !== undefined,
    version: said.length === 0 ? '' : createHash('sha256').update(said.join(' ')).digest('hex').slice(0, 16),
    salt: [...known.keys()].sort()[0] ?? createSalt(),
  };
}

/**
 * Blobs of team records that repeat what was redacted: hidden too, though no mark names them. They came in with a merge
 * from a clone that did not know the mark. Hashing takes milliseconds a record, so answers are kept until the marks
 * change.
 */
export async function repeatingAmong(workspace: Workspace, records: readonly StoredRecord[]): Promise<Set<string>> {
  const { repeats, version } = redactionsOf(await lastingRedactions(workspace.now ?? workspace));
  if (version === '') return new Set();
  const kept = join(workspace.layout.state, 'redacted');
  const folder = join(kept, version);
  for (const other of namesIn(kept)) if (other !== version) rmSync(join(kept, other), { recursive: true, force: true });
  const team = records.filter(({ entry }) => entry.store === 'team');
  const blobs = team.map(({ blob }) => blob);
  const known = new Map(factsOn(folder, blobs));
  // Decoded again: a summary may have been read without what hidden records say.
  const fresh = team
    .filter(({ blob }) => !known.has(blob))
    .map((file) => [file.blob, repeats((decodable(file) ?? file).record) ? 'repeats' : '-'] as const);
  keepFacts(folder, fresh);
  return new Set([...known, ...fresh].flatMap(([blob, fact]) => (fact === 'repeats' ? [blob] : [])));
}

/**
 * The redact marks that are reviewed or this clone's own, and the undos that lift them; none if no file name says
 * redact. The team's folders of marks are not listed: a branch may add any number of files.
 */
async function lastingRedactions(workspace: Workspace): Promise<Mark[]> {
  const own = [...workspace.stores.private.newest('mark')];
  const lasting = (await lastingMarks(workspace)).map((file) => ({
    ...file,
    slug: parseFileName(file.path)?.slug ?? '',
  }));
  const isWanted = ({ slug }: { slug: string }) => {
    const type = parseMarkSlug(slug)?.type;
    return type === undefined || type === 'redact';
  };
  if (![...own, ...lasting].some(isWanted)) return [];
  const isRead = (one: { slug: string }) => isWanted(one) || parseMarkSlug(one.slug)?.type === 'undo';
  const { files } = await readMarks(workspace, lasting.filter(isRead));
  const read = own.filter(isRead).flatMap((entry) => readable(workspace.stores.private, entry) ?? []);
  const marks = [...read, ...files.flatMap((file) => decodable(file) ?? [])];
  return marks.flatMap(({ record }) => (record.kind === 'mark' ? [record] : []));
}

/** Which of these records a trusted retire mark has retired; git is asked only if a retire mark names one of them. */
export async function retiredAmong(workspace: Workspace, ids: string[]): Promise<Set<string>> {
  const marks = await trustedMarks(workspace, 'retire', ({ targets }) => ids.some((id) => targets.includes(id)));
  const retired = new Set(activeMarks(marks).flatMap(({ targets }) => targets));
  return new Set(ids.filter((id) => retired.has(id)));
}

/** The first of these records that trusted records or marks supersede, and by what. */
export async function supersededAmong(
  workspace: Workspace,
  ids: string[],
): Promise<{ id: string; by: string[] } | undefined> {
  const marks = await trustedMarks(workspace, 'supersede', ({ targets }) => ids.some((id) => targets.includes(id)));
  // Their own statements count too: two records that supersede each other are both live.
  const records = [workspace.stores.team, workspace.stores.private].flatMap((store) =>
    [...store.newest('observation', 'summary')].flatMap((entry) => {
      const file = loadable(store, entry, MAX_HOOK_BYTES);
      return file !== undefined && ids.some((id) => file.text.includes(id)) ? (decodable(file) ?? []) : [];
    }),
  );
  const speaking = records.filter(({ record }) => isContent(record) && record.supersedes.length > 0);
  const judged = await withTrust(speaking, workspace, { signatures: true });
  const states = foldMarks([...marks, ...judged.filter(({ trust }) => isTrusted(trust)).map(({ record }) => record)]);
  return ids.map((id) => ({ id, by: states.of(id).superseded_by })).find(({ by }) => by.length > 0);
}

/** The trusted marks of a type, and the undos that may be about them; none unless one of them `matters`. */
async function trustedMarks(
  workspace: Workspace,
  wanted: 'redact' | 'retire' | 'supersede',
  matters: (mark: Mark) => boolean = () => true,
): Promise<Mark[]> {
  // By the type in a mark's name; a mark without it has to be read.
  const found = await marksNamed(workspace, (slug) => [undefined, wanted, 'undo'].includes(parseMarkSlug(slug)?.type));
  const marks = found.flatMap(({ record }) => (record.kind === 'mark' ? [record] : []));
  if (!marks.some((mark) => mark.type === wanted && matters(mark))) return [];
  const judged = await withTrust(found, workspace, { signatures: true });
  return judged.flatMap(({ record, trust }) => (record.kind === 'mark' && isTrusted(trust) ? [record] : []));
}
