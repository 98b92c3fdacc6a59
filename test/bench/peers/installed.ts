import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import * as z from 'zod/mini';
import type { Environment } from '../../../src/user-folders.ts';

/** Another memory for agents that is installed here. */
export interface Peer {
  name: string;
  /** What its hooks call CLAUDE_PLUGIN_ROOT. */
  folder: string;
  /** Its commands by event, in their order. */
  hooks: ReadonlyMap<string, string[]>;
}

const hooksSchema = z.object({
  hooks: z.record(z.string(), z.array(z.object({ hooks: z.array(z.object({ command: z.string() })) }))),
});

const NAME = 'claude-mem';
/** Where its worker listens unless told otherwise. */
const WORKER_PORT = 37777;
/** `plugins/cache/OWNER/NAME/VERSION`, `plugins/marketplaces/OWNER/plugin`. */
const DEEPEST = 6;

/** The peers of a home and a PATH, and what was found and cannot be run. */
export function findPeers(env: Environment): { found: Peer[]; left: { place: string; reason: string }[] } {
  const config = env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? '', '.claude');
  const found: Peer[] = [];
  const left: { place: string; reason: string }[] = [];
  for (const folder of pluginFolders(join(config, 'plugins'), DEEPEST)) {
    const hooks = readHooks(join(folder, 'hooks', 'hooks.json'));
    if (hooks === undefined) left.push({ place: folder, reason: 'its hooks.json is not in a known shape' });
    else found.push({ name: NAME, folder, hooks });
  }
  const onPath = (env.PATH ?? '').split(delimiter).find((dir) => dir !== '' && existsSync(join(dir, NAME)));
  if (onPath !== undefined && found.length === 0) {
    left.push({ place: join(onPath, NAME), reason: 'it is on PATH, but without the plugin there are no hooks to run' });
  }
  return { found, left };
}

/** Why a peer's hooks cannot be run without touching what is the user's; undefined where they can. */
export async function whyNotSafe(port = WORKER_PORT): Promise<string | undefined> {
  if (!existsSync('/proc/self/environ')) return 'what it leaves running could not be found and ended on this system';
  if (!(await isListening(port))) return undefined;
  return `something listens on port ${port}: were it its worker, that would take the events for yours. Stop it first`;
}

/** Ends the processes that a run left behind: those whose environment names its scratch folder, and no others. */
export function endScratchProcesses(folder: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      const isOurs = environment.includes(`CLAUDE_MEM_DATA_DIR=${join(folder, 'peer-data')}`);
      if (isOurs) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // Somebody else's process, or it ended just now.
    }
  }
}

function pluginFolders(folder: string, depth: number): string[] {
  if (depth < 0) return [];
  const isPeer = folder.includes(NAME) || folder.includes('thedotmack');
  if (isPeer && existsSync(join(folder, 'hooks', 'hooks.json'))) return [folder];
  return foldersIn(folder).flatMap((name) => pluginFolders(join(folder, name), depth - 1));
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() && entry.name !== 'node_modules').map(({ name }) => name);
  } catch {
    return []; // Not there, or not to be read: no peer is installed there.
  }
}

function readHooks(path: string): Map<string, string[]> | undefined {
  try {
    const { hooks } = hooksSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    const commands = (groups: (typeof hooks)[string]) =>
      groups.flatMap((group) => group.hooks.map((one) => one.command));
    return new Map(Object.entries(hooks).map(([event, groups]) => [event, commands(groups)]));
  } catch {
    return undefined; // The report says so.
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ host: '127.0.0.1', port });
    const end = (answer: boolean) => {
      socket.destroy();
      done(answer);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}
