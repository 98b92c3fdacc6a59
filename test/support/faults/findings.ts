import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { parseFileName } from '../../../src/memory/file-name.ts';
import { blobId } from '../../../src/memory/id.ts';
import { decodeFile } from '../../../src/memory/store/source.ts';
import { snapshot } from '../replayed-session.ts';
import { databaseText } from './database-text.ts';
import { KEPT_OUT, type World } from './world.ts';

/** All memory of a world, in both stores: ids with the paths of their files. */
export interface Memory {
  /** `team/ID`, as often as there are files of it. */
  ids: string[];
  /** Files that a reader would stumble over: no record, or left over from writing. */
  half: string[];
  /** Records of the team store that this clone wrote and does not know as its own. */
  strange: string[];
  /** Files of the team store with what the settings keep out. */
  leaks: string[];
}

const RECORD = /^(?:observations|summaries|marks|prompts)\//;

/** Reads the memory as any reader would meet it at this moment. */
export function memoryOf(world: World): Memory {
  const state = join(world.root, '.git/git-mem');
  // Where the state folder may not be entered, state goes to the user's home.
  const homes = join(world.folder, 'home/.local/state/git-mem');
  const states = [state, ...namesIn(homes).map((name) => join(homes, name))];
  const own = new Set(states.flatMap((dir) => snapshot(dir).own?.split('\n') ?? []));
  const memory: Memory = { ids: [], half: [], strange: [], leaks: [] };
  const hidden = states.map((dir) => ['private', join(dir, 'private')] as const);
  for (const [name, dir] of [['team', join(world.root, '.memory')] as const, ...hidden]) {
    for (const [path, text] of Object.entries(snapshot(dir)).filter(([one]) => RECORD.test(one))) {
      const parsed = parseFileName(path.split('/').at(-1) ?? '');
      const [folder = ''] = path.split('/');
      const kind = folder === 'summaries' ? 'summary' : folder.slice(0, -1);
      try {
        if (parsed === undefined || !isKind(kind)) throw new Error('This is no name of a record.');
        const blob = blobId(Buffer.from(text), 'sha1');
        decodeFile({ entry: { store: 'team', kind, path, ...parsed }, blob, text });
        // In the home there may be what the next run writes in its place.
        if (dir.startsWith(world.root) || !memory.ids.includes(`${name}/${parsed.id}`))
          memory.ids.push(`${name}/${parsed.id}`);
        if (name === 'team' && !own.has(blob)) memory.strange.push(path);
        if (name === 'team' && text.includes(KEPT_OUT)) memory.leaks.push(path);
      } catch {
        memory.half.push(`${name}/${path}`);
      }
    }
  }
  memory.ids.sort();
  return memory;
}

/** The names of the events that wait, and of the half ones among them: a host's payload is JSON to its last brace. */
export function eventsOf(world: World): { waiting: string[]; half: string[]; failed: string[] } {
  const spool = join(world.root, '.git/git-mem/spool');
  const half: string[] = [];
  const waiting = namesIn(join(spool, 'new'));
  for (const name of waiting) {
    const text = readFileSync(join(spool, 'new', name), 'utf8');
    try {
      if (!text.startsWith('git-mem-event 1\n')) throw new Error('This is no event.');
      JSON.parse(text.slice(text.indexOf('\n\n') + 2));
    } catch {
      half.push(`spool/new/${name}`);
    }
  }
  return { waiting, half, failed: namesIn(join(spool, 'failed')) };
}

/** Makes it minutes later, for locks that nobody holds any more. */
export function letLocksAge({ root }: World): void {
  const state = join(root, '.git/git-mem');
  const then = Date.now() / 1000 - 600;
  for (const name of ['lock', 'lock.takeover', 'transcripts/lock', 'transcripts/lock.takeover'])
    if (existsSync(join(state, name))) utimesSync(join(state, name), then, then);
}

/**
 * A digest of all files by their contents, without what is random or the time of day in them. Two worlds that look the
 * same need not both be mended.
 */
export function lookOf(world: World): string {
  const { folder } = world;
  const plain = (text: string) =>
    text
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|\d{8}T\d{6}Z|\b\d{13}(?:\.\d+)?\b/g, 'TIME')
      // A file's number, which follows its time or its name.
      .replaceAll(/(TIME |"inode":)\d+/g, '$1INODE')
      .replaceAll(/\b[0-9a-f]{40}\b/g, 'BLOB')
      .replaceAll(/-[0-9a-z]{4}-(?=[0-9a-z]{10}\.md$)/g, '-BLOB-')
      .replaceAll(/\.tmp-[0-9a-f]{12}|[0-9a-zA-Z]{12,16}\.\d+$|^\d+ \d+ \S+ [0-9a-f]{12}$/g, 'RANDOM');
  const files = Object.entries(snapshot(folder)).flatMap(([path, text]): [string, string][] => {
    if (/hook\.log|\.git\/(?:objects|logs)\//.test(path)) return [];
    if (path === 'repository/.git/index') return [[path, stagedIn(world)]];
    const [database] = /^.*\.sqlite(?=(?:-wal|-shm)?$)/.exec(path) ?? [];
    const held = database === undefined ? undefined : databaseText(join(folder, database));
    if (held === undefined) return [[path, text]];
    return path === database ? [[path, held]] : [];
  });
  const all = JSON.stringify(files.map(([path, text]) => [plain(path), plain(text)]).sort());
  return blobId(Buffer.from(all), 'sha1');
}

/** What is committed and staged, without the times of either. */
function stagedIn(world: World): string {
  try {
    return world.git('log', '--all', '--format=%D %s %T') + world.git('ls-files', '--stage');
  } catch {
    return 'unreadable'; // A repository without a commit, or one that a fault left to git.
  }
}

function isKind(kind: string): kind is 'observation' | 'summary' | 'mark' | 'prompt' {
  return ['observation', 'summary', 'mark', 'prompt'].includes(kind);
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
