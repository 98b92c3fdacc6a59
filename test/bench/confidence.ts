import { printTable } from './table.ts';

/** A hit of a search: what the search says of it, and whether it is right. */
export interface JudgedHit {
  /** The question's id. */
  question: string;
  confidence: number;
  isRight: boolean;
  isFirst: boolean;
}

const EDGES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01] as const;

/** What the number that `search` calls confidence means: of the hits to which it gives as much, the share that is right. */
export function confidenceTable(title: string, hits: JudgedHit[]): void {
  const rows = EDGES.map((edge, i) => {
    const least = EDGES[i - 1] ?? 0;
    const inside = hits.filter(({ confidence }) => confidence >= least && confidence < edge);
    const first = inside.filter(({ isFirst }) => isFirst);
    return [`${least} to ${Math.min(1, edge)}`, ...sharesOf(inside), ...sharesOf(first)];
  });
  printTable(`Confidence: ${title}`, ['confidence', 'hits', 'right', 'first hits', 'right'], rows);
}

/** How far the confidence is from the share that is right: the difference in each tenth, weighted by its hits. */
export function calibrationError(hits: JudgedHit[]): number {
  const errors = EDGES.map((edge, i) => {
    const inside = hits.filter(({ confidence }) => confidence >= (EDGES[i - 1] ?? 0) && confidence < edge);
    const claimed = inside.reduce((sum, { confidence }) => sum + confidence, 0);
    return Math.abs(claimed - inside.filter(({ isRight }) => isRight).length);
  });
  return errors.reduce((sum, error) => sum + error, 0) / Math.max(1, hits.length);
}

function sharesOf(hits: JudgedHit[]): [count: string, share: string] {
  const right = hits.filter(({ isRight }) => isRight).length;
  return [`${hits.length}`, hits.length === 0 ? '-' : (right / hits.length).toFixed(2)];
}
