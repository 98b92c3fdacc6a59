import { type Finding, PATTERNS, type Pattern } from './finding.ts';

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
export function selectFindings(findings: Finding[], limit: number): Finding[] {
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
