import { citesFile } from '../memory/glob.ts';
import type { Kind, StoreName } from '../memory/record.ts';
import { isSessionDigest } from '../memory/session-digest.ts';
import type { Freshness, Trust } from '../provenance/levels.ts';

/** Which records are wanted, by the names that options, arguments and addresses use; missing means everything. */
export interface Filter {
  kind?: Kind[] | undefined;
  type?: string[] | undefined;
  concept?: string[] | undefined;
  /** Files, folders or globs. */
  file?: string[] | undefined;
  branch?: string | undefined;
  /** A prefix of the id is enough. */
  session?: string | undefined;
  /** Both ends included: ISO 8601, and in addresses what `--since` and `--until` accept. */
  since?: string | undefined;
  until?: string | undefined;
  store?: StoreName | undefined;
  /** Computed, like freshness: the index knows neither. */
  trust?: Trust | undefined;
  freshness?: Freshness | undefined;
  /** Include superseded, retired and redacted records. */
  all?: boolean | undefined;
}

/** The filter within an object that may hold more; without conditions it has no keys. */
export function filterFrom(given: Filter): Filter {
  const filter: Filter = {};
  for (const name of NAMES) if (given[name]) Object.assign(filter, { [name]: given[name] });
  return filter;
}

const NAMES = [
  ...(['kind', 'type', 'concept', 'file', 'branch', 'session'] as const),
  ...(['since', 'until', 'store', 'trust', 'freshness', 'all'] as const),
];

/** The filterable fields of a record in an index or a page. */
interface Filed {
  store: StoreName;
  card: {
    kind: Kind;
    type: string;
    created: string;
    session?: string | null;
    branch?: string | null;
    concepts: string[];
    files: string[];
  };
}

/**
 * The part of a filter that the index can decide; state and trust are computed later, from marks and from git. `nowOf`
 * returns the current name of a renamed file: a record of it is found by either name. Digests of sessions pass only if
 * asked for.
 */
export function cardFilter(
  filter: Filter,
  nowOf?: (path: string) => string | undefined,
  { withDigests = filter.type?.includes('digest') ?? false } = {},
): (filed: Filed) => boolean {
  const kinds = filter.kind ?? ['observation', 'summary'];
  const { type: types, concept: concepts, file: files } = filter;
  return ({ card, store }) => {
    if (!kinds.includes(card.kind) || (isSessionDigest(card) && !withDigests)) return false;
    if (filter.store && store !== filter.store) return false;
    if (filter.branch && card.branch !== filter.branch) return false;
    if (filter.session && !card.session?.startsWith(filter.session)) return false;
    if (filter.since && card.created < filter.since) return false;
    if (filter.until && card.created > filter.until) return false;
    if (types && !types.includes(card.type)) return false;
    if (concepts && !concepts.some((concept) => card.concepts.includes(concept))) return false;
    if (!files) return true;
    const isMeant = (path?: string) => path !== undefined && files.some((file) => citesFile(path, file));
    return card.files.some((path) => isMeant(path) || isMeant(nowOf?.(path)));
  };
}

/** Like `cardFilter`, for judged records. */
export function judgedFilter(
  filter: Filter,
  nowOf?: (path: string) => string | undefined,
): (judged: Filed & { isHidden: boolean; trust: Trust; freshness: Freshness }) => boolean {
  const fits = cardFilter(filter, nowOf);
  return (judged) => {
    if (!filter.all && judged.isHidden) return false;
    if (filter.trust && judged.trust !== filter.trust) return false;
    if (filter.freshness && judged.freshness !== filter.freshness) return false;
    return fits(judged);
  };
}
