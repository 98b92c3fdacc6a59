import MiniSearch from 'minisearch';
import { isContent, STORES, type StoreName } from '../memory/record.ts';
import {
  connected,
  FIELDS,
  type IndexDocument,
  type IndexedDocument,
  type MemoryIndex,
  type Moment,
  mentionsOf,
  type SeenFile,
  type VectorIndex,
} from './memory-index.ts';

interface Held extends IndexDocument {
  row: number;
  /** The files with this content. */
  places: { store: StoreName; path: string }[];
}

/**
 * An index in this process only, for when SQLite does not load. Each process fills its own. Long because the port is:
 * each member is a line or a few.
 */
export function miniSearchIndex(): MemoryIndex {
  const engine = new MiniSearch<Held>({
    idField: 'row',
    fields: [...FIELDS],
    extractField: (held, field) => {
      const at = (FIELDS as readonly string[]).indexOf(field);
      return at < 0 ? held.row : held.terms[at];
    },
    tokenize: (stream) => (stream === '' ? [] : stream.split(' ')),
    processTerm: (term) => term,
    searchOptions: { combineWith: 'OR', prefix: false, fuzzy: false, boost: { title: 2, files: 0.5 } },
  });
  const files = { team: new Map<string, SeenFile>(), private: new Map<string, SeenFile>() };
  const folders = { team: new Map<string, string>(), private: new Map<string, string>() };
  const byRow = new Map<number, Held>();
  const byBlob = new Map<string, Held>();
  const frequencies = new Map<string, number>();
  const citations = new Map<string, Set<number>>();
  const totals = FIELDS.map(() => 0);
  const meta = new Map<string, string>();
  let lastRow = 0;
  let writes = 0;
  const vectors = heldVectors(byRow, () => void writes++);

  function add(document: IndexDocument): Held {
    const held = { ...document, row: ++lastRow, places: [] };
    byRow.set(held.row, held);
    byBlob.set(held.blob, held);
    engine.add(held);
    for (const path of held.card.files) citations.set(path, (citations.get(path) ?? new Set()).add(held.row));
    tally(held, 1);
    return held;
  }

  function remove(held: Held): void {
    byRow.delete(held.row);
    byBlob.delete(held.blob);
    engine.discard(held.row);
    for (const path of held.card.files) citations.get(path)?.delete(held.row);
    vectors.forget(held.row);
    tally(held, -1);
  }

  function tally(held: Held, by: 1 | -1): void {
    held.terms.forEach((stream, f) => {
      totals[f] = (totals[f] ?? 0) + by * termsIn(stream).length;
    });
    for (const term of new Set(held.terms.flatMap(termsIn))) frequencies.set(term, (frequencies.get(term) ?? 0) + by);
  }

  // A record in both stores counts as the team's.
  const placeOf = ({ places }: Held) => places.find(({ store }) => store === 'team') ?? places[0];

  function placed(held: Held): IndexedDocument[] {
    const place = placeOf(held);
    if (place === undefined) return [];
    return [{ row: held.row, blob: held.blob, card: held.card, terms: held.terms, store: place.store }];
  }

  function leave(store: StoreName, path: string): void {
    const held = byBlob.get(files[store].get(path)?.blob ?? '');
    files[store].delete(path);
    if (held === undefined) return;
    held.places = held.places.filter((place) => place.store !== store || place.path !== path);
    if (held.places.length === 0) remove(held);
  }

  const inOrder = () => [...byRow.values()].flatMap(placed);
  const sorted = (compare: (a: Held, b: Held) => number) => [...byRow.values()].sort(compare).flatMap(placed);

  const index: MemoryIndex = {
    kind: 'minisearch',
    folders: (store) => new Map(folders[store]),
    files: (store, folder = '') =>
      new Map([...files[store]].filter(([path]) => folder === '' || path.startsWith(`${folder}/`))),
    blobAt: (store, path) => files[store].get(path)?.blob,
    knows: (blob) => byBlob.has(blob),
    apply({ seen, gone, documents, folders: scanned }) {
      writes++;
      // New documents come first, so that a renamed file still finds its content here.
      for (const document of documents) if (!byBlob.has(document.blob)) add(document);
      for (const file of seen) {
        const { store, path } = file;
        const held = byBlob.get(file.blob ?? '');
        if (held !== undefined && !held.places.some((place) => place.store === store && place.path === path)) {
          held.places.push({ store, path });
          held.places.sort((a, b) => (a.path < b.path ? -1 : 1));
        }
        if (files[store].get(path)?.blob !== file.blob) leave(store, path);
        files[store].set(path, file);
      }
      for (const { store, path } of gone) leave(store, path);
      for (const { store, folder, digest } of scanned) {
        if (digest === undefined) folders[store].delete(folder);
        else folders[store].set(folder, digest);
      }
    },
    snapshot: (use) => use(),
    statistics(terms) {
      const documents = byRow.size;
      const meanLengths = totals.map((total) => Math.max(0.01, total / Math.max(1, documents)));
      return { documents, meanLengths, frequencies: new Map(terms.map((term) => [term, frequencies.get(term) ?? 0])) };
    },
    candidates(weights, limit, accepts) {
      const found: IndexedDocument[] = [];
      const boostTerm = (term: string) => weights.get(term) ?? 1;
      for (const { id } of weights.size === 0 ? [] : engine.search([...weights.keys()].join(' '), { boostTerm })) {
        const held = byRow.get(id);
        for (const document of held ? placed(held) : []) if (accepts(document)) found.push(document);
        if (found.length === limit) break;
      }
      return found;
    },
    documents: (rows) => [...rows].flatMap((row) => byRow.get(row) ?? []).flatMap(placed),
    pathOf(row) {
      const held = byRow.get(row);
      return held && placeOf(held)?.path;
    },
    newest: () => sorted((a, b) => -inTime(a, b)),
    around: (side, moment) =>
      side === 'before'
        ? sorted((a, b) => -inTime(a, b)).filter(({ card }) => inTime({ card }, { card: moment }) < 0)
        : sorted(inTime).filter(({ card }) => inTime({ card }, { card: moment }) >= 0),
    named: (prefix) => inOrder().filter(({ card }) => card.id.startsWith(prefix)),
    ids: (prefix) => [...byRow.values()].flatMap(({ card: { id } }) => (id.startsWith(prefix) ? [id] : [])),
    outlines: () =>
      [...byRow.values()].flatMap((held) => {
        const { blob, card } = held;
        const place = isContent(card) ? placeOf(held) : undefined;
        return place === undefined ? [] : [{ row: held.row, id: card.id, blob, ...place }];
      }),
    unreadable: () =>
      STORES.flatMap((store) =>
        [...files[store].values()].flatMap(({ path, blob }) => (blob === undefined ? [{ store, path }] : [])),
      ),
    citing: (path) => [...(citations.get(path) ?? [])],
    cited: (kind) =>
      new Set([...byRow.values()].flatMap(({ card }) => (kind === undefined || card.kind === kind ? card.files : []))),
    session: (session) =>
      sorted(
        (a, b) => compare(a.card.created, b.card.created) || prompt(a) - prompt(b) || compare(a.card.id, b.card.id),
      )
        .filter(({ card }) => card.session === session)
        .map(({ row }) => row),
    statements(about) {
      const all = inOrder().filter(({ card }) => mentionsOf(card).length > 0);
      if (about === undefined) return all;
      const mentioning = new Map<string, IndexedDocument[]>();
      for (const one of all) {
        for (const id of mentionsOf(one.card)) mentioning.set(id, [...(mentioning.get(id) ?? []), one]);
      }
      return connected(about, (id) => mentioning.get(id) ?? []);
    },
    ...vectors.port,
    size: () => byRow.size,
    termsOf: (row) => byRow.get(row)?.terms ?? [],
    meta: (key) => meta.get(key),
    setMeta: (key, value) => void meta.set(key, value),
    writes: () => undefined,
    version: () => String(writes),
    // It serves a single question, so nothing is noted as known.
    known: () => index,
    unknown: () => [],
    noteKnown() {},
    settle() {},
    seal() {},
    close() {},
  };
  return index;
}

