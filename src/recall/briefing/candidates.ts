import { parseMarkSlug } from '../../memory/file-name.ts';
import { endOfFrontMatter, plainLines } from '../../memory/front-matter-lines.ts';
import { isContent, type Observation } from '../../memory/record.ts';
import { type SessionProofs, shownBySession } from '../../memory/session-proofs.ts';
import { decodable, type Entry, type StoredFile, type StoredRecord } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { lastingMarks } from '../../provenance/lasting-marks.ts';
import {
  isActive,
  isTrusted,
  mostTrustedRecords,
  reviewedTrees,
  type Trust,
  type WithTrust,
  withTrust,
} from '../../provenance/trust.ts';
import { rivalsById } from '../disputes/rivals.ts';
import { type Annotated, annotate } from '../query/annotate.ts';
import { statesOf } from '../query/judgement.ts';
import { notCompared, rivalsOf } from '../query/kept-disputes.ts';
import { keptRenames } from '../query/renamed-files.ts';
import { withKnownReverts } from '../query/reverted.ts';
import type { Untrusted } from './briefing.ts';
import type { Candidate } from './briefing-lines.ts';
import { changedSince } from './changed-files.ts';
import { filesCiting, filesReplacing, MOST_CITING, MOST_REPLACING, noteCitations } from './citations.ts';
import { type MarksOn, marksOf } from './marks.ts';
import { type Newest as NewestFiles, newestJudged, trustedPaths } from './newest.ts';
import { filesWithIds } from './pinned.ts';

/** Everything that may be injected into a session. */
export interface Candidates {
  candidates: Candidate[];
  /** Untrusted files met on the way; not even decoded. */
  untrusted: Untrusted[];
  /** Ids of records that are too large to read at session start, and of those that are dated in the future. */
  oversize: string[];
  future: string[];
  /** Files that the branch or the working tree changes, by all names they are known to have had. */
  changedFiles: Set<string>;
}

/**
 * The newest trusted records of both stores with their state and freshness, and the files that the branch changes.
 * Reads folder listings and the newest files, and decodes only those whose blob is trusted: untrusted files cost little
 * and change nothing. Two git children; more if there are untrusted files, a cited file is missing, or older records
 * cite files that the branch changes.
 */
export async function newestCandidates(
  workspace: Workspace,
  { injectUnreviewed, nowMs = Date.now() }: { injectUnreviewed: boolean; nowMs?: number },
): Promise<Candidates> {
  const { at } = workspace;
  const branches = await reviewedTrees(workspace);
  // Started first, so that git runs while the records are read. A past commit has no changes in progress.
  const changes = changedSince(at === undefined ? branches[0] : undefined, workspace);
  const isWanted = (trust: Trust) => injectUnreviewed || isTrusted(trust);
  const judging = { branches, isWanted, marks: marksOf(workspace, lastingMarks(workspace, branches)) };
  const [newest, { files: changedFiles, renames }] = await Promise.all([
    judgedPool(workspace, judging, nowMs),
    changes,
  ]);
  for (const [former, now] of keptRenames(workspace).pairs()) {
    if (!renames.has(former)) renames.set(former, now);
    if (changedFiles.has(now)) changedFiles.add(former);
  }
  const { heard, unwanted, oversize, future, digests } = newest;
  const pool = [...newest.pool, ...(await citingPool(workspace, judging, { changedFiles, newest }))];
  const states = statesOf(heard);
  const annotated = withKnownReverts(workspace, await annotate(workspace, pool, states, { renames }));
  const untrusted = unwanted.map(({ entry, trust }): Untrusted => {
    return { id: entry.id, time: entry.time, trust, state: states.of(entry.id) };
  });
  const proofs = proofsIn(digests);
  const rivals = new Map(annotated.filter(isRival).map(({ record }) => [record.id, record]));
  const since = await rivalsSince(workspace, rivals);
  const candidates = annotated.filter(isCandidate).map((one) => {
    const rival = [...one.disputedBy, ...(since.get(one.record.id) ?? [])].map((id) => rivals.get(id)).find(Boolean);
    return {
      ...named(one),
      ...shownBySession(proofs.get(one.record.session ?? '') ?? {}, one.record),
      ...(rival && { rival }),
    };
  });
  const idsOf = (entries: Entry[]) => entries.map(({ id }) => id);
  return { candidates, untrusted, oversize: idsOf(oversize), future: idsOf(future), changedFiles };
}

/** The newest files, of which the wanted ones were decoded. */
interface Newest extends Omit<NewestFiles, 'newest' | 'others'> {
  pool: WithTrust<StoredRecord>[];
  /** All that was decoded: the pool, and the marks on it. */
  heard: WithTrust<StoredRecord>[];
}

/** What the trust of files depends on, and what is said about records. */
interface Judging {
  branches: string[];
  isWanted: (trust: Trust) => boolean;
  marks: MarksOn;
}

