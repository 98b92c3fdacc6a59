import type { Checkout } from '../../git/locate.ts';
import { textsOf } from '../../index/document.ts';
import type { MemoryIndex } from '../../index/memory-index.ts';
import { queryIfWarm, unoptimised } from '../../index/warm.ts';
import { isIdle, tellingSentences } from '../../memory/sentences.ts';
import { readLedgers } from '../../memory/store/ledger.ts';
import { readable, type StoredRecord } from '../../memory/store/source.ts';
import { type Workspace, workspaceOf } from '../../memory/store/workspace.ts';
import { missingWords } from '../../provenance/freshness.ts';
import { keptRenames, type Renames } from '../../provenance/renamed-files.ts';
import { loadSettings } from '../../provenance/settings.ts';
import { type WithTrust, withReviewedRecord } from '../../provenance/trust.ts';
import { annotate } from '../../records/annotate.ts';
import { judge, type Placed, placesOf, statementsOn } from '../../records/judgement.ts';
import { snippetIn } from '../../search/snippet.ts';
import type { Environment } from '../../user-folders.ts';
import { noteNames } from './cited-names.ts';
import {
  type FileHit,
  findForFiles,
  MOST_FOR_FILES,
  type Reading,
  readBearing,
  repositoryPaths,
} from './file-recall.ts';
import { guardsIn } from './guards.ts';
import { type Injected, noteInjected, readInjected } from './injected.ts';
import { withPatience } from './patience.ts';
import { findForPrompt, namesTopic } from './prompt-recall.ts';
import { type Recalled, recallText } from './recall-text.ts';

/** Records judged in the first round: more than are injected, because some may be hidden or untrusted. */
const FIRST_JUDGED = 12;

/** Factor by which more records are judged in each further round, because untrusted ones were in the way. */
const WIDER = 4;

/** Most rounds of querying the index while untrusted records are in the way: the last one judges up to 768 records. */
const MOST_ROUNDS = 4;

/** Most files of one call that are looked up: one that names more is about none of them in particular. */
const MOST_PATHS = 8;

/** A prompt, or files about to be read or, with `isEdit`, changed: paths are absolute, or relative to `cwd`. */
export type Asked =
  | { kind: 'prompt'; session: string; reader: string; text: string }
  | ({ kind: 'read'; session: string; reader: string; cwd: string; paths: string[] } & Partial<Reading>);

/**
 * The few records that bear on a prompt, a read or an edit, as text for the model. Usually empty: if there are none, if
 * the index is busy or far behind the files, if it takes too long, or if anything fails.
 */
export async function recalled(checkout: Checkout, question: Asked, env: Environment): Promise<string> {
  // Checked first: a prompt without a topic needs neither settings nor index.
  if (question.kind === 'prompt' && !namesTopic(question.text)) return '';
  const workspace = workspaceOf(checkout, env);
  return withPatience(workspace, 'recall', '', () => unoptimised(workspace, () => recall(workspace, question)));
}

/** Renews the list that tells the launcher when nothing can be recalled, for a call that asks nothing. May throw. */
export async function renewNames(checkout: Checkout, env: Environment): Promise<void> {
  const workspace = workspaceOf(checkout, env);
  const { trust } = loadSettings(workspace, ['trust']).config;
  const made = { renames: keptRenames(workspace), guards: await guardsIn(workspace) };
  await queryIfWarm(workspace, trust.inject_unreviewed ? 'all' : 'known', (index, folders) => {
    if (folders !== undefined) noteNames(workspace, { ...made, index, folders });
  });
}

async function recall(workspace: Workspace, question: Asked): Promise<string> {
  const { state } = workspace.layout;
  const { config } = loadSettings(workspace, ['recall', 'trust']);
  if (!config.recall[question.kind] || config.recall.tokens === 0) return '';
  const paths =
    question.kind === 'read'
      ? repositoryPaths(workspace.checkout.root, { ...question, paths: question.paths.slice(0, MOST_PATHS) })
      : [];
  if (question.kind === 'read' && paths.length === 0) return '';

  const injected = readInjected(state, question.reader);
  const own = readLedgers(workspace);
  const renames = keptRenames(workspace);
  const guards = question.kind === 'read' ? await guardsIn(workspace) : [];
  const known: Known = { workspace, paths, renames, injected, own, without: new Set() };
  const injectUnreviewed = config.trust.inject_unreviewed;
  const most = question.kind === 'read' ? MOST_FOR_FILES : undefined;
  const { lines = undefined, isEdit = false } = question.kind === 'read' ? question : {};
  // With several files, nothing says which of them the lines belong to.
  const reading = { isEdit, ...(paths.length === 1 && lines && { lines }) };
  let entries: Recalled[] = [];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const found = await queryIfWarm(workspace, injectUnreviewed ? 'all' : 'known', (index, folders) => {
      if (question.kind === 'read' && folders !== undefined) noteNames(workspace, { index, renames, folders, guards });
      return find(index, question, known, FIRST_JUDGED * WIDER ** round);
    });
    if (found === undefined) return '';
    const answer = await injectable(workspace, found, { injectUnreviewed, reading, ...(most && { most }) });
    entries = answer.entries;
    // An untrusted record may match better; it must not keep a trusted one from being injected.
    if (answer.untrusted.length === 0 || entries.length === most) break;
    for (const blob of answer.untrusted) known.without.add(blob);
  }
  const occasion = isEdit ? 'edit' : question.kind;
  const fitting = recallText(entries, occasion, config.recall.tokens);
  if (fitting.ids.length === 0) return '';
  const ours = new Set(noteInjected(state, question.reader, fitting.ids));
  const mine = entries.filter(({ record }) => ours.has(record.id));
  const { text } = recallText(mine, occasion, config.recall.tokens);
  return text;
}

