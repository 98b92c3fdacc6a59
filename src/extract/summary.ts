import { LIMITS, type Summary } from '../memory/record.ts';
import type { TurnDigest } from './extractor.ts';
import { takesBack } from './rules/revocation.ts';
import { headline } from './rules/title.ts';

/** What one turn of a session brings to its summary. */
export interface DigestedTurn {
  digest: TurnDigest;
  promptNumber: number;
  files_read: string[];
  files_modified: string[];
}

type Sections = Pick<Summary, 'title' | 'request' | 'investigated' | 'learned' | 'completed' | 'next_steps' | 'notes'>;

const NONE = 'None.';
const MOST = 10;

/** Sums up a session from what its turns added, oldest first. A section that holds nothing says so. */
export function summarise(turns: DigestedTurn[]): Sections {
  const digests = turns.map(({ digest }) => digest);
  const last = digests.at(-1);
  const requests = distinct(digests.map(({ request }) => request));
  // A question of an earlier turn was answered by the prompt that followed it.
  const steps = digests.flatMap((digest) =>
    digest.next_steps.filter((step) => digest === last || !step.startsWith('To be decided')),
  );
  const standing = (entriesOf: (digest: TurnDigest) => string[]) =>
    digests.flatMap((digest, index) =>
      entriesOf(digest).filter((entry) => !isTakenBack(entry, digests.slice(index + 1))),
    );
  return {
    title: titleOf(digests),
    request: section(requests),
    investigated: section(digests.flatMap(({ investigated }) => investigated)),
    learned: section(standing(({ learned }) => learned)),
    completed: section(standing(({ completed }) => completed)),
    next_steps: section(steps.filter((step, index) => steps.indexOf(step) === index)),
    notes: section(standing(({ notes }) => notes)),
  };
}

/** True where a later turn says that an entry no longer holds. */
function isTakenBack(entry: string, later: TurnDigest[]): boolean {
  return later.some(({ request, learned, completed }) =>
    [...completed, ...learned]
      .filter((text) => !/^(?:Committed|`[^`]+` (?:failed|passed))/u.test(text))
      .some((text) => takesBack({ text, role: 'change' }, entry, { asked: request, edits: true })),
  );
}

function titleOf(digests: TurnDigest[]): string {
  for (const text of [
    ...digests.map(({ request }) => request),
    ...digests.flatMap(({ completed, learned }) => [...completed, ...learned]),
  ]) {
    const title = headline(text.replace(/[?？]$/u, ''));
    if (title !== '') return title;
    const plain = text.replace(/[.。]$/u, '').replace(/`/gu, '');
    if (plain.length >= 3 && plain.length <= LIMITS.title) return plain;
  }
  return 'Session without a stated request';
}

function section(entries: string[]): string {
  const lines = distinct(entries).slice(0, MOST);
  const [only] = lines;
  if (only === undefined) return NONE;
  return lines.length === 1 ? only : lines.map((line) => `- ${line}`).join('\n');
}

function distinct(entries: string[]): string[] {
  return [...new Set(entries.map((entry) => entry.trim()).filter(Boolean))];
}
