import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canonical } from '../../../src/memory/canonical.ts';
import { encode } from '../../../src/memory/codec.ts';
import { canonicalPath, wholeSeconds } from '../../../src/memory/file-name.ts';
import { idOf } from '../../../src/memory/id.ts';
import type { MemoryRecord } from '../../../src/memory/record.ts';
import type { Scratch } from '../../../src/setup/demo.ts';
import { CITED_CONTENT, CITED_FILES, generatedObservation } from '../../support/generated-records.ts';

/** Minutes between two records: 144 a day, as a busy team makes them. */
const APART_MS = 600_000;
/** The part of the records that is in the first commit; the second brings the others, as a large merge would. */
const FIRST_PART = 0.9;
/** Every so many records a session's summary, and a mark, nearly all of which retire an older record. */
const SUMMARY_EVERY = 12;
const MARK_EVERY = 50;
/** The last marks pin a few records of all ages instead: a session start is to find them however old they are. */
const PINS = 5;

/**
 * Fills a repository with a memory of so many records that end now, in two commits, and gives its bytes. Git is handed
 * the files as a stream and checks them out itself: that is faster than adding a million files, and tree and index agree.
 */
export async function fillLarge(scratch: Scratch, count: number, now: Date): Promise<number> {
  for (const file of CITED_FILES) {
    mkdirSync(dirname(join(scratch.repository, file)), { recursive: true });
    writeFileSync(join(scratch.repository, file), CITED_CONTENT);
  }
  await scratch.git.add('--all').commit('Set up');
  const { repository: cwd, env } = scratch;
  const child = spawn('git', ['fast-import', '--quiet'], { cwd, env, stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = once(child, 'close');
  const head = 'commit refs/heads/main\ncommitter Bench <bench@example.com> 1767225600 +0000\ndata 6\nMemory\n';
  const second = Math.floor(count * FIRST_PART);
  let chunk = `${head}from refs/heads/main^0\n`;
  let bytes = 0;
  for (let i = 0; i < count; i++) {
    const record = largeRecord(i, count, now);
    const text = encode(record);
    const size = Buffer.byteLength(text);
    bytes += size;
    if (i === second) chunk += head;
    chunk += `M 100644 inline .memory/${canonicalPath(record)}\ndata ${size}\n${text}\n`;
    if (chunk.length < 1_000_000) continue;
    if (!child.stdin.write(chunk)) await once(child.stdin, 'drain');
    chunk = '';
  }
  child.stdin.end(chunk);
  const [code] = await ended;
  if (code !== 0) throw new Error(`git fast-import exited with ${code}.`);
  // As many at a time as there are processors.
  execFileSync('git', ['-c', 'checkout.workers=0', 'reset', '--hard', '--quiet', 'main'], { cwd, env });
  return bytes;
}

/** The `i`th record of a large memory, the last one now. */
export function largeRecord(i: number, count: number, now: Date): MemoryRecord {
  const at = wholeSeconds(new Date(now.getTime() - (count - i) * APART_MS));
  const { kind, title, session, prompt_number, branch, narrative, ...observation } = generatedObservation(i);
  const generated = { by: 'generator', at };
  const of = { ...(session && { session }), ...(branch && { branch }), ...(prompt_number && { prompt_number }) };
  if (i % MARK_EVERY === MARK_EVERY - 1) {
    const later = Math.floor((count - 1 - i) / MARK_EVERY);
    const isPin = later < PINS;
    // A plain observation that no mark retires.
    const pinned = Math.floor((count * (later + 1)) / (PINS + 1) / 100) * 100 + 1;
    const targets = [idOf('generated', String(isPin ? pinned : i - 7))];
    const [type, reason] = isPin ? (['pin', 'To be seen.'] as const) : (['retire', 'Done.'] as const);
    return canonical({ ...of, kind: 'mark', id: observation.id, generated, type, targets, reason });
  }
  if (i % SUMMARY_EVERY !== SUMMARY_EVERY - 1) {
    // A word of its own, as every real record has some.
    const own = `${narrative} Seen first in run${i}.`;
    return canonical({ ...observation, ...of, kind, title, generated, narrative: own });
  }
  return canonical({
    ...of,
    kind: 'summary',
    id: observation.id,
    generated,
    type: 'summary',
    title,
    supersedes: [],
    files_read: observation.files_read,
    files_edited: observation.files_modified,
    request: title,
    investigated: narrative,
    learned: `${narrative} Seen first in run${i}.`,
    completed: 'The check moved to one place.',
    next_steps: '',
    notes: '',
  });
}
