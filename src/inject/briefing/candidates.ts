import { join } from 'node:path';
import { readHead } from '../../git/locate.ts';
import { RAW_DIFF, rawChanges, runGit } from '../../git/objects.ts';
import { commitOf } from '../../kept/facts.ts';
import { statSync } from '../../looks.ts';
import { parseMarkSlug } from '../../memory/file-name.ts';
import { plainLines } from '../../memory/front-matter-lines.ts';
import { isHidden } from '../../memory/marks.ts';
import { isContent } from '../../memory/record.ts';
import { isSessionDigest } from '../../memory/session-digest.ts';
import { decodable, type Entry, type StoredFile, type StoredRecord } from '../../memory/store/source.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { changedHere } from '../../provenance/hand-edits.ts';
import { lastingMarks, removedMarks } from '../../provenance/lasting-marks.ts';
import type { Trust } from '../../provenance/levels.ts';
import { keptRenames } from '../../provenance/renamed-files.ts';
import { isTrusted, mostTrustedRecords, reviewedTrees, type WithTrust, withTrust } from '../../provenance/trust.ts';
import { type Annotated, annotate, withoutWhatIsHidden } from '../../records/annotate.ts';
import { statesOf } from '../../records/judgement.ts';
import type { Untrusted } from './briefing.ts';
import { type Candidate, isAllCommitted } from './briefing-lines.ts';
import {
  filesCiting,
  filesOfRules,
  filesReplacing,
  MOST_CITING,
  MOST_REPLACING,
  MOST_RULES,
  noteCitations,
} from './citations.ts';
import { filesWithIds, type MarksOn, marksOf } from './marks.ts';
import { judgedFiles, type Newest as NewestFiles, newestJudged, POOL, trustedPaths } from './newest.ts';

/** Most digests of this branch that are decoded: a resumed session has several, and its newest counts. */
const MOST_DIGESTS = 8;

/** Everything that may be injected into a session. */
export interface Candidates {
  candidates: Candidate[];
  /** Untrusted files met on the way, which are not even decoded. */
  untrusted: Untrusted[];
  /** The ids of untrusted files at paths where this clone wrote another text. */
  changed: string[];
  /** How many of the chosen records were edited since their review: their reviewed text is used. */
  edited: number;
  /** Ids of records that are too large to read at session start (`oversize`) or dated in the future (`future`). */
  oversize: string[];
  future: string[];
  /** Files that the branch or the working tree changes, under every name that they are known to have had. */
  changedFiles: Set<string>;
  /** The store may have more trusted observations than a start reads. */
  isMore: boolean;
}

/**
 * The newest trusted records of both stores with their state and freshness, and the files that the branch changes.
 * Reads folder listings and the newest files, and decodes only those whose blob is trusted: untrusted files cost little
 * and change nothing. Starts two git processes; more if there are untrusted files, if a cited file is missing, or if
 * there are older rules or older records that cite changed files.
 */
export async function newestCandidates(
  workspace: Workspace,
  { injectUnreviewed, nowMs = Date.now() }: { injectUnreviewed: boolean; nowMs?: number },
): Promise<Candidates> {
  const { at } = workspace;
  const branches = await reviewedTrees(workspace);
  // Started first, so that git runs while records are read. A past commit (`at`) has no changes in progress.
  const changes = changedSince(at === undefined ? branches[0] : undefined, workspace);
  const isWanted = (trust: Trust) => injectUnreviewed || isTrusted(trust);
  const judging = { branches, isWanted, marks: marksOf(workspace, lastingMarks(workspace, branches)) };
  const [newest, changedFiles] = await Promise.all([judgedPool(workspace, judging, nowMs), changes]);
  const renames = keptRenames(workspace);
  for (const path of [...changedFiles]) for (const former of renames.formerNames(path)) changedFiles.add(former);
  const { heard, unwanted, oversize, future } = newest;
  const since = at === undefined ? [] : await removedMarks(workspace, new Set());
  heard.push(...since.map((mark) => ({ ...mark, trust: 'own' as const })));
  const older = await olderPool(workspace, judging, { changedFiles, newest, nowMs });
  const digests = await digestsHere(workspace, judging, newest);
  const states = statesOf(heard);
  const stated = [...newest.pool, ...older, ...digests].map((one) => ({ ...one, state: states.of(one.record.id) }));
  const pool = withoutWhatIsHidden(stated);
  const annotated = await annotate(workspace, pool, states, { isHook: true });
  const untrusted = unwanted.map(({ entry, trust }): Untrusted => {
    return { id: entry.id, time: entry.time, trust, state: states.of(entry.id) };
  });
  const candidates = annotated.filter(isCandidate).map((one) => {
    return { ...one, shortId: one.record.id.slice(0, Math.max(one.shortId.length, SHORT_ID)) };
  });
  const edited = pool.filter((one) => 'isEdited' in one && !isHidden(states.of(one.record.id))).length;
  const isMore = newest.pool.filter(({ record }) => record.kind === 'observation').length >= POOL.observation;
  const changed = changedHere(workspace, unwanted).filter((id) => !isHidden(states.of(id)));
  const idsOf = (entries: Entry[]) => entries.map(({ id }) => id);
  const ids = { oversize: idsOf(oversize), future: idsOf(future) };
  return { candidates, untrusted, changed, edited, ...ids, changedFiles, isMore };
}

