import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { factsOn, keepFacts } from '../../kept/facts.ts';
import { folderStamp } from '../../kept/keep.ts';
import { idInName, latestTime } from '../../memory/file-name.ts';
import { idOf } from '../../memory/id.ts';
import { isRule } from '../../memory/record.ts';
import { MAX_HOOK_BYTES } from '../../memory/size.ts';
import { createFolder } from '../../memory/store/create-folder.ts';
import { greatestFirst } from '../../memory/store/greatest-first.ts';
import { notedLines } from '../../memory/store/lines.ts';
import { decodable, loadable, type Store, type StoredFile } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { filesOf } from './in-time.ts';

// Which observations of the whole store cite a file or replace a record: facts under the path's or the record's key. A folder of records is listed when its times changed, and then only new files are read. The
// lists may be removed at any time. A file that a person edits in place is not read again.

/** Most new files that a session start reads, newest first; the next drain reads the rest. */
const MOST_AT_ONCE = 150;

/** Most citing records per question, newest first: half the store may cite a file such as package.json. */
export const MOST_CITING = 20;

/** Most rules that are read, newest first; fewer have room in a briefing. */
export const MOST_RULES = 60;

/** Most records that replace one of those, newest first: a branch may add any number of them. */
export const MOST_REPLACING = 50;

/** Updates the lists from the files; `most` limits how many are read. */
export function noteCitations(
  workspace: Workspace,
  { most = MOST_AT_ONCE, nowMs = Date.now() }: { most?: number; nowMs?: number } = {},
): void {
  const { stores, at } = workspace;
  if (at !== undefined) return;
  const dir = listsOf(workspace);
  const known = readTimes(dir);
  const times = new Map<string, string>();
  const stated: [string, string][] = [];
  const read: [string, string][] = [];
  let left = most;
  const latest = latestTime(nowMs);
  for (const store of [stores.team, stores.private]) {
    for (const folder of store.folders('observation').sort().reverse()) {
      // A month to come holds nothing that is believed; a branch may add a thousand of them.
      if (folder.slice(-7) > latest) continue;
      const key = `${store.name}/${folder}`;
      // Taken before the names are listed, so that files added in between are found the next time.
      const stamp = folderStamp(store.files.state(folder), nowMs);
      if (stamp !== undefined && known.get(key) === stamp) {
        times.set(key, stamp);
        continue;
      }
      const seen = new Set(factsOn(dir, [seenIn(key)]).map(([, name]) => name));
      const fresh = store.files.names(folder).filter((name) => !seen.has(name) && !name.includes('\n'));
      const some = fresh.sort().reverse().slice(0, left);
      left -= some.length;
      read.push(...some.map((name): [string, string] => [seenIn(key), name]));
      for (const { path, keys } of statedIn(store, folder, some))
        stated.push(...keys.map((one): [string, string] => [idOf(one), `${store.name}/${path}`]));
      if (stamp !== undefined && some.length === fresh.length) times.set(key, stamp);
    }
  }
  const isNews = times.size !== known.size || [...times].some(([key, time]) => known.get(key) !== time);
  if (read.length > 0 || isNews) write(dir, [stated, read], times);
}

/**
 * The newest observations that cite one of the paths, newest first, except those with a known id. `admits`, if given,
 * filters the team's files by their path inside the store.
 */
export function filesCiting(
  workspace: Workspace,
  paths: Iterable<string>,
  { known, admits }: { known: ReadonlySet<string>; admits?: ((path: string) => boolean) | undefined },
): StoredFile[] {
  const names = namesUnder(workspace, [...paths].map(citing));
  for (const [name] of names) if (known.has(idInName(name))) names.delete(name);
  return filesNamed(workspace, newestHere(workspace, names, MOST_CITING, admits));
}

/** The newest rules, except those with a known id: a rule does not grow old. */
export function filesOfRules(
  workspace: Workspace,
  { known, admits }: { known: ReadonlySet<string>; admits?: ((path: string) => boolean) | undefined },
): StoredFile[] {
  const names = namesUnder(workspace, [RULE]);
  for (const [name] of names) if (known.has(idInName(name))) names.delete(name);
  return filesNamed(workspace, newestHere(workspace, names, MOST_RULES, admits));
}

