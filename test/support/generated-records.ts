import { canonical } from '../../src/memory/canonical.ts';
import { wholeSeconds } from '../../src/memory/file-name.ts';
import { blobId, idOf } from '../../src/memory/id.ts';
import type { Observation } from '../../src/memory/record.ts';

const SUBJECTS = 'token cache parser queue worker index router session upload schema export scheduler'.split(' ');
const VERBS = 'rejects,retries,drops,doubles,leaks,blocks,reorders,truncates,caches,locks'.split(',');
const CAUSES = 'the clock runs ahead,two writers race,the lease is short,a header is missing,the buffer is full'.split(
  ',',
);
const TYPES = ['bugfix', 'decision', 'feature', 'discovery', 'refactor', 'change'];

/** The content of every file that generated records cite, and the paths of these files. */
export const CITED_CONTENT = 'export {};\n';
export const CITED_FILES = SUBJECTS.map((subject) => `src/${subject}/index.ts`);

/** The `i`th of an endless, reproducible series of believable observations, ten minutes apart. */
export function generatedObservation(i: number): Observation {
  const pick = (list: string[], step: number) => list[Math.floor(i / step) % list.length] ?? '';
  const subject = pick(SUBJECTS, 1);
  const other = pick(SUBJECTS, 5);
  const file = `src/${subject}/index.ts`;
  return canonical({
    id: idOf('generated', String(i)),
    kind: 'observation',
    type: pick(TYPES, 3),
    title: `The ${subject} ${pick(VERBS, 2)} the ${other} when ${pick(CAUSES, 7)}`,
    subtitle: `Case ${i}: the ${other} now checks before it ${pick(VERBS, 11)}`,
    concepts: [subject, other, 'gotcha'],
    files_modified: [file],
    files_read: [`src/${other}/index.ts`],
    anchors: { [file]: blobId(CITED_CONTENT) },
    supersedes: [],
    session: `session-${Math.floor(i / 12)}`,
    prompt_number: (i % 12) + 1,
    branch: 'main',
    generated: { by: 'generator', at: wholeSeconds(new Date(Date.UTC(2026, 0, 1) + i * 600_000)) },
    extractor: 'anthropic/claude-haiku-4-5',
    discovery_tokens: 1000 + (i % 50) * 100,
    narrative: `The ${subject} in ${file} ${pick(VERBS, 2)} the ${other} because ${pick(CAUSES, 7)}. The check moved to one place.`,
    facts: [`${pick(CAUSES, 7)}: seen ${i % 9} times in an hour.`, `The limit is ${(i % 40) + 10} per second.`],
  });
}
