import { setTimeout } from 'node:timers/promises';
import { agentBehindCall } from '../../../capture/by-hand/saving-agent.ts';
import { GitMemError } from '../../../errors.ts';
import {
  labelled,
  nameIn,
  openPlaces,
  readNamed,
  type SourceHit,
  sourceFolders,
} from '../../../exchange/places/reader.ts';
import { searchSources } from '../../../exchange/places/search.ts';
import { noteWhole } from '../../../inject/prompt/injected.ts';
import { isId } from '../../../memory/id.ts';
import { MAX_SCANNED_TEXT } from '../../../memory/size.ts';
import { originOf } from '../../../provenance/why.ts';
import { foldersOf, viewOf } from '../../../records/view.ts';
import { readDate } from '../../../search/dates.ts';
import { EMPTY, unheldWords } from '../../../search/query.ts';
import { type CommitRequest, searchCommits } from '../../../search/search-commits.ts';
import { type Anchor, isSessionLike, timeline } from '../../../search/timeline.ts';
import { type Call, hitOf, lineOf, warningOf, wholeText } from '../answer.ts';
import { type Arguments, filterOf } from '../arguments.ts';
import type { Repository } from '../repositories.ts';

/** Default number of hits: each costs the agent a line, and an agent that needs more asks in other words. */
const LIMIT = 10;

/** Step one: hits, one line each with the sentence that answers best. */
export async function searchRecords(repository: Repository, given: Arguments<'search'>, { now }: Call) {
  const { workspace } = repository.project;
  const { query = '', limit = LIMIT, scope = 'here' } = given;
  const filter = filterOf(given, { root: workspace.checkout.root, now });
  const request = { text: query, filter, limit, now, embedder: await repository.project.embedder() };
  const others = scope === 'here' ? undefined : openPlaces(workspace.env, repository.others, { besides: workspace });
  const own = { workspace, cache: repository.cache };
  const commits = await commitsFor(repository, { ...request, in: given.in ?? 'all' });
  const answered = await searchSources(own, others?.sources ?? [], request);
  const { nearest, tookMs, meaning, unheld, isEmpty } =
    commits.hits.length > 0 ? { ...answered, nearest: undefined, unheld: undefined, isEmpty: false } : answered;
  const hits = given.in === 'history' ? [] : answered.hits;
  const total = commits.total + (given.in === 'history' ? 0 : answered.total);
  const lineIn = ({ annotated, source }: SourceHit) => labelled(lineOf(annotated), source);
  const lines = hits.flatMap((hit) => [lineIn(hit), ...(hit.snippet ? [`  ${hit.snippet}`] : [])]);
  for (const { id, created, title, snippet } of commits.hits)
    lines.push(`${id.slice(0, 8)} ${created.slice(0, 10)} commit: ${title}`, ...(snippet ? [`  ${snippet}`] : []));
  const rest = total - hits.length - commits.hits.length;
  if (isEmpty) lines.push(EMPTY);
  else if (unheld) lines.push(`Nothing found: ${unheldWords(unheld)}`);
  else if (total === 0) lines.push('Nothing found.');
  else if (rest > 0) lines.push(`${rest} more: ask more narrowly, or give a higher limit.`);
  if (nearest) lines.push(`${lines.pop()} Nearest: ${lineIn(nearest)}`);
  if (meaning?.note) lines.push(meaning.note);
  lines.push(...(others?.notes ?? []));
  const json = ({ annotated, score, snippet, source }: SourceHit) => ({
    ...hitOf(annotated, sourceFolders(source)),
    ...repositoryOf(source),
    score: Math.round(score * 1000) / 1000,
    snippet,
  });
  return {
    text: [...lines, warningOf([...hits, ...(nearest ? [nearest] : [])].map(({ annotated }) => annotated))]
      .filter(Boolean)
      .join('\n'),
    data: {
      query,
      took_ms: Math.round(tookMs),
      total,
      ...meaning,
      hits: [...hits.map(json), ...commits.hits],
      ...(nearest && { nearest: json(nearest) }),
    },
  };
}

function repositoryOf({ origin }: { origin?: string }): { repository?: string } {
  return origin === undefined ? {} : { repository: origin };
}

/** How long an answer waits for commits, in milliseconds: a long history is then read on, for the next question. */
const PATIENCE_MS = 2_000;

const readings = new Map<string, Promise<unknown>>();

