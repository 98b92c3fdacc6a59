import { LOCAL_MODELS, spellingOf } from '../../../index/embed/local.ts';
import { FIELDS, type IndexedDocument, type Moment, type RankedIndex } from '../../../index/memory-index.ts';
import { tokenize } from '../../../index/tokens.ts';
import { frontAndBody } from '../../../memory/front-matter-lines.ts';
import { RANKING } from '../../../search/ranking.ts';
import type { SiteRecord } from '../protocol.ts';

/** Records indexed before the page may draw again. */
const BATCH = 200;

/** The records that contain a term, and its weight in each, by the weights of its fields. */
interface Postings {
  rows: number[];
  weights: number[];
}

/**
 * An index of the page's records; a record's position is its row. It ranks like the command line, except without
 * co-occurrence vectors: learning those takes longer than a reader waits. Filled in batches, so that the page appears
 * at once; the first question waits for the rest.
 */
export async function siteIndex(records: SiteRecord[]): Promise<RankedIndex> {
  const documents: IndexedDocument[] = [];
  const postings = new Map<string, Postings>();
  const citations = new Map<string, number[]>();
  const sessions = new Map<string, number[]>();
  const totals = FIELDS.map(() => 0);
  for (const [row, record] of records.entries()) {
    const tokens = searchedTexts(record).map(tokenize);
    documents.push(documentOf(record, row, tokens));
    tokens.forEach((field, f) => {
      totals[f] = (totals[f] ?? 0) + field.length;
    });
    for (const [term, weight] of weighted(tokens)) {
      const known = postings.get(term) ?? { rows: [], weights: [] };
      if (known.rows.push(row) === 1) postings.set(term, known);
      known.weights.push(weight);
    }
    for (const path of record.card.files) append(citations, path, row);
    const { session, kind } = record.card;
    if (session !== null && kind !== 'mark') append(sessions, session, row);
    if (row % BATCH === BATCH - 1) await drawn();
  }
  for (const rows of sessions.values()) rows.sort((a, b) => inSession(records, a, b));
  const meanLengths = totals.map((total) => Math.max(0.01, total / Math.max(1, records.length)));

  return {
    statistics: (terms) => ({
      documents: records.length,
      meanLengths,
      frequencies: new Map(terms.map((term) => [term, postings.get(term)?.rows.length ?? 0])),
    }),
    candidates: (weights, limit, accepts) => candidatesOf(postings, documents, { weights, limit, accepts }),
    vocabulary: () => [...postings.keys()],
    around: (side, moment) => {
      const sorted = [...documents].sort((a, b) => inTime(a.card, b.card));
      const isBefore = ({ card }: IndexedDocument) => inTime(card, moment) < 0;
      return side === 'before' ? sorted.filter(isBefore).reverse() : sorted.filter((one) => !isBefore(one));
    },
    documents: (rows) => [...rows].flatMap((row) => documents[row] ?? []),
    citing: (path) => citations.get(path) ?? [],
    session: (session) => sessions.get(session) ?? [],
    // Computed on demand for documents that match: a spelling vector takes a fraction of a millisecond.
    vector: (model, row) => (model === LOCAL_MODELS.spelling ? spellingOf(documents[row]?.terms ?? []) : undefined),
    vectors: () => [],
    termVector: () => undefined,
    version: () => '',
  };
}

function candidatesOf(
  postings: ReadonlyMap<string, Postings>,
  documents: IndexedDocument[],
  {
    weights,
    limit,
    accepts,
  }: {
    weights: ReadonlyMap<string, number>;
    limit: number;
    accepts: (document: IndexedDocument) => boolean;
  },
): IndexedDocument[] {
  const scores = new Float64Array(documents.length);
  const found: number[] = [];
  for (const [term, weight] of weights) {
    const { rows = [], weights: held = [] } = postings.get(term) ?? {};
    rows.forEach((row, i) => {
      const frequency = held[i] ?? 0;
      if (scores[row] === 0) found.push(row);
      scores[row] = (scores[row] ?? 0) + (weight * frequency) / (RANKING.k1 + frequency);
    });
  }
  found.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const accepted: IndexedDocument[] = [];
  for (const row of found) {
    const document = documents[row];
    if (document && accepts(document)) accepted.push(document);
    if (accepted.length === limit) break;
  }
  return accepted;
}

function documentOf({ card }: SiteRecord, row: number, tokens: string[][]): IndexedDocument {
  const { id, kind, type, title, created, session, concepts, files, store } = card;
  return {
    row,
    store,
    blob: id,
    card: {
      id,
      kind,
      type,
      title,
      created,
      concepts,
      files,
      modified: 0,
      supersedes: [],
      ...(session !== null && { session }),
    },
    terms: tokens.map((field) => field.join(' ')),
  };
}

/** The weight of each term of a record: its occurrences times the weights of their fields. */
function weighted(tokens: string[][]): Map<string, number> {
  const weights = new Map<string, number>();
  FIELDS.forEach((field, f) => {
    for (const token of tokens[f] ?? []) weights.set(token, (weights.get(token) ?? 0) + RANKING.fields[field]);
  });
  return weights;
}

function append(lists: Map<string, number[]>, key: string, row: number): void {
  const known = lists.get(key);
  if (known) known.push(row);
  else lists.set(key, [row]);
}

function inTime(a: Moment, b: Moment): number {
  return a.created === b.created ? (a.id < b.id ? -1 : 1) : a.created < b.created ? -1 : 1;
}

function inSession(records: SiteRecord[], a: number, b: number): number {
  const key = (row: number) => {
    const { card, provenance } = records[row] ?? {};
    return [card?.created ?? '', String(provenance?.prompt_number ?? '').padStart(6), card?.id ?? ''].join(' ');
  };
  return key(a) < key(b) ? -1 : 1;
}

/** Lets the page draw and respond; a timer would wait for some milliseconds each time. */
function drawn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** The searchable texts of a record, in the order of FIELDS, as in the command line's index. */
export function searchedTexts({ card, subtitle, facts, raw }: SiteRecord): string[] {
  const { title, concepts, files } = card;
  return [`${title}\n${subtitle}`, proseOf(raw), facts.join('\n'), concepts.join('\n'), files.join('\n')];
}

/** The body without its headings, and without the facts, which are a field of their own. */
function proseOf(raw: string): string {
  const { body } = frontAndBody(raw);
  const facts = body.search(/^## Facts$/m);
  return (facts < 0 ? body : body.slice(0, facts)).replace(/^#+ .*$/gm, '').trim();
}
