import { createHash } from 'node:crypto';
import { cleanRecord, limited } from '../../capture/by-hand/clean-record.ts';
import type { Cleaner } from '../../capture/drain/clean.ts';
import { GitMemError } from '../../errors.ts';
import { reviewedBranch } from '../../git/default-branch.ts';
import { askGit, commitNamed, objectIds, treeFiles } from '../../git/objects.ts';
import { canonical } from '../../memory/canonical.ts';
import { wholeSeconds } from '../../memory/file-name.ts';
import { idOf } from '../../memory/id.ts';
import { isHidden } from '../../memory/marks.ts';
import {
  type Content,
  LIMITS,
  type MemoryRecord,
  type Observation,
  oneLine,
  type StoreName,
} from '../../memory/record.ts';
import { recordFile } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { sanitiseForModel } from '../../privacy/sanitise.ts';
import { findSuspicious } from '../../privacy/suspicious.ts';
import { isTrusted } from '../../provenance/trust.ts';
import { grouped } from '../../quantities.ts';
import { readEverything } from '../../records/read.ts';
import { findCommands } from './commands.ts';
import { findDecisionRecords } from './decision-records.ts';
import type { Finding, Pattern, Reading } from './page.ts';
import { findReverts } from './reverts.ts';
import { findRules } from './rules.ts';

export interface BootstrapReport {
  /** The branch that was read: a full reference name. */
  branch: string;
  /** New records, most needed first; written unless it was a dry run. */
  records: { record: Observation; pattern: Pattern; path: string }[];
  /** Findings that already had a record. */
  known: number;
}

export interface BootstrapOptions {
  store: StoreName;
  limit: number;
  dryRun?: boolean;
  cleaner: Cleaner;
}

/**
 * Quotes what the files and the reverts of the reviewed branch say, offline and the same in every clone. The checked-out branch
 * does not count, because it may be untrusted. A finding that was recorded before is left out, whatever happened to its record,
 * until its words change: then a new record supersedes the old one, unless somebody retired or redacted it. Throws bad-input.
 */
export async function bootstrap(workspace: Workspace, options: BootstrapOptions): Promise<BootstrapReport> {
  const { branch, reading } = await readingOf(workspace);
  const commands = await findCommands(reading);
  const quoted = new Set(commands.flatMap(({ content }) => content.facts));
  // A rule already quoted as a command needs no second record.
  const rules = (await findRules(reading)).filter(({ content }) => !content.facts.some((fact) => quoted.has(fact)));
  const decisions = await findDecisionRecords(reading);
  const all = [...commands, ...rules, ...decisions, ...(await findReverts(reading, options.cleaner))];
  const findings = selectFindings(all, options.limit);
  const supersededBy = await earlierFindings(workspace);
  const records: BootstrapReport['records'] = [];
  for (const finding of findings) {
    const supersedes = supersededBy(finding);
    const record = supersedes && (await recordOf(finding, supersedes, reading, options.cleaner));
    if (record) records.push({ record, pattern: finding.pattern, path: '' });
  }
  if (!options.dryRun) {
    const paths = await workspace.stores[options.store].putNew(records.map(({ record }) => recordFile(record)));
    for (const [i, one] of records.entries()) one.path = paths[i] ?? '';
  }
  const known = findings.filter((finding) => supersededBy(finding) === undefined).length;
  return { branch, records, known };
}

/** Throws bad-input if no branch counts as reviewed, or if it has no commit. */
async function readingOf(workspace: Workspace): Promise<{ branch: string; reading: Reading }> {
  const { checkout, env } = workspace;
  const { ref, command } = reviewedBranch(workspace);
  if (ref === undefined) {
    throw new GitMemError('bad-input', 'No branch counts as reviewed, so there is nothing to quote.', {
      hint: `Say which one does: ${command}`,
    });
  }
  const commit = await commitNamed(checkout.root, ref, env);
  if (commit === undefined) {
    throw new GitMemError('bad-input', 'There is no commit yet to learn from.', { hint: 'Commit something first.' });
  }
  const files = (await treeFiles(checkout.root, commit, '', env)) ?? [];
  // A name that is not UTF-8 cannot be written into a record.
  const named = files.filter(({ path }) => !path.includes('\ufffd') && !path.startsWith('.memory/'));
  const tree = new Map(named.map(({ path, blob }) => [path, blob]));
  return { branch: ref, reading: { workspace, commit, tree } };
}

/** Most records of each pattern: many findings of one kind must not hide the others. */
const MOST: Record<Pattern, number> = { command: 9, rule: 6, decision: 5, revert: 3 };

