import { LOCAL_MODELS, spellingOf } from '../../../index/embed/local.ts';
import type { IndexDocument, RankedIndex } from '../../../index/memory-index.ts';
import { miniSearchIndex } from '../../../index/minisearch-index.ts';
import { tokenize } from '../../../index/tokens.ts';
import { frontAndBody } from '../../../memory/front-matter-lines.ts';
import type { SiteRecord } from '../record-protocol.ts';

/** Records indexed before the page may draw again. */
const BATCH = 200;

/**
 * An index of the page's records; the first has row 1. It ranks like the command line, except without co-occurrence
 * vectors: learning those takes longer than a reader waits. Filled in batches, so that the page appears at once; the
 * first question waits for the rest.
 */
export async function siteIndex(records: SiteRecord[]): Promise<RankedIndex> {
  const index = miniSearchIndex();
  for (let from = 0; from < records.length; from += BATCH) {
    const batch = records.slice(from, from + BATCH);
    index.apply({
      documents: batch.map((record, i) => documentOf(record, String(from + i))),
      seen: batch.map(({ card: { store } }, i) => {
        const blob = String(from + i);
        return { store, path: blob, blob, size: 0, modifiedMs: 0, changedMs: 0 };
      }),
      gone: [],
      folders: [],
    });
    await drawn();
  }
  return {
    ...index,
    // Computed on demand for documents that match: a spelling vector takes a fraction of a millisecond.
    vector: (model, row) => (model === LOCAL_MODELS.spelling ? spellingOf(index.termsOf(row)) : undefined),
  };
}

function documentOf(record: SiteRecord, blob: string): IndexDocument {
  const { id, kind, type, title, created, session, concepts, files } = record.card;
  const prompt_number = record.provenance.prompt_number ?? undefined;
  const card = { id, kind, type, title, created, concepts, files, modified: 0, supersedes: [] };
  return {
    blob,
    card: { ...card, ...(session !== null && { session }), ...(prompt_number !== undefined && { prompt_number }) },
    terms: searchedTexts(record).map((text) => tokenize(text).join(' ')),
  };
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
