import { isObjectId } from '../../git/object-id.ts';
import { isObject } from '../../json.ts';
import { sectionsOf } from '../../memory/body.ts';
import { clampPhrase, clampSentences, withinLimits } from '../../memory/clamp.ts';
import { LIMITS, type MemoryRecord } from '../../memory/record.ts';
import { isHash, isSalt } from '../../memory/redaction.ts';
import type { Cleaner } from '../drain/clean.ts';
import { cleanEntries } from './save.ts';

/** Fields whose entries name something: an entry with a secret is left out, because redacted it would name nothing. */
const NAMES = ['files_modified', 'files_read', 'files_edited', 'supersedes', 'commits', 'targets', 'guards', 'hashes'];

/** Fields with fixed words, and fields cleaned separately. An observation's type is the team's own word, so it is cleaned. */
const FIXED = ['id', 'kind', 'by', 'stopped', 'asks', 'anchors', 'extra'];

/** A record from elsewhere without private text and secrets, in every text field. */
export async function cleanRecord<R extends MemoryRecord>(record: R, cleaner: Cleaner): Promise<R> {
  const fixed = record.kind === 'observation' ? FIXED : [...FIXED, 'type'];
  const clean: Record<string, unknown> = {};
  // One at a time: a secret found in one field is known in the next.
  for (const [name, value] of Object.entries(record)) {
    if (!fixed.includes(name)) clean[name] = await cleanField(name, value, cleaner);
  }
  if (record.extra) clean.extra = await cleanEntries(record.extra, cleaner);
  if ('anchors' in record && record.anchors) clean.anchors = await harmlessAnchors(record.anchors, cleaner);
  return { ...record, ...clean };
}

async function cleanField(name: string, value: unknown, cleaner: Cleaner): Promise<unknown> {
  if (typeof value === 'string') {
    // Our own hashes look like secrets but aren't.
    const isHashed = (name === 'hashes' && isHash(value)) || (name === 'hashed_with' && isSalt(value));
    return isHashed ? value : cleaner.text(value);
  }
  if (Array.isArray(value)) {
    const cleaned = await Promise.all(value.map((one) => cleanField(name, one, cleaner)));
    return NAMES.includes(name) ? value.filter((one, i) => cleaned[i] === one) : cleaned;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(async ([key, one]) => [key, await cleanField(key, one, cleaner)]);
  return Object.fromEntries(await Promise.all(entries));
}

/** A record cut to the limits of what git-mem itself writes: a distillation, not a transcript. */
export function limited<R extends MemoryRecord>(record: R): R;
export function limited(record: MemoryRecord): MemoryRecord {
  const section = (text: string) => clampSentences(text, LIMITS.narrative);
  const files = (paths: string[]) => paths.slice(0, LIMITS.files);
  switch (record.kind) {
    case 'observation':
      return withinLimits(record);
    case 'summary':
      return {
        ...record,
        ...sectionsOf(record, section),
        title: clampPhrase(record.title, LIMITS.title),
        files_read: files(record.files_read),
        files_edited: files(record.files_edited),
      };
    case 'mark':
      return { ...record, reason: section(record.reason) };
    case 'prompt':
      return record;
    default:
      return record satisfies never;
  }
}

async function harmlessAnchors(anchors: Record<string, string>, cleaner: Cleaner): Promise<Record<string, string>> {
  const harmless = new Set(await cleaner.names(Object.keys(anchors)));
  return Object.fromEntries(Object.entries(anchors).filter(([path, blob]) => harmless.has(path) && isObjectId(blob)));
}