/** The models' vectors for these rows, in this process only; `onWrite` is called after each change. */
function heldVectors(
  rows: ReadonlyMap<number, unknown>,
  onWrite: () => void,
): { port: VectorIndex; forget(row: number): void } {
  const vectors = new Map<string, Map<number, Uint8Array>>();
  const termVectors = new Map<string, Map<string, Uint8Array>>();
  const port: VectorIndex = {
    vectors: (model) => vectors.get(model) ?? [],
    vector: (model, row) => vectors.get(model)?.get(row),
    termVector: (model, term) => termVectors.get(model)?.get(term),
    rowsWithout: (model) => [...rows.keys()].filter((row) => !vectors.get(model)?.has(row)),
    putVectors(model, entries) {
      const table = vectors.get(model) ?? new Map<number, Uint8Array>();
      vectors.set(model, table);
      for (const [row, vector] of entries) if (rows.has(row)) table.set(row, vector);
      onWrite();
    },
    replaceModel(model, terms) {
      vectors.delete(model);
      termVectors.set(model, new Map(terms));
      onWrite();
    },
  };
  return {
    port,
    forget(row) {
      for (const table of vectors.values()) table.delete(row);
    },
  };
}

function termsIn(stream: string): string[] {
  return stream === '' ? [] : stream.split(' ');
}

function inTime(a: { card: Moment }, b: { card: Moment }): number {
  return compare(a.card.created, b.card.created) || compare(a.card.id, b.card.id);
}

function prompt({ card }: Held): number {
  return card.prompt_number ?? -1;
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