interface Known {
  workspace: Workspace;
  paths: string[];
  renames: Renames;
  injected: Injected;
  /** Blobs that this clone wrote. */
  own: ReadonlySet<string>;
  /** Blobs of untrusted records that were in the way in earlier rounds. */
  without: Set<string>;
}

/** At most `most` records for the occasion that are new to the session; undefined if nothing is left to judge. */
function find(index: MemoryIndex, question: Asked, known: Known, most: number): Found | undefined {
  const { paths, renames, injected, own, without } = known;
  const answer = question.kind === 'prompt' ? findForPrompt(index, question.text, { renames, without }) : undefined;
  const hits =
    answer?.hits ??
    findForFiles(index, paths, renames.formerNames).filter(({ document }) => !without.has(document.blob));
  const news = hits.filter(({ document: { card } }) => {
    // A session knows its own findings until its context is cleared.
    const isOwn = card.session === question.session && !injected.hasForgotten;
    return !injected.ids.has(card.id) && !isOwn;
  });
  const first = news.slice(0, most);
  const documents = first.map(({ document }) => document);
  const considered = answer?.considered ?? documents;
  // If this clone wrote all ranked records, no untrusted one is in the way, and git need not be asked.
  if (news.length === 0 && considered.every(({ blob }) => own.has(blob))) return undefined;
  const hitOf = new Map(first.flatMap((hit) => ('path' in hit ? [[hit.document.card.id, hit]] : [])));
  return {
    weights: answer?.weights ?? new Map<string, number>(),
    hitOf,
    places: placesOf(index, documents),
    considered: placesOf(index, considered),
    statements: statementsOn(index, documents),
  };
}

/** Records that the index found for an occasion, best first. */
interface Found {
  places: Placed[];
  /** Records that change the state of the places, such as marks. */
  statements: Placed[];
  /** The weight of each word of a prompt; empty for files. */
  weights: Map<string, number>;
  /** For a read or an edit, by a record's id: the file that the record is about, and that file's name in the record. */
  hitOf: ReadonlyMap<string, FileHit>;
  /** All records that were ranked: if some are untrusted, the index is queried again without them. */
  considered: Placed[];
}

/**
 * The records that may be injected, read from their files: trusted, about the occasion, neither superseded, retired nor
 * redacted, and not with all cited files gone; also the blobs of untrusted ranked records. Takes one git process.
 */
async function injectable(
  workspace: Workspace,
  { places, statements, weights, hitOf, considered }: Found,
  { injectUnreviewed, most = places.length, reading }: { injectUnreviewed: boolean; most?: number; reading: Reading },
): Promise<{ entries: Recalled[]; untrusted: string[] }> {
  // A hook that runs at every prompt and read has no time to verify signatures or follow files through history.
  const judgement = await judge(workspace, [...places, ...considered], statements, {
    signatures: false,
  });
  const counts = (placed: Placed) => injectUnreviewed || judgement.trust(placed) !== 'unreviewed';
  const untrusted = considered.filter((placed) => !counts(placed));
  const admitted = judgement.distinct(places).filter((placed) => counts(placed) && judgement.admits(placed, {}));
  const bears = readBearing(workspace.checkout.root, reading);
  const pool: WithTrust<StoredRecord>[] = [];
  for (const placed of admitted) {
    if (pool.length >= most) break;
    const here = readable(workspace.stores[placed.entry.store], placed.entry);
    // If the file was edited since the index was updated, its content is no longer what was judged.
    if (here?.blob !== placed.document.blob) continue;
    const judged = { ...here, trust: judgement.trust(placed) };
    const [stored = judged] = injectUnreviewed ? [] : await withReviewedRecord([judged], workspace);
    const isUnknown = stored === judged && judged.trust === 'edited' && !injectUnreviewed;
    if (stored.record.kind !== 'observation' || isUnknown) continue;
    const hit = hitOf.get(stored.record.id);
    if (isIdle(stored.record.title) || (hit !== undefined && !bears(stored.record, hit))) continue;
    pool.push(stored);
  }
  const annotated = await annotate(workspace, pool, judgement.states, { isHook: true });
  const entries = annotated.flatMap(({ record, freshness, missing, state }): Recalled[] => {
    if (record.kind !== 'observation' || freshness === 'gone' || state.redacted) return [];
    const file = hitOf.get(record.id);
    const wasRenamed = file !== undefined && file.cited !== file.path;
    const moved = freshness === 'moved' ? 'file moved' : '';
    const notes = [
      file?.path ?? '',
      wasRenamed ? `was ${file.cited}` : moved,
      missingWords(missing),
      state.disputed ? 'disputed' : '',
    ];
    const telling = textsOf(record).map((text) => tellingSentences(record.title, text).join('\n'));
    return [{ record, snippet: snippetIn(telling, weights), notes: notes.filter(Boolean) }];
  });
  return { entries, untrusted: untrusted.map(({ document }) => document.blob) };
}
