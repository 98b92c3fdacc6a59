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
import { decodable, type Entry, entryAt, loadable, type StoredFile } from '../../memory/store/source.ts';
import type { Store } from '../../memory/store/store.ts';
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
      for (const name of some) {
        read.push([seenIn(key), name]);
        for (const one of keysIn(store, `${folder}/${name}`)) stated.push([idOf(one), `${key}/${name}`]);
      }
      if (stamp !== undefined && some.length === fresh.length) times.set(key, stamp);
    }
  }
  const isNews = times.size !== known.size || [...times].some(([key, time]) => known.get(key) !== time);
  if (read.length > 0 || isNews) write(dir, [stated, read], times);
}

/** Which of the listed files are left out: those with a known id, and the team's that are not admitted by their path. */
interface Among {
  known?: ReadonlySet<string>;
  admits?: ((path: string) => boolean) | undefined;
}

/** The newest observations that cite one of the paths. */
export function filesCiting(workspace: Workspace, paths: Iterable<string>, among: Among): StoredFile[] {
  return newestUnder(workspace, [...paths].map(citing), MOST_CITING, among);
}

/** The newest rules: a rule does not grow old. */
export function filesOfRules(workspace: Workspace, among: Among): StoredFile[] {
  return newestUnder(workspace, [RULE], MOST_RULES, among);
}

/** The newest observations whose own `supersedes` names one of these records. */
export function filesReplacing(workspace: Workspace, ids: Iterable<string>, among: Among = {}): StoredFile[] {
  return newestUnder(workspace, [...ids].map(replacing), MOST_REPLACING, among);
}

/** The newest files of this checkout that are listed under some keys; no other has to be read. */
function newestUnder(
  workspace: Workspace,
  keys: string[],
  most: number,
  { known, admits = () => true }: Among,
): StoredFile[] {
  const { team, private: own } = workspace.stores;
  const ids = keys.map((key) => idOf(key));
  const facts = factsOn(listsOf(workspace), ids);
  // Names begin with the time.
  const places = new Map(facts.map(([, place]) => [place.slice(place.lastIndexOf('/') + 1), place]));
  const found: { team: Entry[]; private: Entry[] } = { team: [], private: [] };
  for (const name of greatestFirst([...places.keys()])) {
    const place = places.get(name) ?? '';
    const store = place.startsWith('team/') ? team : own;
    const path = place.slice(store.name.length + 1);
    if (known?.has(idInName(name)) || (store === team && !admits(path))) continue;
    // Files of other branches are not in this checkout.
    const entry = store.files.state(path) && entryAt(store.name, path);
    if (entry) found[store.name].push(entry);
    if (found.team.length + found.private.length === most) break;
  }
  return [...filesOf(team, found.team), ...filesOf(own, found.private)];
}

const citing = (path: string) => `cites ${path}`;
const RULE = 'rule';
const replacing = (id: string) => `replaces ${id}`;

/** What the record in a file cites and replaces, as keys; nothing without a record, which a start could not choose. */
function keysIn(store: Store, path: string): string[] {
  const entry = entryAt(store.name, path);
  const file = entry && loadable(store, entry, MAX_HOOK_BYTES);
  const record = file && decodable(file)?.record;
  if (record?.kind !== 'observation') return [];
  const cited = new Set([...record.files_modified, ...record.files_read]);
  const keys = [...[...cited].map(citing), ...record.supersedes.map(replacing)];
  return isRule(record) ? [...keys, RULE] : keys;
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
