import type { Cache } from '../index/cache.ts';
import type { IndexedDocument, RecordIndex } from '../index/memory-index.ts';
import { type EffectiveStates, foldMarks, isHidden, type Statement } from '../memory/marks.ts';
import { type Entry, entryAt } from '../memory/store/source.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { removedMarks } from '../provenance/lasting-marks.ts';
import type { Trust } from '../provenance/levels.ts';
import type { JudgedStatement } from '../provenance/relations.ts';
import { isTrusted, mostTrusted, reviewedTrees, trustOf, withTrust } from '../provenance/trust.ts';
import type { Filter } from './card-filter.ts';

/** A document of the index with its file's entry: enough to judge it without reading the file. */
export interface Placed {
  document: IndexedDocument;
  entry: Entry;
}

/** Which records count, by trust, and what the trusted ones say about others. */
export interface Judgement {
  trust(placed: Placed): Trust;
  /** One record per id, in their order: an untrusted file may claim the id of a trusted record. */
  distinct(places: Placed[]): Placed[];
  states: EffectiveStates;
  /** Tells whether it counts: trusted, and neither superseded, retired nor redacted. */
  isActive(placed: Placed): boolean;
  /** Tells whether a filter admits it, as far as is known without reading its file. */
  admits(placed: Placed, filter: Pick<Filter, 'trust' | 'all'>): boolean;
  statements: JudgedStatement[];
}

/** The states that result from the trusted ones among statements or records. */
export function statesOf(judged: Iterable<Pick<JudgedStatement, 'record' | 'trust'>>): EffectiveStates {
  const trusted: Statement[] = [];
  for (const { record, trust } of judged) if (isTrusted(trust)) trusted.push(record);
  return foldMarks(trusted);
}

/** Documents with their entries; those whose file the index does not know are left out. */
export function placesOf(index: RecordIndex, documents: Iterable<IndexedDocument>): Placed[] {
  const placed: Placed[] = [];
  for (const document of documents) {
    const entry = entryAt(document.store, index.pathOf(document.row) ?? '');
    if (entry !== undefined) placed.push({ document, entry });
  }
  return placed;
}

const NONE: never[] = [];

/**
 * The parts of a document that judging needs, with the fields of its text left empty: a listing without a question holds
 * one for each record of the store at once.
 */
export function bare({ row, blob, store, card }: IndexedDocument): IndexedDocument {
  const { id, kind, type, created, supersedes: replaced, mark } = card;
  const supersedes = replaced.length > 0 ? replaced : NONE;
  const judged = { id, kind, type, title: '', created, concepts: NONE, files: NONE, modified: 0, supersedes };
  return { row, blob, store, terms: NONE, card: mark === undefined ? judged : { ...judged, mark } };
}

/** Above this number of ids all statements are read, which is faster than asking about each. */
const FEW = 1000;

/** The records that change the state of these; for many ids, those about others too. */
export function statementsOn(index: RecordIndex, documents: Iterable<IndexedDocument>): Placed[] {
  const ids = new Set<string>();
  for (const { card } of documents) ids.add(card.id);
  return placesOf(index, index.statements(ids.size > FEW ? undefined : ids));
}

/** The judgement of everything in an index at one of its versions. */
export interface VersionedJudgement {
  version: string;
  judgement: Judgement;
}

/** Judges records and statements like `trustOf`; `about` are the ids whose statements are wanted. */
export async function judge(
  workspace: Workspace,
  records: Placed[],
  statements: Placed[],
  {
    signatures = true,
    about = records.map(({ document }) => document.card.id),
  }: { signatures?: boolean; about?: Iterable<string> } = {},
): Promise<Judgement> {
  const all = [...statements, ...records].map(({ document, entry }) => ({ entry, blob: document.blob }));
  const branches = await reviewedTrees(workspace);
  const [levels, removed] = await Promise.all([
    trustOf(all, workspace, { branches, signatures }),
    removedMarks(workspace, all.slice(0, statements.length), { branches, about }),
  ]);
  const judged: JudgedStatement[] = statements.map(({ document, entry }, i) => {
    return { record: statementOf(document), entry, trust: levels[i] ?? 'unreviewed' };
  });
  for (const { record, entry } of removed) judged.push({ record, entry, trust: 'own' });
  const trusts = new Map(
    records.map(({ document }, i) => [document.row, levels[statements.length + i] ?? 'unreviewed']),
  );
  const states = statesOf(judged);
  const trust = ({ document }: Placed) => trusts.get(document.row) ?? 'unreviewed';
  const distinct = (places: Placed[]) =>
    mostTrusted(places, (placed) => {
      return { id: placed.document.card.id, store: placed.entry.store, trust: trust(placed) };
    });
  const isShown = ({ document }: Placed) => !isHidden(states.of(document.card.id));
  const admits = (placed: Placed, { trust: wanted, all }: Pick<Filter, 'trust' | 'all'>) =>
    (!wanted || trust(placed) === wanted) && (all || isShown(placed));
  const isActive = (placed: Placed) => isTrusted(trust(placed)) && isShown(placed);
  return { trust, distinct, isActive, admits, states, statements: judged };
}

function statementOf({ card: { id, kind, supersedes, mark } }: IndexedDocument): Statement {
  if (mark !== undefined) return { kind: 'mark', id, ...mark };
  return kind === 'observation' || kind === 'summary' ? { kind, id, supersedes } : { kind: 'prompt', id };
}

/**
 * Notes in the index which records are trusted, so that a prompt's hook looks at no others: it has no time to check
 * thousands that a branch added. This is not a judgement: a record is judged again when it is injected. A known record
 * stays known for as long as the checkout has it.
 */
export async function noteKnownRecords(workspace: Workspace, cache: Cache): Promise<void> {
  const unknown = await cache.query((index) => index.unknown(), { glance: 'folders' });
  const files = unknown.map(({ row, store, path, blob }) => ({ row, entry: { store, path }, blob }));
  const judged = await withTrust(files, workspace, { signatures: false });
  // A record edited since its review is injected as it was reviewed.
  const known = judged.filter(({ trust }) => trust !== 'unreviewed');
  await cache.write((index) => index.noteKnown(known.map(({ row }) => row)), { glance: 'folders' });
}
