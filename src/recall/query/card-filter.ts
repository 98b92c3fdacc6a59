import { citesFile } from '../../memory/file-match.ts';
import type { Kind, StoreName } from '../../memory/record.ts';
import type { Freshness, Trust } from '../../provenance/levels.ts';

/** Filters records by the fields that an index has; missing means everything. */
export interface CardFilter {
  kinds?: Kind[];
  types?: string[];
  concepts?: string[];
  files?: string[];
  branch?: string;
  session?: string;
  store?: StoreName;
  /** ISO 8601, both ends included. */
  since?: string;
  until?: string;
}

/** Filters records by computed properties too. */
export interface Filter extends CardFilter {
  trust?: Trust;
  freshness?: Freshness;
  /** Include superseded, retired and redacted records. */
  all?: boolean;
}

/** The parts of a filter by the names that options, arguments and addresses give them; missing means everything. */
export interface Filters {
  kind?: Kind[] | undefined;
  type?: string[] | undefined;
  concept?: string[] | undefined;
  /** Files, folders or globs. */
  file?: string[] | undefined;
  branch?: string | undefined;
  /** A prefix of its id is enough. */
  session?: string | undefined;
  /** In the form that `--since` and `--until` accept; ISO 8601 for `filterFrom`. */
  since?: string | undefined;
  until?: string | undefined;
  store?: StoreName | undefined;
  trust?: Trust | undefined;
  freshness?: Freshness | undefined;
  /** Include superseded, retired and redacted records. */
  all?: boolean | undefined;
}

/** The filter of these parts; without any it has no keys. */
export function filterFrom({ kind, type, concept, file, ...same }: Filters): Filter {
  const { branch, session, since, until, store, trust, freshness, all } = same;
  return {
    ...(kind && { kinds: kind }),
    ...(type && { types: type }),
    ...(concept && { concepts: concept }),
    ...(file && { files: file }),
    ...(branch && { branch }),
    ...(session && { session }),
    ...(since && { since }),
    ...(until && { until }),
    ...(store && { store }),
    ...(trust && { trust }),
    ...(freshness && { freshness }),
    ...(all && { all }),
  };
}

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
 * returns the current name of a renamed file: a record of it is found by either name.
 */
export function cardFilter(
  filter: CardFilter,
  nowOf?: (path: string) => string | undefined,
): (filed: Filed) => boolean {
  const kinds = filter.kinds ?? ['observation', 'summary'];
  const { types, concepts, files } = filter;
  return ({ card, store }) => {
    if (!kinds.includes(card.kind)) return false;
    if (filter.store && store !== filter.store) return false;
    if (filter.branch && card.branch !== filter.branch) return false;
    if (filter.session && !card.session?.startsWith(filter.session)) return false;
    if (filter.since && card.created < filter.since) return false;
    if (filter.until && card.created > filter.until) return false;
    if (types && !types.includes(card.type)) return false;
    if (concepts && !concepts.some((concept) => card.concepts.includes(concept))) return false;
    return !files || card.files.some((path) => isAnyOf(path, files, nowOf));
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

/** Tells whether a cited path, or its file's current name, is one of those given to `--file`. */
function isAnyOf(path: string, files: string[], nowOf?: (path: string) => string | undefined): boolean {
  if (files.some((file) => citesFile(path, file))) return true;
  const now = nowOf?.(path);
  return now !== undefined && files.some((file) => citesFile(now, file));
}