async function commitsFor({ project }: Repository, request: CommitRequest): ReturnType<typeof searchCommits> {
  const { workspace } = project;
  const { root } = workspace.checkout;
  const none = { total: 0, hits: [] };
  if (readings.has(root)) return none;
  const reading = searchCommits(workspace, request, { cleaner: () => project.cleaner(MAX_SCANNED_TEXT) })
    // Records are the answer; `git mem search` says what is wrong with the history.
    .catch(() => none)
    .finally(() => readings.delete(root));
  readings.set(root, reading);
  return Promise.race([reading, setTimeout(PATIENCE_MS, none, { ref: false })]);
}

/** Default number of records on either side: each costs the agent a line, together as many as a search's. */
const AROUND = 5;

/** Characters of a record's id; anything longer may be a session id. */
const FULL_ID = 10;

/** Step two: records before and after a record, a date or the best hit of a query, one line each. */
export async function showTimeline(repository: Repository, given: Arguments<'timeline'>, { now }: Call) {
  const { workspace } = repository.project;
  const { before = AROUND, after = AROUND } = given;
  const found = await timeline(workspace, repository.cache, anchorOf(given, now), { before, after });
  const { anchor } = found;
  // The anchor itself is included whatever its state; a redacted one has no text to show.
  const items = found.items.filter(({ state }) => !state.redacted);
  const lines = items.map((item) => `${item.record.id === anchor ? '> ' : '  '}${lineOf(item)}`);
  if (items.length === 0) lines.push('Nothing happened around that time.');
  return {
    text: [...lines, warningOf(items)].filter(Boolean).join('\n'),
    data: { anchor: anchor ?? null, items: items.map((item) => hitOf(item, foldersOf(workspace))) },
  };
}

function anchorOf({ anchor, query }: Arguments<'timeline'>, now: Date): Anchor {
  if (anchor !== undefined) {
    const at = isId(anchor.trim()) ? undefined : readDate(anchor, 'start', now);
    if (at !== undefined) return { at };
    const text = anchor.trim();
    return !isId(text) && isSessionLike(text) && text.length > FULL_ID ? { session: text } : { id: text };
  }
  if (query !== undefined) return { query };
  throw new GitMemError('bad-input', 'timeline needs a centre.', {
    hint: 'Give `anchor` (an id of a hit, a date, or the id of a session) or `query`.',
  });
}

/** How many records are looked up in the history for a revert: a few git children each. */
const MOST_REVERTS = 10;

/** Step three: whole records; `NAME:ID` names one of another repository. A redacted one is named but not shown. */
export async function getObservations(
  { project: { workspace }, cache, others }: Repository,
  { ids }: Arguments<'get_observations'>,
  { caller }: Call,
) {
  const names = new Set(ids.flatMap((id) => nameIn(id) ?? []));
  const isWanted = (name: string) => names.has(name);
  const { sources, known } = openPlaces(workspace.env, others, { besides: workspace, isWanted });
  const { found, missing } = await readNamed({ workspace, cache }, sources, ids);
  const shown = found.filter(({ annotated }) => !annotated.state.redacted);
  const redacted = found
    .filter(({ annotated }) => annotated.state.redacted)
    .map(({ annotated, source }) => labelled(annotated.record.id, source));
  const own = shown.filter(({ source }) => source.origin === undefined).map(({ annotated }) => annotated.record.id);
  if (own.length > 0) noteWhole(workspace.layout.state, agentBehindCall(workspace, caller).session, own);
  // An agent that relies on a record has to know that its change was taken back.
  const reverts = await Promise.all(
    shown.map(async ({ annotated, source }, i) =>
      source.origin === undefined && i < MOST_REVERTS ? (await originOf(workspace, annotated)).reverted_by : undefined,
    ),
  );
  const records = shown.map(({ annotated, source }, i) => ({
    ...viewOf(annotated, sourceFolders(source)),
    ...repositoryOf(source),
    ...(reverts[i] && { reverted_by: { commit: reverts[i].commit, subject: reverts[i].subject } }),
  }));
  const unknown = [...names].filter((name) => !known.includes(name));
  const texts = [
    warningOf(shown.map(({ annotated }) => annotated)),
    ...shown.map(({ annotated }, i) => wholeText(annotated, records[i]?.path ?? '', reverts[i])),
    missing.length > 0 && `No such record: ${missing.join(', ')}. search gives ids.`,
    ...unknown.map((name) => `No repository is called ${name}: search with the scope all gives names.`),
    redacted.length > 0 && `Redacted, not to be shown: ${redacted.join(', ')}.`,
  ];
  return { text: texts.filter(Boolean).join('\n\n'), data: { records, missing: [...missing, ...redacted] } };
}
