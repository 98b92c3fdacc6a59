import { readRevert } from '../../provenance/revert-words.ts';
import { createLookup, type Lookup, requestOf } from './commit-lookup.ts';
import { evidence, type Finding } from './finding.ts';
import { isFix } from './fix-words.ts';
import type { Commit, History } from './history.ts';
import { isSource, isTest } from './path-kinds.ts';
import { reasonIn } from './reasons.ts';
import { listed, titled } from './wording.ts';

/**
 * Phrases that say which earlier commit broke what this one fixes. `Fixes: 1a2b3c4 ("subject")` is the kernel's style.
 */
const CULPRIT =
  /(?:\b(?:regress(?:ions?|ed)|bugs?|breakage|crash(?:es)?|broken?|caused)\s+(?:(?:that|which)\s+)?(?:was\s+|were\s+)?(?:introduced\s+|caused\s+)?(?:by|in|from|with|since|after)\s+(?:the\s+)?(?:[\w.]+\s+by\s+)?(?:commit\s+|pr\s+|pull request\s+)?|^fixes:\s*)[([`]*(?:[\w.-]+\/[\w.-]+)?(#\d+|[0-9a-f]{7,40}\b)/gim;

/** Commits with more files than this do several things. */
const BULK = 20;

/** Changes that broke something else, according to the commit that fixed it: the files of both belong together. */
export function findRegressions(history: History): Finding[] {
  const known = createLookup(history);
  return history.commits.flatMap((fix) => {
    if (readRevert(fix) || fix.files.length > BULK || !fix.files.some(({ path }) => isSource(path))) return [];
    const culprit = culpritOf(fix, known);
    return culprit ? (findingOf(fix, culprit, history) ?? []) : [];
  });
}

function culpritOf(fix: Commit, known: Lookup): Commit | undefined {
  const own = requestOf(fix);
  const names = [...`${fix.subject}\n${fix.body}`.matchAll(CULPRIT)].map(([, name = '']) => name);
  const commits = names.map((name) => {
    if (!name.startsWith('#')) return known.byId(name);
    return name.slice(1) === own ? undefined : known.byRequest(name.slice(1));
  });
  return commits.find((one) => one && one.order > fix.order && one.parents.length < 2 && one.files.length <= BULK);
}

function findingOf(fix: Commit, culprit: Commit, history: History): Finding | undefined {
  const changed = culprit.files.filter(({ path }) => isSource(path)).map(({ path }) => path);
  const alive = fix.files.filter(({ path }) => isSource(path) && history.tree.has(path));
  if (changed.length === 0 || alive.length === 0) return undefined;
  const mended = alive.map(({ name }) => name);
  const isElsewhere = alive.some(({ path }) => !changed.includes(path));
  const tests = fix.files.filter(({ path }) => isTest(path) && history.tree.has(path)).map(({ name }) => name);
  const reason = reasonIn(fix.body);
  const weight =
    0.42 +
    (reason ? 0.15 : 0) +
    (isElsewhere ? 0.1 : 0) +
    (tests.length > 0 ? 0.1 : 0) +
    (isFix(fix.subject) ? 0.05 : 0);
  return {
    pattern: 'regression',
    subject: fix.id,
    support: 1,
    weight,
    commits: [culprit, fix],
    incident: [culprit.id, fix.id],
    textWith(cite) {
      const [before, after] = [cite(culprit), cite(fix)];
      const quoted = reasonIn(after.body);
      const sentences = [
        `By its message, ${after.shortId} of ${after.day} mends what ${before.shortId} of ${before.day} broke.`,
        quoted && `It says: "${quoted}"`,
        tests.length > 0
          ? `When you change ${listed(mended, 2)}, keep ${listed(tests, 2)} green: the fix changed it.`
          : `When you change ${listed(mended, 2)}, check that case by hand: no test came with the fix.`,
      ];
      return {
        type: 'bugfix',
        title: titled('Broke once, check it: ', after.subject),
        narrative: sentences.filter(Boolean).join(' '),
        facts: [`Broke it: ${evidence(before)}`, `Mended it: ${evidence(after)}`],
        concepts: ['regression', 'gotcha'],
        files_modified: mended,
        files_read: tests,
      };
    },
  };
}
