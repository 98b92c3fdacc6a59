import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GitMemError, messageOf } from '../../../errors.ts';
import type { SourceHit } from '../../../exchange/places/reader.ts';
import { goneNote, type Registered } from '../../../exchange/places/registry.ts';
import { searchTogether } from '../../../exchange/places/search.ts';
import { idOf } from '../../../memory/id.ts';
import { PERSONAL } from '../../../memory/store/personal.ts';
import { openProject } from '../../../project.ts';
import type { Placed } from '../../../records/judgement.ts';
import { packageVersion } from '../../../templates.ts';
import type { Environment } from '../../../user-folders.ts';
import { cardsOf, namesIn } from '../cards.ts';
import { type Handlers, type Library, openLibrary } from '../library.ts';
import type { FeedPage, Meta, Repository, SearchAnswer } from '../protocol.ts';
import { filterOf, limitOf, wholeNumberOf } from '../query.ts';
import { listedFrom, type Snapshot } from '../snapshot.ts';
import { answer, type Request } from './answer.ts';
import { countedIn, foundCard, meta, tookOf } from './lists.ts';

/** A library with the label of its records. */
interface NamedLibrary {
  name: string;
  library: Library;
}

type Libraries = Awaited<ReturnType<typeof openLibraries>>;

/** Documents that each cache keeps in memory: a page shows few of each. */
const REMEMBERED = 50;

/** Opens the libraries one after the other; one that cannot be opened is listed with the reason. */
export async function openLibraries(
  registered: Registered[],
  env: Environment,
  { onChange, onError, onProgress }: Handlers & { onProgress: (done: number) => void },
) {
  // That variable moves only one repository's state.
  const elsewhere = { ...env, GIT_MEM_STATE: undefined };
  const opened: NamedLibrary[] = [];
  const problems = new Map<string, string>();
  let done = 0;
  for (const { name, root, checkout } of registered) {
    try {
      if (checkout === undefined) continue;
      const library = await openLibrary(openProject(root, elsewhere), {
        onChange: (change) => onChange({ ...change, repository: name }),
        onError,
        remember: REMEMBERED,
      });
      opened.push({ name, library });
      await library.snapshot();
    } catch (error) {
      problems.set(name, `${name} cannot be read: ${messageOf(error)}`);
    } finally {
      onProgress(++done);
    }
  }

  const repositories = () =>
    registered.map(({ name, root, checkout, file }): Repository => {
      const gone = checkout === undefined || !existsSync(join(root, '.memory'));
      return { name, root, gone, problem: gone ? goneNote({ name, root, file }) : (problems.get(name) ?? null) };
    });
  const open = () => {
    const problemOf = new Map(repositories().map(({ name, problem }) => [name, problem]));
    return opened.filter(({ name }) => problemOf.get(name) === null);
  };
  return {
    /** All by name, including those that cannot be read. */
    repositories,
    /** Those that can be read now: a repository may be removed, or change to a branch without memory, at any time. */
    open,
    /** Throws bad-input for an unknown repository, and for one that cannot be read. */
    named(name: string): Library {
      const found = open().find((one) => one.name === name);
      if (found !== undefined) return found.library;
      const problem = repositories().find((one) => one.name === name)?.problem;
      throw new GitMemError('bad-input', problem ?? `No repository is called "${name.slice(0, 80)}".`);
    },
    async close() {
      for (const { library } of opened) await library.close();
    },
  };
}

/**
 * Answers a request to the viewer of several repositories: `repository` names the one it is about; without it the feed and a
 * search cover all of them. Throws GitMemError.
 */
export async function answerAcross(libraries: Libraries, request: Request, now: Date): Promise<unknown> {
  const { path, query } = request;
  const name = query.get('repository');
  if (path === 'meta') return { ...(await metaOf(libraries, name, now)), repositories: libraries.repositories() };
  if (name !== null) return answer(libraries.named(name), request, now);
  switch (path) {
    case 'feed':
      return feed(libraries, query, now);
    case 'search':
      return searchFor(libraries, query, now);
    default:
      throw new GitMemError('bad-input', 'This page shows one repository.', { hint: 'Choose one.' });
  }
}

