import { createHash } from 'node:crypto';
import { cleanRecord, limited } from '../../capture/by-hand/clean-record.ts';
import type { Cleaner } from '../../capture/drain/clean.ts';
import { askGit, objectIds } from '../../git/objects.ts';
import { canonical } from '../../memory/canonical.ts';
import { wholeSeconds } from '../../memory/file-name.ts';
import { idOf } from '../../memory/id.ts';
import { type Content, LIMITS, type MemoryRecord, type Observation, oneLine } from '../../memory/record.ts';
import { sanitiseForModel } from '../../privacy/sanitise.ts';
import { findSuspicious } from '../../privacy/suspicious.ts';
import type { Finding, Reading } from './page.ts';

/** The origin of a record, stored in its front matter, so that a later run recognises the finding. */
export interface Origin {
  /** The id over pattern and subject. */
  finding: string;
  /** A hash of the quoted words. */
  edition: string;
}

/** The key of a record's front matter that holds its origin. */
const KEY = 'bootstrap';

/** The finding's id, the same in every run. */
export function findingId({ pattern, subject }: Finding): string {
  return idOf('finding', pattern, subject);
}

/** 64 bits tell the editions of one finding apart. */
export function editionOf({ words }: Finding): string {
  return createHash('sha256').update(words).digest('hex').slice(0, 16);
}

/** The origin of a record from an earlier run; undefined for any other record. */
export function originOf(record: MemoryRecord): Origin | undefined {
  const noted = record.extra?.[KEY];
  if (typeof noted !== 'object' || Array.isArray(noted)) return undefined;
  const { finding, edition } = noted;
  return typeof finding === 'string' && typeof edition === 'string' ? { finding, edition } : undefined;
}

/**
 * The record of a finding; undefined if its words read like an instruction to a model. Its id is over its whole content
 * and its time is that of the commit whose words it quotes, so the same branch gives the same bytes in every clone.
 */
export async function recordOf(
  finding: Finding,
  supersedes: string[],
  reading: Reading,
  cleaner: Cleaner,
): Promise<Observation | undefined> {
  const text = harmless(finding.content);
  if (text === undefined) return undefined;
  const cited = [...text.files_modified, ...text.files_read].slice(0, LIMITS.files);
  const commit = await quotedCommit(finding, cited, reading);
  const clean = await cleanRecord(
    canonical<Observation>({
      id: '',
      kind: 'observation',
      ...text,
      anchors: await blobsAt(commit.id, cited, reading),
      supersedes,
      commit: commit.id,
      generated: { by: 'git-mem/bootstrap', at: commit.at },
      extractor: 'bootstrap',
    }),
    cleaner,
  );
  const origin = { pattern: finding.pattern, finding: findingId(finding), edition: editionOf(finding) };
  // Limiting takes the full stops from the end of a title, which belong to a command: `go test ./...`
  const title = clean.title.length <= LIMITS.title ? { title: clean.title } : {};
  const content = canonical({ ...limited(clean), ...title });
  return { ...content, id: idOf('bootstrap', JSON.stringify([content, origin])), extra: { [KEY]: origin } };
}

/** The commit that a finding names, else the last one that changed the quoted files. */
async function quotedCommit(
  { commit }: Finding,
  paths: string[],
  reading: Reading,
): Promise<{ id: string; at: string }> {
  const log = ['log', '-1', '--format=%H %at %ct', '--no-color', '--no-show-signature'];
  const literal = paths.map((path) => `:(top,literal)${path}`);
  const said =
    (commit === undefined && (await askGit(reading.workspace, [...log, reading.commit, '--', ...literal]))) ||
    (await askGit(reading.workspace, [...log, commit ?? reading.commit, '--']));
  const [id = '', written, committed] = (said || '').trim().split(' ');
  // A clock that ran ahead must not make a record the newest for ever.
  const seconds = Math.min(Number(written) || 0, Number(committed) || 0);
  return { id: id || (commit ?? reading.commit), at: wholeSeconds(new Date(seconds * 1000)) };
}

async function blobsAt(commit: string, paths: string[], { workspace }: Reading): Promise<Record<string, string>> {
  const plain = paths.filter((path) => oneLine(path) === path);
  const named = plain.map((path) => `${commit}:${path}`);
  const ids = await objectIds(workspace.checkout.root, named, workspace.env);
  return Object.fromEntries(plain.flatMap((path, i): [string, string][] => (ids?.[i] ? [[path, ids[i]]] : [])));
}

/**
 * Quotations are kept only if they need no sanitising, which would change their words; undefined if too little is left.
 * Of a placeholder, `<file>`, it changes only the mark.
 */
function harmless(text: Content): Content | undefined {
  const { title, narrative, facts } = text;
  if ([title, narrative, ...facts].some(isInstruction)) return undefined;
  const isSafe = (words: string) => {
    const filled = words.replace(/<([a-z][\w -]{0,30})>/gi, '$1');
    return sanitiseForModel(filled) === filled;
  };
  return isSafe(title) && isSafe(narrative) ? { ...text, facts: facts.filter(isSafe) } : undefined;
}

/** Tells whether a text reads like an instruction to a model; comments and hidden characters are taken out anyway. */
function isInstruction(text: string): boolean {
  return findSuspicious(text).some(({ code }) => code !== 'hidden-text' && code !== 'comment');
}
