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

// Lists which observations of the whole store cite a file, replace a record or are rules, as facts under keys made from
// the path or the record's id. A folder of records is listed only if its times changed, and then only new files are
// read: a file that a person edits in place is not read again. The lists may be removed at any time.

/** Most new files that a session start reads, newest first; the next drain reads the rest. */
const MOST_AT_ONCE = 150;

/** Most citing records read per question, newest first: half the store may cite a file such as package.json. */
export const MOST_CITING = 20;

/** Most rules that are read, newest first: more than a briefing has room for. */
export const MOST_RULES = 60;

/** Most replacing records that are read, newest first: a branch may add any number of them. */
export const MOST_REPLACING = 50;

/** Updates the lists from the files, of which it reads at most `most`. Never fails for lack of space or permission. */
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
      // Records from future months are not believed, and a branch may add a thousand such months.
      if (folder.slice(-7) > latest) continue;
      const key = `${store.name}/${folder}`;
      // Taken before the names are listed, so that files added in between are found next time.
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

/** Listed files to leave out: those with a `known` id, and those of the team's store whose path `admits` rejects. */
interface Among {
  known?: ReadonlySet<string>;
  admits?: ((path: string) => boolean) | undefined;
}

/** The newest observations that cite one of the paths. */
export function filesCiting(workspace: Workspace, paths: Iterable<string>, among: Among): StoredFile[] {
  return newestUnder(workspace, [...paths].map(citing), MOST_CITING, among);
}

/** The newest rules of the whole store: rules do not become outdated with age. */
export function filesOfRules(workspace: Workspace, among: Among): StoredFile[] {
  return newestUnder(workspace, [RULE], MOST_RULES, among);
}

/** The newest observations whose own `supersedes` names one of these records. */
export function filesReplacing(workspace: Workspace, ids: Iterable<string>, among: Among = {}): StoredFile[] {
  return newestUnder(workspace, [...ids].map(replacing), MOST_REPLACING, among);
}

/** The `most` newest files in this checkout that are listed under these keys; no others are read. */
function newestUnder(
  workspace: Workspace,
  keys: string[],
  most: number,
  { known, admits = () => true }: Among,
): StoredFile[] {
  const { team, private: own } = workspace.stores;
  const ids = keys.map((key) => idOf(key));
  const facts = factsOn(listsOf(workspace), ids);
  // By name, because names begin with the time.
  const places = new Map(facts.map(([, place]) => [place.slice(place.lastIndexOf('/') + 1), place]));
  const found: { team: Entry[]; private: Entry[] } = { team: [], private: [] };
  for (const name of greatestFirst([...places.keys()])) {
    const place = places.get(name) ?? '';
    const store = place.startsWith('team/') ? team : own;
    const path = place.slice(store.name.length + 1);
    if (known?.has(idInName(name)) || (store === team && !admits(path))) continue;
    // The lists also have files of other branches, which this checkout lacks.
    const entry = store.files.state(path) && entryAt(store.name, path);
    if (entry) found[store.name].push(entry);
    if (found.team.length + found.private.length === most) break;
  }
  return [...filesOf(team, found.team), ...filesOf(own, found.private)];
}

const citing = (path: string) => `cites ${path}`;
const RULE = 'rule';
const replacing = (id: string) => `replaces ${id}`;

/** The keys for what a file's observation cites, replaces and is (a rule); none if a session start cannot read it. */
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

/** Times are written last: noting a file twice is harmless, but a file that was never noted would be missed forever. */
function write(dir: string, facts: readonly [string, string][][], times: ReadonlyMap<string, string>): void {
  if (!facts.every((some) => keepFacts(dir, some))) return;
  try {
    createFolder(dir, 0o700);
    writeFileSync(join(dir, 'times'), [...times].map((pair) => pair.join('\t')).join('\n'), { mode: 0o600 });
  } catch {
    // No space or no permission to write: the folders are listed again next time.
  }
}
