import type { Cleaner } from '../../capture/drain/clean.ts';
import { GitMemError } from '../../errors.ts';
import { commitNamed } from '../../git/objects.ts';
import { shallowCommits } from '../../git/shallow.ts';
import { isHidden } from '../../memory/marks.ts';
import type { Observation, StoreName } from '../../memory/record.ts';
import { recordFile } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { grouped } from '../../quantities.ts';
import { DATE_HINT, readDate } from '../../recall/query/dates.ts';
import { readEverything } from '../../recall/query/read.ts';
import { comparableOf } from '../../recall/search/duplicate-groups.ts';
import { nearDuplicates } from '../../recall/search/duplicates.ts';
import { findCoChanges } from './co-change.ts';
import { findConventions } from './conventions.ts';
import { findCommands } from './documents/commands.ts';
import { findDecisionRecords } from './documents/decision-records.ts';
import { findLayout } from './documents/layout.ts';
import { findRationales } from './documents/rationales.ts';
import { findReleaseNotes } from './documents/release-notes.ts';
import { findRules } from './documents/rules.ts';
import { type Finding, PATTERNS, type Pattern } from './finding.ts';
import { findFixChains } from './fix-chains.ts';
import { generatedFiles } from './generated-files.ts';
import { type History, readHistory } from './history.ts';
import { findingId, originOf, recordOf } from './records.ts';
import { findRegressions } from './regressions.ts';
import { findRemovals } from './removals.ts';
import { findReverts } from './reverts.ts';

export interface BootstrapReport {
  commits: number;
  /** Whether older commits were left out: too many, or a shallow clone. */
  isCut: boolean;
  /** Findings in the history, by pattern, before the selection. */
  found: Partial<Record<Pattern, number>>;
  /** New records, most useful first; written unless it was a dry run. */
  records: { record: Observation; pattern: Pattern; path: string }[];
  /** Selected findings that already had a record. */
  known: number;
}

/** Evidence has to grow by this factor before a finding is written again: every edition is a file to review. */
const GROWTH = 1.5;

export interface BootstrapOptions {
  store: StoreName;
  limit: number;
  /** A revision or a date: only later commits are read. */
  since?: string;
  dryRun?: boolean;
  cleaner: Cleaner;
  now: Date;
  onProgress?: (stage: 'history' | 'fixes' | 'records', count: number) => void;
}

/**
 * Reads the files at HEAD and mines the history up to it for a first memory, offline and deterministically. A finding
 * that was recorded before is left out, whatever happened to its record, until its evidence has grown by half: then a
 * new record supersedes the old one, unless somebody retired it. Throws bad-input, `git`.
 */
export async function bootstrap(workspace: Workspace, options: BootstrapOptions): Promise<BootstrapReport> {
  const { checkout, env } = workspace;
  const { limit, cleaner, onProgress } = options;
  const range = await rangeOf(workspace, options);
  const shallow = shallowCommits(checkout.commonDir);
  const history = await readHistory(checkout.root, env, {
    range,
    shallow,
    onProgress: (n) => onProgress?.('history', n),
  });
  leaveOut(await generatedFiles(checkout.root, env, history.tree), history);
  const findings = await mine(workspace, history, (n) => onProgress?.('fixes', n));
  const chosen = selectFindings(findings, limit);
  const earlier = await earlierFindings(workspace);
  const making = { root: checkout.root, env, history, cleaner };
  const records: BootstrapReport['records'] = [];
  for (const finding of chosen) {
    const supersedes = earlier.supersededBy(finding);
    const record = supersedes && (await recordOf(finding, supersedes, making));
    if (record === undefined || hasSameContent(record, records)) continue;
    records.push({ record, pattern: finding.pattern, path: '' });
    onProgress?.('records', records.length);
  }
  if (!options.dryRun) {
    const paths = await workspace.stores[options.store].putNew(records.map(({ record }) => recordFile(record)));
    for (const [i, one] of records.entries()) one.path = paths[i] ?? '';
  }
  return {
    commits: history.commits.length,
    isCut: history.isCut || shallow.size > 0,
    found: Object.fromEntries(
      [...grouped(findings, ({ pattern }) => pattern)].map(([key, { length }]) => [key, length]),
    ),
    records,
    known: chosen.filter((finding) => earlier.supersededBy(finding) === undefined).length,
  };
}

