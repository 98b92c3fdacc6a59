import { GitMemError } from '../errors.ts';
import { parseMarkSlug } from '../memory/file-name.ts';
import { activeMarks, foldMarks } from '../memory/marks.ts';
import { isContent, type Mark, type MemoryRecord, type Observation } from '../memory/record.ts';
import { createSalt, echoesIn, hashOf, isSalt, passagesIn, passagesOf, textsOf } from '../memory/redaction.ts';
import { MAX_HOOK_BYTES } from '../memory/size.ts';
import { decodable, loadable } from '../memory/store/store.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { marksNamed } from './lasting-marks.ts';
import { isTrusted, withTrust } from './trust.ts';

/** What the active redact marks of a checkout keep from being captured again. */
export interface Redactions {
  ids: Set<string>;
  /** The id of a mark that keeps this record out; undefined where none does. */
  against(record: MemoryRecord): string | undefined;
  /** Throws redacted for a record that a mark keeps out. */
  refuse(record: MemoryRecord): void;
  /** An observation without the facts that a mark keeps out; the others may be worth keeping. */
  withoutRedactedFacts(record: Observation): Observation;
  /** Tells whether no mark keeps a passage out. */
  isFree(text: string): boolean;
  /** The salt that a new mark should have: one salt for all means one hash of each passage. */
  salt: string;
}

/**
 * Reads the redact marks of both stores. Only trusted marks count: otherwise an untrusted branch could keep out any
 * record. With `ids`, of the marks on these records alone. One git child, none if nothing was ever redacted.
 */
export async function activeRedactions(workspace: Workspace, ids?: readonly string[]): Promise<Redactions> {
  const marks = await trustedMarks(workspace, 'redact');
  const isAbout = ({ type, targets }: Mark) => type === 'undo' || targets.some((id) => ids?.includes(id));
  return redactionsOf(ids === undefined ? marks : marks.filter(isAbout));
}

/** What these marks keep out, trusted or not. */
export function redactionsOf(marks: Mark[]): Redactions {
  const active = activeMarks(marks).filter(({ type }) => type === 'redact');
  // By salt, then hash: the mark.
  const known = new Map<string, Map<string, string>>();
  for (const { id, hashed_with: salt, hashes = [] } of active) {
    if (salt === undefined || !isSalt(salt)) continue;
    const hashed = known.get(salt) ?? new Map<string, string>();
    for (const hash of hashes) hashed.set(hash, id);
    known.set(salt, hashed);
  }

  /** What the same passage was answered before: many commits end in the same lines. */
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
    salt: [...known.keys()].sort()[0] ?? createSalt(),
  };
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
