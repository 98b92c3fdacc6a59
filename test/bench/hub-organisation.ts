import { execFileSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from '../../src/memory/codec.ts';
import { storePath } from '../../src/memory/file-name.ts';
import { idOf } from '../../src/memory/id.ts';
import type { Mark, MemoryRecord, Observation } from '../../src/memory/record.ts';
import { hashOf, passagesOf } from '../../src/memory/redaction.ts';
import { generatedObservation } from '../support/generated-records.ts';
import { markOf } from '../support/written-records.ts';
import { progressOf } from './progress.ts';

/** A bare repository, as a server has it. */
export interface BareRemote {
  name: string;
  root: string;
}

/** The repositories of an organisation, each with one commit of so many records; those that the folder has stay. */
export function makeOrganisation(
  folder: string,
  { repositories, records, name: prefix = '' }: { repositories: number; records: number; name?: string },
): BareRemote[] {
  const progress = progressOf('hub, remotes', repositories);
  const remotes = Array.from({ length: repositories }, (_, r) => {
    const root = join(folder, 'remotes', `${prefix || r}.git`);
    if (!existsSync(root)) makeBareRemote(root, r, records);
    progress.step();
    return { name: `team${r % 20}/service${r}`, root };
  });
  progress.end();
  return remotes;
}

function makeBareRemote(root: string, r: number, records: number): void {
  const half = `${root}.half`;
  rmSync(half, { recursive: true, force: true });
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', half]);
  execFileSync('git', ['config', 'uploadpack.allowFilter', 'true'], { cwd: half });
  execFileSync('git', ['config', 'uploadpack.allowAnySHA1InWant', 'true'], { cwd: half });
  addCommit(
    half,
    Array.from({ length: records }, (_, i) => observation(r, i)),
  );
  renameSync(half, root);
}

/** Commits records on top of what the repository has. */
export function addCommit(root: string, records: MemoryRecord[], { isNext = false } = {}): void {
  const lines = ['commit refs/heads/main', 'committer t <t@example.com> 1767225600 +0000', 'data 7', 'records'];
  if (isNext) lines.push('from refs/heads/main^0');
  for (const record of records) {
    const text = encode(record);
    lines.push(`M 100644 inline .memory/${storePath(record)}`, `data ${Buffer.byteLength(text)}`, text);
  }
  execFileSync('git', ['fast-import', '--quiet'], { cwd: root, input: `${lines.join('\n')}\n` });
}

/** A believable record with words of a vocabulary of 20,000, few of them common. */
export function observation(r: number, i: number): Observation {
  const next = random(r * 10_000 + i + 1);
  const base = generatedObservation(i);
  const sentence = (count: number) => `${words(next, count).join(' ')}.`;
  return {
    ...base,
    id: idOf('bench', String(r), String(i)),
    title: sentence(7),
    narrative: Array.from({ length: 5 }, () => sentence(12)).join(' '),
    facts: [sentence(10), sentence(10), base.facts[0] ?? ''],
    session: `s-${r}-${Math.floor(i / 8)}`,
  };
}

/** Redact marks on as many records of the first repository. */
export function marks(count: number): Mark[] {
  return Array.from({ length: count }, (_, i) => {
    const [target, salt] = [observation(0, i * 20), i.toString(16).padStart(32, '0')];
    const hashes = passagesOf(target).map((passage) => hashOf(passage, salt));
    return markOf({ id: idOf('mark', String(i)), type: 'redact', targets: [target.id], hashed_with: salt, hashes });
  });
}

/** The text of the `i`th question: four words as records have them. */
export function question(i: number): string {
  return words(random(7_000_000 + i), 4).join(' ');
}

const SYLLABLES = 'ba de fi go ku la me ni po ru sa te vi wo xa ze bri cho dra fle'.split(' ');

function words(next: () => number, count: number): string[] {
  return Array.from({ length: count }, () => {
    // The cube makes few words common and most rare.
    let n = Math.floor(20_000 * next() ** 3);
    let word = '';
    do {
      word += SYLLABLES[n % SYLLABLES.length];
      n = Math.floor(n / SYLLABLES.length);
    } while (n > 0);
    return `${word}n`;
  });
}

/** Mulberry32: a small generator with a seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
