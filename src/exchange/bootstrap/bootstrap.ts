import type { Cleaner } from '../../capture/drain/clean.ts';
import { GitMemError } from '../../errors.ts';
import { reviewedBranch } from '../../git/default-branch.ts';
import { commitNamed, treeFiles } from '../../git/objects.ts';
import { isHidden } from '../../memory/marks.ts';
import type { Observation, StoreName } from '../../memory/record.ts';
import { recordFile } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { isTrusted } from '../../provenance/trust.ts';
import { grouped } from '../../quantities.ts';
import { readEverything } from '../../records/read.ts';
import { findCommands } from './commands.ts';
import { findDecisionRecords } from './decision-records.ts';
import type { Finding, Pattern, Reading } from './page.ts';
import { editionOf, findingId, originOf, recordOf } from './records.ts';
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
 * Quotes what the files and the reverts of the reviewed branch say, offline and the same in every clone. The branch that
 * is checked out does not count: its sentences may be a stranger's. A finding that was recorded before is left out,
 * whatever happened to its record, until its words change: then a new record supersedes the old one, unless somebody
 * retired it. Throws bad-input.
 */
export async function bootstrap(workspace: Workspace, options: BootstrapOptions): Promise<BootstrapReport> {
  const { branch, reading } = await readingOf(workspace);
  const commands = await findCommands(reading);
  const quoted = new Set(commands.flatMap(({ content }) => content.facts));
  // Of a rule that names a command one record is enough.
  const rules = (await findRules(reading)).filter(({ content }) => !content.facts.some((fact) => quoted.has(fact)));
  const decisions = await findDecisionRecords(reading);
  const all = [...commands, ...rules, ...decisions, ...(await findReverts(reading, options.cleaner))];
  const findings = selectFindings(all, options.limit);
  const earlier = await earlierFindings(workspace);
  const records: BootstrapReport['records'] = [];
  for (const finding of findings) {
    const supersedes = earlier.supersededBy(finding);
    const record = supersedes && (await recordOf(finding, supersedes, reading, options.cleaner));
    if (record) records.push({ record, pattern: finding.pattern, path: '' });
  }
  if (!options.dryRun) {
    const paths = await workspace.stores[options.store].putNew(records.map(({ record }) => recordFile(record)));
    for (const [i, one] of records.entries()) one.path = paths[i] ?? '';
  }
  const known = findings.filter((finding) => earlier.supersededBy(finding) === undefined).length;
  return { branch, records, known };
}

/** The reviewed branch of a workspace. Throws bad-input if no branch counts as reviewed, or if it has no commit. */
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

/** The records of earlier runs, in either store; somebody else's claim to be one keeps nothing out. */
async function earlierFindings(workspace: Workspace) {
  const { records } = await readEverything(workspace);
  const found = records.flatMap(({ record, state, trust }) => {
    const origin = originOf(record);
    return origin === undefined || !isTrusted(trust) ? [] : [{ ...origin, id: record.id, state }];
  });
  const known = grouped(found, ({ finding }) => finding);
  return {
    /** The records that a new one would replace; undefined if there is nothing new to say. */
    supersededBy(finding: Finding): string[] | undefined {
      const before = known.get(findingId(finding)) ?? [];
      const isKnown = before.some(({ edition, state }) => {
        return edition === editionOf(finding) || state.retired || state.redacted;
      });
      return isKnown ? undefined : before.filter(({ state }) => !isHidden(state)).map(({ id }) => id);
    },
  };
}