/** Findings arrive with the most needed first. */
function selectFindings(findings: Finding[], limit: number): Finding[] {
  const kinds = [...grouped(findings, ({ pattern }) => pattern).values()];
  return kinds.flatMap((kind) => kind.slice(0, MOST[kind[0]?.pattern ?? 'command'])).slice(0, limit);
}

/**
 * Tells which records of earlier runs, in either store, a new one would replace; undefined if there is nothing new to say. An
 * untrusted record that claims to be one keeps nothing out.
 */
async function earlierFindings(workspace: Workspace) {
  const { records } = await readEverything(workspace);
  const found = records.flatMap(({ record, state, trust }) => {
    const origin = originOf(record);
    return origin === undefined || !isTrusted(trust) ? [] : [{ ...origin, id: record.id, state }];
  });
  const known = grouped(found, ({ finding }) => finding);
  return (finding: Finding): string[] | undefined => {
    const before = known.get(findingId(finding)) ?? [];
    const isKnown = before.some(({ edition, state }) => {
      return edition === editionOf(finding) || state.retired || state.redacted;
    });
    return isKnown ? undefined : before.filter(({ state }) => !isHidden(state)).map(({ id }) => id);
  };
}

/** The key of a record's front matter that holds its origin, by which a later run recognises the finding. */
const KEY = 'bootstrap';

function findingId({ pattern, subject }: Finding): string {
  return idOf('finding', pattern, subject);
}

/** A hash of the quoted words: 64 bits tell the editions of one finding apart. */
function editionOf({ words }: Finding): string {
  return createHash('sha256').update(words).digest('hex').slice(0, 16);
}

/** The origin of a record from an earlier run; undefined for any other record. */
function originOf(record: MemoryRecord): { finding: string; edition: string } | undefined {
  const noted = record.extra?.[KEY];
  if (typeof noted !== 'object' || Array.isArray(noted)) return undefined;
  const { finding, edition } = noted;
  return typeof finding === 'string' && typeof edition === 'string' ? { finding, edition } : undefined;
}

/** Undefined if it reads like an instruction. Id and time depend on the branch alone, so clones agree. */
async function recordOf(finding: Finding, supersedes: string[], reading: Reading, cleaner: Cleaner) {
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
  // Limiting strips full stops from the end of a title, but these belong to a command: `go test ./...`
  const title = clean.title.length <= LIMITS.title ? { title: clean.title } : {};
  const content = canonical({ ...limited(clean), ...title });
  return { ...content, id: idOf('bootstrap', JSON.stringify([content, origin])), extra: { [KEY]: origin } };
}

/** The commit that a finding names, else the last one that changed the quoted files. */
async function quotedCommit({ commit }: Finding, paths: string[], reading: Reading) {
  const log = ['log', '-1', '--format=%H %at %ct', '--no-color', '--no-show-signature'];
  const literal = paths.map((path) => `:(top,literal)${path}`);
  const said =
    (commit === undefined && (await askGit(reading.workspace, [...log, reading.commit, '--', ...literal]))) ||
    (await askGit(reading.workspace, [...log, commit ?? reading.commit, '--']));
  const [id = '', written, committed] = (said || '').trim().split(' ');
  // A clock that ran ahead must not make a record the newest forever.
  const seconds = Math.min(Number(written) || 0, Number(committed) || 0);
  return { id: id || (commit ?? reading.commit), at: wholeSeconds(new Date(seconds * 1000)) };
}

async function blobsAt(commit: string, paths: string[], { workspace }: Reading): Promise<Record<string, string>> {
  const plain = paths.filter((path) => oneLine(path) === path);
  const named = plain.map((path) => `${commit}:${path}`);
  const ids = await objectIds(workspace.checkout.root, named, workspace.env);
  return Object.fromEntries(plain.flatMap((path, i): [string, string][] => (ids?.[i] ? [[path, ids[i]]] : [])));
}

/** A text that sanitising would leave as it is, so that quotations stay exact; a placeholder such as `<file>` is allowed. */
function harmless(text: Content): Content | undefined {
  const { title, narrative, facts } = text;
  if ([title, narrative, ...facts].some(isInstruction)) return undefined;
  const filled = (words: string) => words.replace(/<([a-z][\w -]{0,30})>/gi, '$1');
  const isSafe = (words: string) => sanitiseForModel(filled(words)) === filled(words);
  return isSafe(title) && isSafe(narrative) ? { ...text, facts: facts.filter(isSafe) } : undefined;
}

/** Tells whether a text reads like an instruction to a model; comments and hidden characters are removed anyway. */
function isInstruction(text: string): boolean {
  return findSuspicious(text).some(({ code }) => code !== 'hidden-text' && code !== 'comment');
}
