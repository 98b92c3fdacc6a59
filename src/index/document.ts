import { type BodyReader, emptySummary, sectionsOf } from '../memory/body.ts';
import { decode } from '../memory/codec.ts';
import type { MemoryRecord } from '../memory/record.ts';
import type { Entry, StoredRecord } from '../memory/store/source.ts';
import type { Store } from '../memory/store/store.ts';
import type { Card, IndexDocument } from './memory-index.ts';
import { tokenize } from './tokens.ts';

/** Longest indexed part of one field, in characters; far beyond what git-mem writes. */
const MAX_FIELD = 100_000;

/** A record in the form that the index takes. */
export function documentOf(record: MemoryRecord, blob: string): IndexDocument {
  const texts = textsOf(record);
  return { blob, card: cardOf(record), terms: texts.map((text) => tokenize(text.slice(0, MAX_FIELD)).join(' ')) };
}

/** The searchable texts of a record, in the order of FIELDS. */
export function textsOf(record: MemoryRecord): string[] {
  switch (record.kind) {
    case 'observation': {
      const { title, subtitle = '', narrative, facts, concepts } = record;
      return [`${title}\n${subtitle}`, narrative, facts.join('\n'), concepts.join('\n'), filesOf(record).join('\n')];
    }
    case 'summary': {
      const narrative = Object.values(sectionsOf(record)).join('\n');
      return [record.title, narrative, '', '', filesOf(record).join('\n')];
    }
    case 'mark':
      return [record.type, record.reason, '', '', ''];
    case 'prompt':
      return ['', record.text, '', '', ''];
    default:
      return record satisfies never;
  }
}

/** The parts of a record that lists and filters need. */
export function cardOf(record: MemoryRecord): Card {
  const common = {
    id: record.id,
    created: record.generated.at,
    ...(record.session !== undefined && { session: record.session }),
    ...(record.prompt_number !== undefined && { prompt_number: record.prompt_number }),
    ...(record.branch !== undefined && { branch: record.branch }),
    files: filesOf(record),
  };
  const none = { concepts: [], modified: 0, supersedes: [] };
  switch (record.kind) {
    case 'observation': {
      const { kind, type, title, concepts, supersedes } = record;
      return { ...common, kind, type, title, concepts, supersedes, modified: record.files_modified.length };
    }
    case 'summary': {
      const { kind, type, title, supersedes } = record;
      return { ...common, kind, type, title, concepts: [], supersedes, modified: record.files_edited.length };
    }
    case 'mark': {
      const { kind, type, targets, by } = record;
      const title = `${type} ${targets.join(', ')}`;
      return { ...common, ...none, kind, type, title, mark: { type, targets, ...(by !== undefined && { by }) } };
    }
    case 'prompt':
      return {
        ...common,
        ...none,
        kind: record.kind,
        type: 'prompt',
        title: record.text.split('\n', 1)[0]?.slice(0, 200) ?? '',
      };
    default:
      return record satisfies never;
  }
}

function filesOf(record: MemoryRecord): string[] {
  if (record.kind === 'observation') return [...new Set([...record.files_modified, ...record.files_read])];
  return record.kind === 'summary' ? [...new Set([...record.files_edited, ...record.files_read])] : [];
}

/** Decodes a record; loads the Markdown parser only for a body that a person wrote. Throws bad-record. */
export function decodeLazily(text: string, path: string): Promise<MemoryRecord> {
  return withReader((reader) => decode(text, path, reader));
}

/** Reads a record from its store in the same way; throws bad-record, or a system error. */
export function readLazily(store: Store, entry: Entry): Promise<StoredRecord> {
  return withReader((reader) => store.read(entry, reader));
}

async function withReader<T>(read: (reader: BodyReader) => T): Promise<T> {
  let isByHand = false;
  const notice: BodyReader = {
    observation() {
      isByHand = true;
      return { narrative: '', facts: [] };
    },
    summary() {
      isByHand = true;
      return emptySummary();
    },
  };
  const result = read(notice);
  if (!isByHand) return result;
  const { outlineReader } = await import('../memory/outline.ts');
  return read(outlineReader);
}