/** One that cannot be read has no names and no records. */
async function metaOf(libraries: Libraries, name: string | null, now: Date): Promise<Meta> {
  const open = libraries.open();
  const one = open.find((one) => one.name === name);
  if (one !== undefined) return meta(one.library, now);
  const isKnown = libraries.repositories().some((one) => one.name === name);
  const snapshots = await snapshotsOf(isKnown ? [] : open);
  return {
    repository: isKnown && name !== null ? name : 'All repositories',
    branch: null,
    version: packageVersion(),
    live: true,
    revision: idOf(...snapshots.map(({ snapshot }) => snapshot.revision)),
    ...namesIn(distinct(snapshots.flatMap(({ snapshot }) => countedIn(snapshot)))),
    at: now.toISOString(),
  };
}

/** A page of all records together, newest first. */
async function feed({ open }: Libraries, query: URLSearchParams, now: Date): Promise<FeedPage> {
  const filter = filterOf(query, now);
  const offset = wholeNumberOf(query, 'offset') ?? 0;
  const snapshots = await snapshotsOf(open());
  const ownerOf = new Map<Placed, (typeof snapshots)[number]>();
  for (const one of snapshots) {
    const { workspace } = one.library.project;
    for (const placed of await listedFrom(workspace, one.snapshot, filter)) ownerOf.set(placed, one);
  }
  // A record that the user copied into the personal store is shown where it came from.
  const isPersonal = (placed: Placed) => Number(ownerOf.get(placed)?.name === PERSONAL);
  const all = [...ownerOf.keys()].sort((a, b) => isPersonal(a) - isPersonal(b));
  const firsts = new Set(distinct(all.map(({ document }) => document.card)));
  const places = all.filter(({ document }) => firsts.has(document.card)).sort(newestFirst);
  const shown = places.slice(offset, offset + limitOf(query, 50));
  const cards = await Promise.all(
    snapshots.map(async (one) => {
      const own = shown.filter((placed) => ownerOf.get(placed) === one);
      const { name: repository, library, snapshot } = one;
      return own.length === 0 ? [] : (await cardsOf(library, snapshot, own)).map((card) => ({ ...card, repository }));
    }),
  );
  const byId = new Map(cards.flat().map((card) => [card.id, card]));
  const items = shown.flatMap(({ document }) => byId.get(document.card.id) ?? []);
  const revision = idOf(...snapshots.map(({ snapshot }) => snapshot.revision));
  return { total: places.length, offset, revision, items };
}

async function searchFor({ open }: Libraries, query: URLSearchParams, now: Date): Promise<SearchAnswer> {
  const text = query.get('q') ?? '';
  const sources = open().map(({ name, library: { project, cache, snapshotLately } }) => {
    return { origin: name, workspace: project.workspace, cache, judged: snapshotLately };
  });
  const request = { text, filter: filterOf(query, now), limit: limitOf(query, 20), now };
  const { hits, nearest, ...answered } = await searchTogether(sources, request);
  const found = (hit: SourceHit) => ({ ...foundCard(hit), repository: hit.source.origin ?? '' });
  return { ...tookOf(text, answered), hits: hits.map(found), ...(nearest && { nearest: found(nearest) }) };
}

async function snapshotsOf(open: NamedLibrary[]): Promise<(NamedLibrary & { snapshot: Snapshot })[]> {
  return Promise.all(open.map(async (one) => ({ ...one, snapshot: await one.library.snapshot() })));
}

/** Two clones of one repository have the same records: the first one's are shown. */
function distinct<T extends { id: string }>(cards: T[]): T[] {
  const seen = new Set<string>();
  return cards.filter(({ id }) => !seen.has(id) && seen.add(id));
}

function newestFirst(a: Placed, b: Placed): number {
  const [one, other] = [a.document.card.created, b.document.card.created];
  return Number(one < other) - Number(one > other);
}