async function mine(
  { checkout: { root }, env }: Workspace,
  history: History,
  onProgress: (n: number) => void,
): Promise<Finding[]> {
  const reading = { root, env, history };
  const commands = await findCommands(reading);
  return [
    ...commands.findings,
    ...(await findLayout(reading)),
    ...(await findRules(reading, commands.quoted)),
    ...(await findDecisionRecords(reading)),
    ...(await findReleaseNotes(reading)),
    ...(await findRationales(reading)),
    ...findConventions(history),
    ...findReverts(history),
    ...(await findFixChains(root, env, history, onProgress)),
    ...findRegressions(history),
    ...findCoChanges(history),
    ...findRemovals(history),
  ];
}

/** Nobody writes generated files: their changes follow from those of others. */
function leaveOut(generated: ReadonlySet<string>, { commits }: History): void {
  for (const commit of commits) {
    commit.files = commit.files.filter(({ path, name }) => !generated.has(path) && !generated.has(name));
  }
}

/** Tells whether `dedupe` would pair the record with another one. */
function hasSameContent(record: Observation, others: BootstrapReport['records']): boolean {
  const texts = [{ record }, ...others].map((one) => comparableOf({ record: one.record }));
  return nearDuplicates(texts, { about: new Set([record.id]) }).length > 0;
}

/**
 * Git's revision or date arguments for a person's input; a revision takes precedence over a date that reads the same.
 */
async function rangeOf({ checkout, env }: Workspace, { since, now }: BootstrapOptions): Promise<string[]> {
  const head = await commitNamed(checkout.root, 'HEAD', env);
  if (head === undefined) {
    throw new GitMemError('bad-input', 'There is no commit yet to learn from.', { hint: 'Commit something first.' });
  }
  if (since === undefined) return [head];
  const commit = await commitNamed(checkout.root, since, env);
  if (commit !== undefined) return [`${commit}..${head}`];
  const date = readDate(since, 'start', now);
  if (date !== undefined) return [`--since=${date}`, head];
  throw new GitMemError('bad-input', `"${since}" is neither a revision nor a date.`, {
    hint: `Name a tag, a branch or a commit, or a date. ${DATE_HINT}`,
  });
}

/** The records of earlier runs, in either store. */
async function earlierFindings(workspace: Workspace) {
  const { records } = await readEverything(workspace);
  const found = records.flatMap(({ record, state }) => {
    const origin = originOf(record);
    return origin === undefined ? [] : [{ ...origin, id: record.id, state }];
  });
  const known = grouped(found, ({ finding }) => finding);
  return {
    /** The records that a new one would replace; undefined if there is nothing new to say. */
    supersededBy(finding: Finding): string[] | undefined {
      const before = known.get(findingId(finding)) ?? [];
      const isNew = before.every(({ support, edition }) => {
        return finding.edition === undefined ? finding.support >= support * GROWTH : finding.edition !== edition;
      });
      if (!isNew || before.some(({ state }) => state.retired || state.redacted)) return undefined;
      return before.filter(({ state }) => !isHidden(state)).map(({ id }) => id);
    },
  };
}

/** Most records of each pattern: many findings of one kind must not hide the others. */
const MOST: Record<Pattern, number> = {
  command: 5,
  layout: 1,
  rule: 7,
  convention: 3,
  decision: 6,
  revert: 7,
  regression: 4,
  'co-change': 3,
  'fix-chain': 3,
  removal: 2,
};

/** Below this a finding is true but helps nobody. */
const LEAST_WEIGHT = 0.4;

/** The most useful findings, best first: at most `limit`, a maximum per pattern, one per incident. */
function selectFindings(findings: Finding[], limit: number): Finding[] {
  const counts = new Map<Pattern, number>();
  const explained = new Set<string>();
  const chosen: Finding[] = [];
  for (const finding of findings.toSorted(byWeight)) {
    const count = counts.get(finding.pattern) ?? 0;
    if (chosen.length >= limit || finding.weight < LEAST_WEIGHT) break;
    if (count >= MOST[finding.pattern] || finding.incident.some((id) => explained.has(id))) continue;
    counts.set(finding.pattern, count + 1);
    for (const id of finding.incident) explained.add(id);
    chosen.push(finding);
  }
  return chosen;
}

function byWeight(a: Finding, b: Finding): number {
  return (
    b.weight - a.weight || PATTERNS.indexOf(a.pattern) - PATTERNS.indexOf(b.pattern) || (a.subject < b.subject ? -1 : 1)
  );
}
