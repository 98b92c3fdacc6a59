import { isObjectId } from '../../git/object-id.ts';
import { sectionsOf } from '../../memory/body.ts';
import { LIMITS, type MemoryRecord, oneLine } from '../../memory/record.ts';
import { isHash, isSalt } from '../../memory/redaction.ts';
import type { Cleaner } from '../drain/clean.ts';
import { clampPhrase, clampSentences } from '../extract/clamp.ts';
import { cleanEntries } from './save.ts';

/** A record from elsewhere without private text and secrets, in every field that holds words. */
export async function cleanRecord<R extends MemoryRecord>(record: R, cleaner: Cleaner): Promise<R>;
export async function cleanRecord(record: MemoryRecord, cleaner: Cleaner): Promise<MemoryRecord> {
  const text = (raw: string) => cleaner.text(raw);
  const texts = (raws: string[]) => Promise.all(raws.map(text));
  const optional = async <K extends string>(key: K, value: string | undefined) =>
    (value === undefined ? {} : { [key]: await text(value) }) as Partial<Record<K, string>>;
  const common = {
    generated: {
      by: await text(record.generated.by),
      ...(await optional('name', record.generated.name)),
      at: await text(record.generated.at),
    },
    ...(await optional('session', record.session)),
    ...(await optional('branch', record.branch)),
    ...(await optional('commit', record.commit)),
    ...(record.extra && { extra: await cleanEntries(record.extra, cleaner) }),
  };
  switch (record.kind) {
    case 'observation':
      return {
        ...record,
        ...common,
        ...(await optional('subtitle', record.subtitle)),
        ...(await optional('extractor', record.extractor)),
        type: await text(record.type),
        title: await text(record.title),
        narrative: await text(record.narrative),
        facts: await texts(record.facts),
        concepts: await texts(record.concepts),
        files_modified: await harmless(record.files_modified, cleaner),
        files_read: await harmless(record.files_read, cleaner),
        supersedes: await harmless(record.supersedes, cleaner),
        anchors: await harmlessAnchors(record.anchors, cleaner),
      };
    case 'summary':
      return {
        ...record,
        ...common,
        ...(await optional('extractor', record.extractor)),
        ...(await optional('started', record.started)),
        ...(record.commits && { commits: await harmless(record.commits, cleaner) }),
        title: await text(record.title),
        request: await text(record.request),
        investigated: await text(record.investigated),
        learned: await text(record.learned),
        completed: await text(record.completed),
        next_steps: await text(record.next_steps),
        notes: await text(record.notes),
        files_read: await harmless(record.files_read, cleaner),
        files_edited: await harmless(record.files_edited, cleaner),
        supersedes: await harmless(record.supersedes, cleaner),
      };
    case 'mark':
      return {
        ...record,
        ...common,
        targets: await harmless(record.targets, cleaner),
        ...(record.hashed_with && !isSalt(record.hashed_with) && (await optional('hashed_with', record.hashed_with))),
        ...(record.hashes && { hashes: await harmlessHashes(record.hashes, cleaner) }),
        ...(record.guards && { guards: await harmless(record.guards, cleaner) }),
        ...(record.anchors && { anchors: await harmlessAnchors(record.anchors, cleaner) }),
        reason: await text(record.reason),
      };
    case 'prompt':
      return { ...record, ...common, text: await text(record.text) };
    default:
      return record satisfies never;
  }
}

/** A record within the limits of what git-mem writes itself: a distillation, not a transcript. */
export function limited<R extends MemoryRecord>(record: R): R;
export function limited(record: MemoryRecord): MemoryRecord {
  const section = (text: string) => clampSentences(text, LIMITS.narrative);
  const files = (paths: string[]) => paths.slice(0, LIMITS.files);
  switch (record.kind) {
    case 'observation': {
      const { title, subtitle, narrative, facts, concepts, files_modified, files_read } = record;
      return {
        ...record,
        title: clampPhrase(title, LIMITS.title),
        ...(subtitle && { subtitle: clampPhrase(subtitle, LIMITS.subtitle) }),
        narrative: section(narrative),
        facts: facts.slice(0, LIMITS.facts).map((fact) => clampSentences(oneLine(fact), LIMITS.fact)),
        concepts: concepts.slice(0, LIMITS.concepts),
        files_modified: files(files_modified),
        files_read: files(files_read),
      };
    }
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

/** A path or an id cannot be redacted and still name something, so one that holds a secret is left out. */
async function harmless(names: string[], cleaner: Cleaner): Promise<string[]> {
  const cleaned = await Promise.all(names.map((name) => cleaner.text(name)));
  return names.filter((name, i) => cleaned[i] === name);
}

/** Our own hashes look like secrets and are none. */
async function harmlessHashes(hashes: string[], cleaner: Cleaner): Promise<string[]> {
  const others = new Set(
    await harmless(
      hashes.filter((hash) => !isHash(hash)),
      cleaner,
    ),
  );
  return hashes.filter((hash) => isHash(hash) || others.has(hash));
}

async function harmlessAnchors(anchors: Record<string, string>, cleaner: Cleaner): Promise<Record<string, string>> {
  const paths = new Set(await harmless(Object.keys(anchors), cleaner));
  return Object.fromEntries(Object.entries(anchors).filter(([path, blob]) => paths.has(path) && isObjectId(blob)));
}
