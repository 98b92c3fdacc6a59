import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { idOf } from '../../src/memory/id.ts';
import type { Claiming } from '../../src/recall/disputes/dispute.ts';

/** Two records as real sessions would have written them, the earlier one first, and whether they contradict each other. */
export interface LabelledPair {
  name: string;
  earlier: Claiming;
  later: Claiming;
  contradicts: boolean;
}

export const HALVES = ['development', 'changes', 'test', 'written', 'natural'] as const;
export type Half = (typeof HALVES)[number];

interface Line {
  session: string;
  id?: string;
  title?: string;
  narrative?: string;
  facts?: string[];
  files?: string[];
  pair?: [string, string];
  label?: 'contradicts' | 'neighbour';
}

/** The pairs of one half of `fixtures/disputes/`; each comes from other sessions. */
export function labelledPairs(half: Half): LabelledPair[] {
  const file = join('test', 'fixtures', 'disputes', `${half}.jsonl`);
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line): Line => JSON.parse(line));
  const records = new Map(lines.flatMap((line) => (line.id ? [[`${line.session} ${line.id}`, line] as const] : [])));
  return lines.flatMap(({ session, pair, label }) => {
    const [earlier, later] = (pair ?? []).flatMap((id) => records.get(`${session} ${id}`) ?? []);
    if (pair === undefined || earlier === undefined || later === undefined) return [];
    const name = `${session} ${pair.join('-')}`;
    return [
      { name, earlier: claiming(earlier, '01'), later: claiming(later, '02'), contradicts: label === 'contradicts' },
    ];
  });
}

function claiming(
  { session, id = '', title = '', narrative = '', facts = [], files = [] }: Line,
  day: string,
): Claiming {
  return {
    id: idOf(session, id),
    title,
    narrative,
    facts,
    files_modified: files,
    files_read: [],
    supersedes: [],
    generated: { by: 'cli', at: `2026-11-${day}T00:00:00Z` },
  };
}
