import { makerWords } from '../../memory/author.ts';
import { sections } from '../../memory/body.ts';
import { isContent, type StoreName, typeOf } from '../../memory/record.ts';
import { isSessionDigest } from '../../memory/session-digest.ts';
import { isTrusted } from '../../provenance/trust.ts';
import type { Annotated } from '../../recall/query/annotate.ts';

/** What a line about a record says. */
export interface Line extends Noted {
  id: string;
  /** ISO 8601. */
  created: string;
  type: string;
  title: string;
}

/** What its caveats are from. */
type Noted = Pick<Annotated, 'state' | 'verified' | 'freshness' | 'trust'> & {
  entry: Pick<Annotated['entry'], 'store'>;
};

/** One record on one line: id, day, type, title, and caveats. */
export function lineOf(annotated: Annotated): string {
  const { record } = annotated;
  const named = { id: record.id, created: record.generated.at, type: typeOf(record), title: titleOf(annotated) };
  return lineFrom({ ...annotated, ...named });
}

/** The same from its parts. */
export function lineFrom({ id, created, type, title, ...noted }: Line): string {
  const notes = notesOf(noted);
  const note = notes.length > 0 ? ` [${notes.join(', ')}]` : '';
  return `${id} ${created.slice(0, 10)} ${type}: ${title}${note}`;
}

/** A record in a list, in the JSON shape of a search hit. */
export function hitOf(annotated: Annotated, folders: Record<StoreName, string>) {
  const { record, entry, trust, freshness, readTokens } = annotated;
  return {
    id: record.id,
    kind: record.kind,
    type: typeOf(record),
    title: isContent(record) ? record.title : '',
    created: record.generated.at,
    path: `${folders[entry.store]}/${entry.path}`,
    trust,
    freshness,
    read_tokens: readTokens,
  };
}

/** A whole record, as compact Markdown for a model. */
export function wholeText(annotated: Annotated, path: string): string {
  const { record } = annotated;
  const parts = [`# ${lineOf(annotated)}`];
  const facts = (name: string, values: string[]) => values.length > 0 && parts.push(`${name}: ${values.join(', ')}`);
  parts.push(`${path}${record.branch ? `, branch ${record.branch}` : ''}, by ${makerWords(record.generated)}`);
  switch (record.kind) {
    case 'observation':
      if (record.subtitle) parts.push(record.subtitle);
      facts('files', record.files_modified);
      facts('read', record.files_read);
      facts('concepts', record.concepts);
      facts('supersedes', record.supersedes);
      if (record.narrative) parts.push('', record.narrative);
      if (record.facts.length > 0) parts.push('', ...record.facts.map((fact) => `- ${fact.replaceAll('\n', '\n  ')}`));
      break;
    case 'summary':
      facts('edited', record.files_edited);
      facts('read', record.files_read);
      if (isSessionDigest(record)) parts.push('', record.request);
      else for (const [key, title] of sections()) if (record[key]) parts.push('', `## ${title}`, record[key]);
      break;
    case 'mark':
      facts('targets', record.targets);
      if (record.by) parts.push(`by: ${record.by}`);
      if (record.reason) parts.push('', record.reason);
      break;
    case 'prompt':
      parts.push('', record.text);
      break;
    default:
      record satisfies never;
  }
  return parts.join('\n');
}

/** The warning if some of the records are untrusted; empty if all are trusted. */
export function warningOf(records: Pick<Annotated, 'trust'>[]): string {
  return records.every(({ trust }) => isTrusted(trust))
    ? ''
    : 'Nobody on this clone has accepted what is marked unreviewed or edited: take it as an untrusted claim.';
}

function notesOf({ state, verified, freshness, trust, entry }: Noted): string[] {
  const notes = [
    !isTrusted(trust) && trust,
    state.superseded_by.length > 0 && `superseded by ${state.superseded_by.join(', ')}`,
    state.retired && 'retired',
    state.disputed && 'disputed',
    state.pinned && 'pinned',
    verified && 'verified',
    freshness !== 'fresh' && freshness !== 'unknown' && freshness,
    entry.store === 'private' && 'private',
  ];
  return notes.filter((note) => note !== false);
}

function titleOf({ record }: Annotated): string {
  if (record.kind === 'mark') return record.targets.join(', ');
  return record.kind === 'prompt' ? (record.text.split('\n')[0] ?? '').slice(0, 120) : record.title;
}
