import { crc32 } from 'node:zlib';
import type { StoreName } from '../../memory/record.ts';
import type { Card, IndexDocument, IndexedDocument } from '../memory-index.ts';

/** The cache has impossible content: it was damaged and is rebuilt from the files. */
export class DamagedCache extends Error {
  constructor(what: string) {
    super(`The cache is damaged: ${what}.`);
    this.name = 'DamagedCache';
  }
}

export interface DocumentRow {
  row: number;
  blob: Buffer;
  id: string;
  created: string;
  session: string | null;
  prompt: number | null;
  card: string;
  terms: string;
  crc: number;
}

type Rest = [
  kind: Card['kind'],
  type: string,
  title: string,
  branch: string,
  concepts: string[],
  files: string[],
  modified: number,
  supersedes: string[],
  mark?: Card['mark'] | null,
  commit?: Card['commit'],
];

/** The columns of a document; `crc` shows later whether they are unchanged. */
export function toRow({ blob, card, terms }: IndexDocument): Omit<DocumentRow, 'row'> {
  const { id, created, session = null, prompt_number: prompt = null } = card;
  const { kind, type, title, branch = '', concepts, files, modified, supersedes, mark, commit } = card;
  const rest: Rest = [kind, type, title, branch, concepts, files, modified, supersedes];
  if (mark !== undefined) rest.push(mark);
  if (commit !== undefined) rest.push(null, commit);
  const row = {
    blob: Buffer.from(blob, 'hex'),
    id,
    created,
    session,
    prompt,
    card: JSON.stringify(rest),
    terms: terms.join('\n'),
  };
  return { ...row, crc: checksum(row) };
}

/** The document from its columns; throws DamagedCache if a byte of them changed. */
export function fromRow(row: DocumentRow, store: StoreName): IndexedDocument {
  if (checksum(row) !== row.crc) throw new DamagedCache(`document ${row.row} differs from its checksum`);
  const [kind, type, title, branch, concepts, files, modified, supersedes, mark, commit] = JSON.parse(row.card) as Rest;
  const card: Card = {
    id: row.id,
    kind,
    type,
    title,
    created: row.created,
    concepts,
    files,
    modified,
    supersedes,
    ...(row.session !== null && { session: row.session }),
    ...(row.prompt !== null && { prompt_number: row.prompt }),
    ...(branch !== '' && { branch }),
    ...(mark && { mark }),
    ...(commit && { commit }),
  };
  return { row: row.row, blob: row.blob.toString('hex'), card, terms: row.terms.split('\n'), store };
}

/**
 * A term in the form that the full-text index takes. SQLite's Unicode tables are older than ours and would split a few
 * letters, so every term that is not plain ASCII is written in hexadecimal.
 */
export function toToken(term: string): string {
  if (/^[a-z0-9]+$/.test(term)) return term;
  let token = 'u';
  for (let at = 0; at < term.length; at++) token += term.charCodeAt(at).toString(16).padStart(4, '0');
  return token;
}

export function toTokens(stream: string): string {
  return /^[\x00-\x7f]*$/.test(stream) ? stream : stream.split(' ').map(toToken).join(' ');
}

/** A 48-bit key for a path. */
export function pathKey(path: string): number {
  const bytes = Buffer.from(path);
  const low = crc32(bytes);
  return (crc32(bytes.reverse()) & 0xffff) * 0x1_0000_0000 + low;
}

function checksum({ blob, id, created, session, prompt, card, terms }: Omit<DocumentRow, 'row' | 'crc'>): number {
  return crc32(`${id} ${created} ${session} ${prompt}\n${card}\n${terms}`, crc32(blob));
}