/** The newest observations whose own `supersedes` names one of these records; `admits` as above. */
export function filesReplacing(
  workspace: Workspace,
  ids: Iterable<string>,
  admits?: (path: string) => boolean,
): StoredFile[] {
  const names = namesUnder(workspace, [...ids].map(replacing));
  return filesNamed(workspace, newestHere(workspace, names, MOST_REPLACING, admits));
}

/** The newest of the names that exist in this checkout; names begin with the time, so no file has to be read. */
function newestHere(
  { stores }: Workspace,
  names: ReadonlyMap<string, string>,
  most: number,
  admits: (path: string) => boolean = () => true,
): Map<string, string> {
  const here = new Map<string, string>();
  for (const name of greatestFirst([...names.keys()])) {
    const place = names.get(name) ?? '';
    const isTeam = place.startsWith('team/');
    const path = `${place.slice(place.indexOf('/') + 1)}/${name}`;
    if (isTeam && !admits(path)) continue;
    // Files of other branches are not in this checkout.
    if ((isTeam ? stores.team : stores.private).files.state(path) !== undefined) here.set(name, place);
    if (here.size === most) break;
  }
  return here;
}

const citing = (path: string) => `cites ${path}`;
const RULE = 'rule';
const replacing = (id: string) => `replaces ${id}`;

/** What the records in some files cite and replace, as keys. */
function statedIn(store: Store, folder: string, names: string[]): { path: string; keys: string[] }[] {
  const listing = store.list(['observation'], (one) => (one === folder ? names : []));
  return listing
    .matching(() => true)
    .flatMap((entry) => {
      const file = loadable(store, entry, MAX_HOOK_BYTES);
      const record = file && decodable(file)?.record;
      // Without one, a session start could not choose it.
      if (record?.kind !== 'observation') return [];
      const cited = new Set([...record.files_modified, ...record.files_read]);
      const keys = [...[...cited].map(citing), ...record.supersedes.map(replacing)];
      return [{ path: entry.path, keys: isRule(record) ? [...keys, RULE] : keys }];
    });
}

/** The names of the files listed under some keys, each with its store and folder. */
function namesUnder(workspace: Workspace, keys: string[]): Map<string, string> {
  const facts = factsOn(
    listsOf(workspace),
    keys.map((key) => idOf(key)),
  );
  return new Map(
    facts.map(([, path]) => {
      const cut = path.lastIndexOf('/');
      return [path.slice(cut + 1), path.slice(0, cut)];
    }),
  );
}

function filesNamed({ stores }: Workspace, names: ReadonlyMap<string, string>): StoredFile[] {
  const lists = [stores.team, stores.private].map((store) => {
    const own = new Map<string, string[]>();
    for (const [name, place] of names) {
      const folder = place.startsWith(`${store.name}/`) ? place.slice(store.name.length + 1) : undefined;
      if (folder !== undefined) own.set(folder, [...(own.get(folder) ?? []), name]);
    }
    return { store, listing: store.list(['observation'], (folder) => own.get(folder) ?? []) };
  });
  return filesOf(lists, () => true);
}

function listsOf({ layout, checkout }: Workspace): string {
  return join(layout.state, 'citations', idOf(checkout.root));
}

function seenIn(folder: string): string {
  return idOf('seen', folder);
}

function readTimes(dir: string): Map<string, string> {
  return new Map(
    notedLines(join(dir, 'times')).map((line): [string, string] => {
      const [key = '', time = ''] = line.split('\t');
      return [key, time];
    }),
  );
}

/** Times are written last: noting a file twice is harmless, but one that was not noted would be missed for ever. */
function write(dir: string, facts: readonly [string, string][][], times: ReadonlyMap<string, string>): void {
  if (!facts.every((some) => keepFacts(dir, some))) return;
  try {
    createFolder(dir, 0o700);
    writeFileSync(join(dir, 'times'), [...times].map((pair) => pair.join('\t')).join('\n'), { mode: 0o600 });
  } catch {
    // No space or no permission to write: a session start chooses from the newest alone.
  }
}