/** The records to choose from, with the trust of each and of every mark on them, and the files of all others. */
async function judgedPool(
  workspace: Workspace,
  { branches, isWanted, marks: listed }: Judging,
  nowMs: number,
): Promise<Newest> {
  let prefetched = new Set<string>();
  let rivals: string[] = [];
  const speakers = async (ids: Set<string>, isFirst: boolean) => {
    if (isFirst) rivals = rivalsOf(ids, workspace);
    const said = await listed(new Set([...ids, ...rivals]), isFirst);
    if (!isFirst) return said;
    prefetched = new Set([...pinnedByName(said), ...rivals]);
    return [...said, ...filesWithIds(workspace, prefetched)];
  };
  const { newest, others, ...left } = await newestJudged(workspace, { branches, isWanted, speakers, nowMs });
  const heard: WithTrust<StoredRecord>[] = [];
  const decoded = (judged: WithTrust<StoredFile>[]) => decodeWanted(judged, isWanted, heard);
  const pool = decoded(newest);
  const marks = decoded(others.filter(({ entry }) => entry.kind === 'mark')).filter(({ trust }) => isTrusted(trust));
  const pins = marks.flatMap(({ record }) => (record.kind === 'mark' && record.type === 'pin' ? record.targets : []));
  const known = new Set(pool.map(({ record }) => record.id));
  const wanted = new Set([...pins, ...rivals].filter((id) => !known.has(id)));
  const fetched = others.filter(({ entry }) => entry.kind !== 'mark');
  const missing = [...wanted].filter((id) => !prefetched.has(id));
  // The file name of a mark that pins several records names only one of them.
  const files = filesWithIds(workspace, new Set(missing));
  const late = files.length > 0 ? await withTrust(files, workspace, { branches, signatures: true }) : [];
  pool.push(...decoded([...fetched, ...late].filter(({ entry }) => wanted.has(entry.id))));
  return { pool: mostTrustedRecords(pool), heard, ...left };
}

/**
 * Older trusted observations of the whole store that cite a file which the branch changes. One more git child, only if
 * there are any. Their trust, and that of the marks on them, is added to that of the newest.
 */
async function citingPool(
  workspace: Workspace,
  { branches, isWanted, marks }: Judging,
  { changedFiles, newest }: { changedFiles: ReadonlySet<string>; newest: Newest },
): Promise<WithTrust<StoredRecord>[]> {
  if (changedFiles.size === 0) return [];
  noteCitations(workspace);
  const known = new Set(newest.pool.map(({ record }) => record.id));
  const judged = async (admits?: (path: string) => boolean) => {
    const citing = filesCiting(workspace, changedFiles, { known, admits });
    const ids = new Set(citing.map(({ entry }) => entry.id));
    const replacing = filesReplacing(workspace, ids, admits);
    const speakers = ids.size === 0 ? [] : [...replacing, ...(await marks(ids, false))];
    const all = await withTrust([...citing, ...speakers], workspace, { branches, signatures: true });
    return { citing: all.slice(0, citing.length), replacing, speakers: all.slice(citing.length) };
  };
  let found = await judged();
  const isCut = found.citing.length === MOST_CITING || found.replacing.length === MOST_REPLACING;
  // A branch may add any number of files that are newer than the known ones.
  if (isCut && ![...found.citing, ...found.speakers].every(({ trust }) => isWanted(trust))) {
    const paths = await trustedPaths(workspace, branches);
    found = await judged((path) => paths.has(path));
  }
  decodeWanted(found.speakers, isWanted, newest.heard);
  return mostTrustedRecords(decodeWanted(found.citing, isWanted, newest.heard));
}

/** Decodes the wanted, readable records of the judged files, and adds them to what was heard. */
function decodeWanted(
  judged: WithTrust<StoredFile>[],
  isWanted: (trust: Trust) => boolean,
  heard: WithTrust<StoredRecord>[],
): WithTrust<StoredRecord>[] {
  const records = judged.flatMap((file) => (isWanted(file.trust) ? (decodable(file) ?? []) : []));
  heard.push(...records);
  return records;
}

/** Characters of an id that stay unique among a hundred thousand records: the pool is not the whole store. */
const SHORT_ID = 6;

function named(candidate: Candidate): Candidate {
  const { record, shortId } = candidate;
  return { ...candidate, shortId: record.id.slice(0, Math.max(shortId.length, SHORT_ID)) };
}

/** Even where unreviewed records are injected, one of them casts no doubt on another. */
function isRival(one: Annotated): one is Annotated<Observation> {
  return one.record.kind === 'observation' && isActive(one);
}

/** The records that contradict those which no drain has compared yet: of these few, a start does so itself. */
async function rivalsSince(
  workspace: Workspace,
  active: ReadonlyMap<string, Observation>,
): Promise<ReadonlyMap<string, string[]>> {
  const fresh = notCompared([...active.keys()], workspace);
  if (fresh.length === 0) return new Map();
  const { titleDisputes } = await import('../disputes/dispute.ts');
  return rivalsById(titleDisputes([...active.values()], new Set(fresh)));
}

function isCandidate(annotated: Annotated): annotated is Candidate {
  return isContent(annotated.record);
}

/** The ids of pinned records, as far as the names of the marks show them. */
function pinnedByName(marks: StoredFile[]): Set<string> {
  const pins = marks.map(({ entry }) => parseMarkSlug(entry.slug));
  return new Set(pins.flatMap((about) => (about?.type === 'pin' ? [about.target] : [])));
}

/** What sessions showed, from their digests in the private store, newest first: without git, and without parsing YAML. */
function proofsIn(digests: StoredFile[]): Map<string, SessionProofs> {
  const found = new Map<string, SessionProofs>();
  for (const { text } of digests) {
    const source = plainLines(text);
    const front = source.slice(0, endOfFrontMatter(source) ?? 0);
    const session = /^session: "([^"\n]+)"$/m.exec(front)?.[1];
    if (session === undefined || found.has(session)) continue;
    found.set(session, { checked: numbersIn(front, 'checked'), takenBack: numbersIn(front, 'taken_back') });
  }
  return found;
}

function numbersIn(front: string, key: 'checked' | 'taken_back'): number[] {
  const line = new RegExp(`^${key}: \\[([^\\]\n]*)\\]$`, 'm').exec(front)?.[1] ?? '';
  return (line.match(/\d+/g) ?? []).map(Number);
}
