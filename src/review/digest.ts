import { askGit } from '../git/objects.ts';
import { authorOf } from '../memory/author.ts';
import { isHidden } from '../memory/marks.ts';
import type { Mark, Observation } from '../memory/record.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { isTrusted } from '../provenance/trust.ts';
import { disputesAmong } from '../recall/disputes/dispute.ts';
import type { Annotated } from '../recall/query/annotate.ts';
import { readEverything } from '../recall/query/read.ts';
import { withReverts } from '../recall/query/reverted.ts';
import { titleOf } from './review-item.ts';
import { staleSince } from './stale-since.ts';

/** What the team learned, decided and took back in some days, in the JSON shape of `git mem digest`. */
export interface Digest {
  /** ISO 8601. */
  since: string;
  until: string;
  /** The observations of these days that count. */
  records: number;
  /** Those of these days that nobody reviewed; they are not listed. */
  unreviewed: number;
  /** Without `by` one group without a name. */
  groups: { name: string; sections: DigestSection[] }[];
}

export interface DigestSection {
  key: (typeof SECTIONS)[number][0];
  title: string;
  entries: DigestEntry[];
}

export interface DigestEntry {
  id: string;
  type: string;
  title: string;
  /** Why, in one or two sentences; empty if there is nothing to say. */
  text: string;
  /** The person in whose name it was committed or written; empty if unknown. */
  author: string;
  files: string[];
  created: string;
}

const SECTIONS = [
  ['decisions', 'Decided'],
  ['fixes', 'Fixed'],
  ['learned', 'Found out'],
  ['changes', 'Changed'],
  ['taken_back', 'Taken back'],
  ['stale', 'No longer sure: the code changed'],
  ['disputes', 'In dispute'],
] as const;

/** Longest text of an entry, in characters: two sentences, and no more than a fact may have. */
const LONGEST = 240;

/**
 * Digests the team's memory of some days: what was recorded, what was retired, replaced or reverted, whose code
 * changed, and what is disputed. Only what is reviewed or this clone's own; nothing that is redacted. Reads every
 * record.
 */
export async function digest(
  workspace: Workspace,
  { since, until, by }: { since: string; until: string; by?: 'author' | 'area' | undefined },
): Promise<Digest> {
  const { records } = await readEverything(workspace);
  const team = records.filter(({ entry, state }) => entry.store === 'team' && !state.redacted);
  const trusted = team.filter(({ trust }) => isTrusted(trust));
  const known = await withReverts(workspace, trusted);
  const isWithin = ({ record: { generated } }: Annotated) => generated.at >= since && generated.at <= until;
  const observations = known.filter(isObservation);
  const recent = observations.filter((one) => isWithin(one));
  const isActive = (one: Annotated) => !isHidden(one.state) && one.reverted === undefined;
  const authors = await committersOf(workspace, since);
  const entryOf = (one: Annotated<Observation>, text = causeOf(one.record)): DigestEntry => ({
    id: one.record.id,
    type: one.record.type,
    title: one.record.title,
    text,
    author: authors.get(one.entry.path) ?? (authorOf(one.record) === 'person' ? one.record.generated.name : '') ?? '',
    files: [...one.record.files_modified, ...one.record.files_read],
    created: one.record.generated.at,
  });
  const active = recent.filter(isActive);
  const ofType = (...types: string[]) =>
    active.filter(({ record }) => types.includes(record.type)).map((one) => entryOf(one));
  const named = ['decision', 'bugfix', 'security', 'discovery'];
  const stale = await staleSince(workspace, { active: observations.filter(isActive), recent: active, since });
  const entries: Record<DigestSection['key'], DigestEntry[]> = {
    decisions: ofType('decision'),
    fixes: ofType('bugfix', 'security'),
    learned: ofType('discovery'),
    changes: active.filter(({ record }) => !named.includes(record.type)).map((one) => entryOf(one)),
    taken_back: takenBack(known.filter(isWithin), observations).map(({ one, why }) => entryOf(one, why)),
    stale: stale.map(({ one, files }) => ({ ...entryOf(one, ''), files })),
    disputes: [
      ...observations.filter((one) => one.state.disputed && isActive(one)).map((one) => entryOf(one)),
      ...contradictionsIn(observations.filter(isActive)).map(({ one, why }) => entryOf(one, why)),
    ],
  };
  const unreviewed = team.filter((one) => isObservation(one) && !isTrusted(one.trust) && isWithin(one));
  return { since, until, records: active.length, unreviewed: unreviewed.length, groups: grouped(entries, by) };
}

function isObservation(annotated: Annotated): annotated is Annotated<Observation> {
  return annotated.record.kind === 'observation';
}