/** The newest files; the wanted ones among them are decoded. */
interface Newest extends Omit<NewestFiles, 'newest' | 'others'> {
  pool: WithTrust<StoredRecord>[];
  /** All that was decoded: the pool and the marks on it; later steps add theirs. States are computed from it. */
  heard: WithTrust<StoredRecord>[];
}

/** What judging needs: what the trust of files depends on, and the marks on records. */
interface Judging {
  branches: string[];
  isWanted: (trust: Trust) => boolean;
  marks: MarksOn;
}

/** The newest and the pinned records to choose from, each with its trust, the marks on them, and the files left out. */
async function judgedPool(
  workspace: Workspace,
  { branches, isWanted, marks: listed }: Judging,
  nowMs: number,
): Promise<Newest> {
  let prefetched = new Set<string>();
  const speakers = async (ids: Set<string>, isFirst: boolean) => {
    const said = await listed(ids, isFirst);
    if (!isFirst) return said;
    prefetched = pinnedByName(said);
    return [...said, ...filesWithIds(workspace, prefetched)];
  };
  const { newest, others, ...left } = await newestJudged(workspace, { branches, isWanted, speakers, nowMs });
  const heard: WithTrust<StoredRecord>[] = [];
  const decoded = (judged: WithTrust<StoredFile>[]) => decodeWanted(judged, isWanted, heard);
  const pool = decoded(newest);
  const marks = decoded(others.filter(({ entry }) => entry.kind === 'mark')).filter(({ trust }) => isTrusted(trust));
  const pins = marks.flatMap(({ record }) => (record.kind === 'mark' && record.type === 'pin' ? record.targets : []));
  const known = new Set(pool.map(({ record }) => record.id));
  const wanted = new Set(pins.filter((id) => !known.has(id)));
  const fetched = others.filter(({ entry }) => entry.kind !== 'mark');
  const missing = [...wanted].filter((id) => !prefetched.has(id));
  // The file name of a mark that pins several records names only the first.
  const files = filesWithIds(workspace, new Set(missing));
  const late = files.length > 0 ? await judgedFiles(workspace, files, { branches, isWanted }) : [];
  pool.push(...decoded([...fetched, ...late].filter(({ entry }) => wanted.has(entry.id))));
  return { pool: mostTrustedRecords(pool), heard, ...left };
}

/**
 * Older trusted observations of the whole store that a start must know: rules, and those that cite a file which the
 * branch changes. Takes one more git process, but only if there are any. They and what is said about them are added to
 * `newest.heard`.
 */
