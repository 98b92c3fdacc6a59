import { type Finding, PATTERNS, type Pattern } from './finding.ts';

/**
 * What each pattern gets of the records at least, where it has as many: a history full of one thing must not hide the
 * others. What a pattern does not use goes to the best of all.
 */
const SHARES: Record<Pattern, number> = {
  revert: 0.25,
  'fix-chain': 0.2,
  'co-change': 0.2,
  'hot-spot': 0.15,
  deletion: 0.1,
  convention: 0.1,
};

/** The most useful findings, best first: at most `limit`, in fair shares. */
export function selectFindings(findings: Finding[], limit: number): Finding[] {
  const ranked = findings.toSorted(byWeight);
  const chosen = new Set<Finding>();
  for (const pattern of PATTERNS) {
    const own = ranked.filter((finding) => finding.pattern === pattern);
    for (const finding of own.slice(0, Math.floor(SHARES[pattern] * limit))) chosen.add(finding);
  }
  for (const finding of ranked) {
    if (chosen.size >= limit) break;
    chosen.add(finding);
  }
  return [...chosen].sort(byWeight);
}

function byWeight(a: Finding, b: Finding): number {
  return (
    b.weight - a.weight || PATTERNS.indexOf(a.pattern) - PATTERNS.indexOf(b.pattern) || (a.subject < b.subject ? -1 : 1)
  );
}