/**
 * The later record of each two that contradict each other by their words, with what the earlier one says. Two that
 * marks dispute are listed already.
 */
function contradictionsIn(active: Annotated<Observation>[]): { one: Annotated<Observation>; why: string }[] {
  const byId = new Map(active.map((one) => [one.record.id, one]));
  return disputesAmong(active.map(({ record }) => record)).flatMap(({ ids: [earlier, later], why }) => {
    const one = byId.get(later);
    return one === undefined || (one.state.disputed && byId.get(earlier)?.state.disputed)
      ? []
      : [
          {
            one,
            why: `${why.later === one.record.title ? 'Against' : `"${why.later}" against`} "${why.earlier}" (${earlier}).`,
          },
        ];
  });
}

/** The first sentences of what a record says beyond its title. */
function causeOf({ subtitle, narrative, facts }: Observation): string {
  const whole = (narrative || subtitle || facts[0] || '').replace(/\s+/g, ' ').trim();
  const sentences = whole.split(/(?<=[.!?…])\s/u);
  let text = '';
  for (const sentence of sentences) {
    if (text !== '' && text.length + sentence.length + 1 > LONGEST) break;
    text = text === '' ? sentence : `${text} ${sentence}`;
  }
  const chars = [...text];
  return chars.length > LONGEST ? `${chars.slice(0, LONGEST - 1).join('')}…` : text;
}

/** What these days' marks and records ended, and what was reverted in git; each record once. */
function takenBack(
  recent: Annotated[],
  observations: Annotated<Observation>[],
): { one: Annotated<Observation>; why: string }[] {
  const byId = new Map(observations.map((one) => [one.record.id, one]));
  const found = new Map<string, { one: Annotated<Observation>; why: string }>();
  const add = (id: string, why: string) => {
    const one = byId.get(id);
    // An undone mark ends nothing.
    if (one !== undefined && isHidden(one.state) && !found.has(id)) found.set(id, { one, why });
  };
  for (const { record } of recent) {
    if (record.kind === 'mark' && isEnding(record)) {
      const heir = record.by === undefined ? undefined : byId.get(record.by);
      for (const id of record.targets) add(id, [record.reason, heir && replacedBy(heir)].filter(Boolean).join(' '));
    }
    const own = byId.get(record.id);
    for (const id of own?.record.supersedes ?? []) if (own) add(id, replacedBy(own));
  }
  for (const { record } of recent) {
    const one = byId.get(record.id);
    if (one?.reverted && !found.has(record.id)) {
      found.set(record.id, { one, why: `Reverted by ${one.reverted.commit.slice(0, 8)}.` });
    }
  }
  return [...found.values()];
}

function isEnding({ type }: Mark): boolean {
  return type === 'retire' || type === 'supersede';
}

function replacedBy({ record }: Annotated<Observation>): string {
  return `Now: ${titleOf(record)}`;
}

/** The author of the commit that added each file of the team's store since a time, by path inside the store. */
async function committersOf(workspace: Workspace, since: string): Promise<Map<string, string>> {
  const log = ['log', '--diff-filter=A', '--no-renames', '-z', '--format=%x01%aN', '--name-only', `--since=${since}`];
  const output = await askGit(workspace, [...log, '--', '.memory']);
  const authors = new Map<string, string>();
  for (const commit of (output ?? '').split('\u0001')) {
    const [author = '', ...paths] = commit.split('\0');
    // The first name follows the line end of the format.
    for (const path of paths) authors.set(path.replace(/^\n/, '').replace(/^\.memory\//, ''), author);
  }
  return authors;
}

function grouped(entries: Record<DigestSection['key'], DigestEntry[]>, by: 'author' | 'area' | undefined) {
  const nameOf = (entry: DigestEntry) =>
    by === 'author' ? entry.author || 'unknown' : by === 'area' ? areaOf(entry) : '';
  const names = [...new Set(Object.values(entries).flat().map(nameOf))].sort();
  return names.map((name) => ({
    name,
    sections: SECTIONS.map(([key, title]) => {
      return { key, title, entries: entries[key].filter((entry) => nameOf(entry) === name) };
    }).filter((section) => section.entries.length > 0),
  }));
}

/** The first two folders of the first cited file, of a test only where nothing else is cited. */
function areaOf({ files }: DigestEntry): string {
  const file = files.find((path) => !/(^|\/)(tests?|specs?|__tests__)\//.test(path)) ?? files[0] ?? '';
  const folders = file.split('/').slice(0, -1);
  return folders.slice(0, 2).join('/') || (file === '' ? 'elsewhere' : 'top level');
}
