import { cleanRecord, limited } from '../../capture/by-hand/clean-record.ts';
import type { Cleaner } from '../../capture/drain/clean.ts';
import { clampPhrase } from '../../capture/extract/clamp.ts';
import { objectIds } from '../../git/objects.ts';
import { canonical } from '../../memory/canonical.ts';
import { idOf } from '../../memory/id.ts';
import { type Content, LIMITS, type MemoryRecord, type Observation, oneLine } from '../../memory/record.ts';
import { sanitiseForModel } from '../../privacy/sanitise.ts';
import { findSuspicious } from '../../privacy/suspicious.ts';
import type { Environment } from '../../user-folders.ts';
import type { Finding } from './finding.ts';
import type { Commit, History } from './history.ts';

/** The origin of a record, stored in its front matter, so that a later run recognises the finding. */
export interface Origin {
  /** The id over pattern and subject: a pair of files, a reverted commit. */
  finding: string;
  /** Number of commits as evidence. */
  support: number;
  /** A hash of the quoted words of files; undefined for findings from the history alone. */
  edition?: string;
}

/** The key of a record's front matter that holds its origin. */
const KEY = 'bootstrap';

/** The finding's id, the same in every run. */
export function findingId({ pattern, subject }: Finding): string {
  return idOf('finding', pattern, subject);
}

/** The origin of a record from an earlier run; undefined for any other record. */
export function originOf(record: MemoryRecord): Origin | undefined {
  const noted = record.extra?.[KEY];
  if (typeof noted !== 'object' || Array.isArray(noted)) return undefined;
  const { finding, support, edition } = noted;
  if (typeof finding !== 'string') return undefined;
  return { finding, support: Number(support) || 0, ...(typeof edition === 'string' && { edition }) };
}

/** Inputs for making records, the same for a whole run. */
export interface Making {
  root: string;
  env: Environment;
  history: History;
  cleaner: Cleaner;
}

/**
 * The record of a finding; undefined if its words read like an instruction to a model. Its id is over its whole content
 * and its time is that of the newest commit it cites, so the same history gives the same bytes in every clone, and
 * different evidence never gets the same file name.
 */
export async function recordOf(
  finding: Finding,
  supersedes: string[],
  { root, env, history, cleaner }: Making,
): Promise<Observation | undefined> {
  const text = harmless(finding.textWith(await createCiter(finding.commits, cleaner)));
  if (text === undefined) return undefined;
  const cited = [...text.files_modified, ...text.files_read].slice(0, LIMITS.files);
  const commit = await lastCited(finding, cited, { root, env, history });
  const anchors = await blobsAt(commit.id, cited, { root, env });
  const clean = await cleanRecord(
    canonical<Observation>({
      id: '',
      kind: 'observation',
      ...text,
      anchors,
      supersedes,
      commit: commit.id,
      generated: { by: 'git-mem/bootstrap', at: commit.at },
      extractor: 'bootstrap',
    }),
    cleaner,
  );
  const { pattern, support, edition } = finding;
  const origin = { pattern, finding: findingId(finding), support: String(support), ...(edition && { edition }) };
  const content = canonical(limited(clean));
  return { ...content, id: idOf('bootstrap', JSON.stringify([content, origin])), extra: { [KEY]: origin } };
}

/**
 * The commit whose files the record is about: the newest that it cites. For one that quotes current files, the newest
 * commit that left all of them in this state.
 */
async function lastCited(
  { commits }: Finding,
  paths: string[],
  { root, env, history }: Omit<Making, 'cleaner'>,
): Promise<Commit> {
  const newest = commits.toSorted((a, b) => a.order - b.order)[0];
  if (newest) return newest;
  const wanted = new Set(paths);
  const touching = history.commits.find(({ files }) => files.some(({ name }) => wanted.has(name)));
  if (touching === undefined) return history.head;
  const then = await blobsAt(touching.id, paths, { root, env });
  return paths.every((path) => then[path] === history.tree.get(path)) ? touching : history.head;
}

async function blobsAt(
  commit: string,
  paths: string[],
  { root, env }: Pick<Making, 'root' | 'env'>,
): Promise<Record<string, string>> {
  const plain = paths.filter((path) => oneLine(path) === path);
  const named = plain.map((path) => `${commit}:${path}`);
  const ids = await objectIds(root, named, env);
  return Object.fromEntries(plain.flatMap((path, i): [string, string][] => (ids?.[i] ? [[path, ids[i]]] : [])));
}

/** Without tags and hidden characters; undefined if a quotation would speak to a model through this clone's record. */
function harmless(text: Content): Content | undefined {
  const { title, narrative, facts } = text;
  if ([title, narrative, ...facts].some(isInstruction)) return undefined;
  return {
    ...text,
    title: oneLine(sanitiseForModel(title)),
    narrative: sanitiseForModel(narrative),
    facts: facts.map((fact) => oneLine(sanitiseForModel(fact))),
  };
}

/** A commit in a form that records may quote. */
export interface Cited {
  /** Ten characters, even where fewer would be unique today: the same in every clone. */
  shortId: string;
  /** `2026-11-20`. */
  day: string;
  subject: string;
  body: string;
}

export type Citer = (commit: Commit) => Cited;

/** Longest quoted subject, in characters: with id and day it is half of a fact. */
const SUBJECT = 120;

/**
 * Replaces a message that reads like an instruction to a model: its author would speak through this clone's own record.
 */
const WITHHELD = '(subject left out: it reads like an instruction)';

/** Makes commits quotable: removes secrets before anything is cut, and hidden characters and tags. */
async function createCiter(commits: Iterable<Commit>, cleaner: Cleaner): Promise<Citer> {
  const known = new Map<string, Cited>();
  for (const commit of commits) {
    if (!known.has(commit.id)) known.set(commit.id, await citedOf(commit, cleaner));
  }
  return (commit) => {
    const cited = known.get(commit.id);
    if (cited === undefined) throw new Error(`Commit ${commit.id} is quoted without having been cleaned.`);
    return cited;
  };
}

/** Tells whether a text reads like an instruction to a model; comments and hidden characters are taken out anyway. */
function isInstruction(text: string): boolean {
  return findSuspicious(text).some(({ code }) => code !== 'hidden-text' && code !== 'comment');
}

async function citedOf({ id, at, subject, body }: Commit, cleaner: Cleaner): Promise<Cited> {
  const harmless = async (raw: string) => {
    return isInstruction(raw) ? undefined : sanitiseForModel(await cleaner.text(raw));
  };
  const line = await harmless(oneLine(subject));
  return {
    shortId: id.slice(0, 10),
    day: at.slice(0, 10),
    subject: line === undefined ? WITHHELD : clampPhrase(line, SUBJECT) || '(no subject)',
    body: (await harmless(body)) ?? '',
  };
}