async function olderPool(
  workspace: Workspace,
  { branches, isWanted, marks }: Judging,
  { changedFiles, newest, nowMs }: { changedFiles: ReadonlySet<string>; newest: Newest; nowMs: number },
): Promise<WithTrust<StoredRecord>[]> {
  noteCitations(workspace, { nowMs });
  const known = new Set(newest.pool.map(({ record }) => record.id));
  const judged = async (admits?: (path: string) => boolean) => {
    const rules = filesOfRules(workspace, { known, admits });
    const found = new Set([...known, ...rules.map(({ entry }) => entry.id)]);
    const citing = changedFiles.size === 0 ? [] : filesCiting(workspace, changedFiles, { known: found, admits });
    const older = [...rules, ...citing];
    const ids = new Set(older.map(({ entry }) => entry.id));
    const replacing = ids.size === 0 ? [] : filesReplacing(workspace, ids, { admits });
    const speakers = ids.size === 0 ? [] : [...replacing, ...(await marks(ids, false))];
    const all = await judgedFiles(workspace, [...older, ...speakers], { branches, isWanted });
    const isCut = rules.length === MOST_RULES || citing.length === MOST_CITING || replacing.length === MOST_REPLACING;
    return { older: all.slice(0, older.length), speakers: all.slice(older.length), isCut };
  };
  let found = await judged();
  // A branch may add any number of newer files, which would leave no room for trusted ones.
  if (found.isCut && ![...found.older, ...found.speakers].every(({ trust }) => isWanted(trust))) {
    const paths = await trustedPaths(workspace, branches);
    found = await judged((path) => paths.has(path));
  }
  decodeWanted(found.speakers, isWanted, newest.heard);
  return mostTrustedRecords(decodeWanted(found.older, isWanted, newest.heard));
}

/**
 * The digests that the last sessions on this branch left in this clone, without those of sessions that committed all
 * their work. Digests of other branches are not decoded.
 */
async function digestsHere(
  workspace: Workspace,
  { branches, isWanted }: Judging,
  { digests, heard }: Newest,
): Promise<WithTrust<StoredRecord>[]> {
  const { branch } = readHead(workspace.checkout);
  if (branch === undefined) return [];
  const line = `\nbranch: ${JSON.stringify(branch)}\n`;
  const here = digests.filter(({ text }) => plainLines(text).includes(line)).slice(0, MOST_DIGESTS);
  if (here.length === 0) return [];
  const told = decodeWanted(await withTrust(here, workspace, { branches, signatures: false }), isWanted, heard);
  return told.filter(({ record }) => record.kind !== 'summary' || !isAllCommitted(record));
}

/** Decodes the files whose trust is wanted, without those that are no records, and adds the records to `heard`. */
function decodeWanted(
  judged: WithTrust<StoredFile>[],
  isWanted: (trust: Trust) => boolean,
  heard: WithTrust<StoredRecord>[],
): WithTrust<StoredRecord>[] {
  const records = judged.flatMap((file) => (isWanted(file.trust) ? (decodable(file) ?? []) : []));
  heard.push(...records);
  return records;
}

/** Fewest characters of a short id: unique among a hundred thousand records, as the store is larger than the pool. */
const SHORT_ID = 6;

function isCandidate(annotated: Annotated): annotated is Candidate {
  return isContent(annotated.record) || isSessionDigest(annotated.record);
}

/** The ids of pinned records, as far as the file names of the marks show them. */
function pinnedByName(marks: StoredFile[]): Set<string> {
  const pins = marks.map(({ entry }) => parseMarkSlug(entry.slug));
  return new Set(pins.flatMap((about) => (about?.type === 'pin' ? [about.target] : [])));
}

/** In bytes, some 30,000 files. Checking those of a larger index takes git as long as the rest of a session start. */
const LARGE_INDEX = 3_000_000;

/** Files changed since `branch`, by commits or in the working tree; in very large repositories by commits only. */
async function changedSince(branch: string | undefined, { checkout, env }: Workspace): Promise<Set<string>> {
  if (branch === undefined) return new Set();
  // Compares the working tree with the point where the branch left the default one: commits and uncommitted edits in
  // one question. The memory itself is left out, or git would look at every record's file.
  const index = statSync(join(checkout.gitDir, 'index'), { throwIfNoEntry: false });
  // Commits are named by their ids, because the differences between two commits never change.
  const commits = [commitOf(checkout, branch) ?? branch, readHead(checkout).commit ?? 'HEAD'];
  const compared = (index?.size ?? 0) > LARGE_INDEX ? commits : [branch];
  const question = ['diff', ...RAW_DIFF, '--no-renames', '--merge-base', ...compared];
  const output = await runGit(checkout.root, [...question, '--', ':(top,exclude).memory'], env);
  return new Set(rawChanges(output ?? '').map(({ path }) => path));
}
