import { existsSync, lstatSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { reviewedBranch } from '../../git/default-branch.ts';
import { type Checkout, locate } from '../../git/locate.ts';
import { runGit } from '../../git/objects.ts';
import { below } from '../../git/paths.ts';
import { headMoves, isMadeHere } from '../../git/reflog.ts';
import { type Workspace, workspaceOf } from '../../memory/store/workspace.ts';
import { findSuspicious } from '../../privacy/suspicious.ts';
import { type AgentEvent, isChange, type ToolCall } from '../agents/event.ts';
import { isReader, partsOfLine, SEARCHES } from '../agents/shell-reads.ts';
import { readSession } from './session-state.ts';
import { newestEvents } from './waiting-events.ts';

/** An event with the root of the worktree in which it happened. */
interface Seen {
  event: AgentEvent;
  root: string;
}

/** Long turns of a running session are read whole before a record is saved: saves are rare, and nobody waits for more. */
const MOST = { events: 5000, bytes: 100_000_000 };

/** What the turn that a session runs now has taken in so far; nothing of a turn that no hook reported. */
export async function inputsOfRunningTurn(workspace: Workspace, session: string | undefined): Promise<string[]> {
  if (session === undefined) return [];
  const { state, otherStates } = workspace.layout;
  const events: Seen[] = [];
  for (const seen of newestEvents([state, ...otherStates], session, MOST)) {
    events.unshift(seen);
    if (seen.event.kind === 'prompt' && seen.event.from === 'user') break;
  }
  return inputsOf(workspace, events, readSession(state, session)?.files_modified);
}

/**
 * What the calls of a turn took in that neither the user nor the reviewed branch says, in order: `web`, `mcp:NAME`,
 * `outside` (a file outside of this repository, or one that the reviewed branch does not have and that neither this
 * session nor a commit of this clone made). What cannot be told by the call alone is left out. `written`: paths in the
 * repository that the session wrote in earlier turns. At most three git children a worktree.
 */
export async function inputsOf(
  workspace: Workspace,
  events: readonly Seen[],
  written: readonly string[] = [],
): Promise<string[]> {
  const found = new Set<string>();
  /** By worktree, the paths in it whose text was read; `.` stands for its code, which a command ran. */
  const asked = new Map<string, Set<string>>();
  const own = new Set(written.map((path) => resolve(workspace.checkout.root, path)));
  for (const { event, root } of events) {
    if (event.kind !== 'tool') continue;
    const { call } = event;
    const server = serverOf(call);
    if (server !== undefined) found.add(`mcp:${server}`);
    else if (isWeb(call)) found.add('web');
    const cwd = event.cwd || root;
    if (isChange(call)) for (const path of call.paths) own.add(resolve(cwd, path));
    for (const path of filesWritten(call)) own.add(resolve(cwd, path));
    if (speaksToModels(call)) found.add('outside');
    for (const { path, isRun } of placesUsed(call, cwd, workspace.env.HOME)) {
      if (own.has(path) || /^\/(?:dev\/(?:null|std|fd|tty)|proc\/|sys\/)|\/\.git(?:\/|$)/.test(path)) continue;
      const place = placeOf(path, { root, commonDir: workspace.checkout.commonDir });
      if (place !== undefined)
        asked.set(place.root, (asked.get(place.root) ?? new Set()).add(isRun ? '.' : place.path));
      else if (!isRun) found.add('outside');
    }
  }
  for (const [root, paths] of found.has('outside') ? [] : asked) {
    if (await hasForeign(root, [...paths], workspace)) found.add('outside');
  }
  return [...found].sort();
}

const WEB_TOOL = /^(?:web_?(?:fetch|search)|google_web_search|fetch_(?:url|webpage|web_content)|fetchurl)$/i;

/** Programs that print or write what they download, but for what they do on this machine and without a word. */
const DOWNLOADS = /^(?:\S*\/)?(?:curl|wget|https?|xh|lynx|w3m|gh|glab|(?:npm|pnpm|yarn) (?:view|info|show|search))\b/;
const LOCAL =
  /\b(?:localhost|127\.0\.0\.1)(?=[:/\s'"]|$)|^(?:\S*\/)?(?:gh|glab) (?:auth|config|\S+ (?:create|merge|close))\b/;

function isWeb({ action, tool, command }: ToolCall): boolean {
  return action === 'fetch' || WEB_TOOL.test(tool) || partsOfLine(command ?? '').some(isDownload);
}

function isDownload(part: string): boolean {
  return DOWNLOADS.test(part) && !LOCAL.test(part);
}

/** The MCP server behind a call, also by the name of its tool; undefined for ours, and for other tools. */
function serverOf({ action, tool, server }: ToolCall): string | undefined {
  if (action !== 'other') return undefined;
  const named = server ?? /^mcp__(.+?)__|^([\w.-]+?)___|^mcp_([^_]+)_/.exec(tool)?.slice(1).find(Boolean);
  const isOurs = OWN_SERVER.test(named ?? '') || (server === tool && OWN_TOOL.test(tool));
  return named === undefined || isOurs ? undefined : named.toLowerCase();
}

const OWN_SERVER = /git-?mem/i;
const OWN_TOOL = /^(?:search|timeline|get_observations|save_observation|save_summary|mark)$/;

/** Programs that say nothing of their own, or only what git has. */
const QUIET = /^(?:git|cd|echo|printf|ls|pwd|mkdir|rm|mv|cp|touch|true|which|test|\[|git-mem|export|set|sleep|kill)\b/;

/** Tells whether a part of a shell line runs code, of which nobody knows from where it has its words. */
function runsCode(part: string): boolean {
  return !QUIET.test(part) && !isReader(part) && !isDownload(part);
}

/** Tells whether what a command printed is written for models, as no test and no compiler does. */
function speaksToModels({ command = '', output }: ToolCall): boolean {
  const codes = partsOfLine(command).some(runsCode) ? findSuspicious(output).map(({ code }) => code) : [];
  return codes.includes('instruction') || codes.includes('secrecy');
}

/** The files that a shell line writes of what it prints; a download is none of the session's own. */
function filesWritten({ command = '' }: ToolCall): string[] {
  if (partsOfLine(command).some(isDownload)) return [];
  return [...command.slice(0, 4000).matchAll(/(?:>{1,2}|\btee(?: -a)?)\s{0,4}["']?([\w./~-]+)/g)].flatMap(
    ([, path]) => path ?? [],
  );
}

/** The files whose text a call showed, and the folders in which it ran code; absolute. */
function placesUsed(
  { action, paths, command = '', ok }: ToolCall,
  cwd: string,
  home = '/',
): { path: string; isRun?: true }[] {
  if (action === 'read' && ok === false) return [];
  if (action === 'read' || action === 'search')
    return (paths.length > 0 ? paths : ['.']).map((path) => ({ path: resolve(cwd, path) }));
  if (action !== 'command') return [];
  const found: { path: string; isRun?: true }[] = [];
  let folder = cwd;
  const at = (word: string) => resolve(folder, word.replace(/^(?:~|\$HOME)(?=\/|$)/, home));
  for (const part of partsOfLine(command)) {
    const [, ...words] = part.split(/\s+/u).map((word) => word.replace(/^['"]|['"]$/gu, ''));
    if (part.startsWith('cd ')) folder = at(words[0] ?? '.');
    else if (runsCode(part)) found.push({ path: folder, isRun: true });
    else if (isReader(part)) {
      const named = words.filter((word) => word !== '' && !word.startsWith('-'));
      const isFile = (word: string) => existsSync(at(word)) || (ok !== false && /^(?:~|\$HOME|\.\.)?\/\S/.test(word));
      for (const word of SEARCHES.test(part) ? named.slice(1) : named) if (isFile(word)) found.push({ path: at(word) });
    }
  }
  return found;
}

/** The worktree of this clone that holds a path; undefined for a path outside of all. */
function placeOf(path: string, here: { root: string; commonDir: string }): { root: string; path: string } | undefined {
  const inside = below(here.root, path);
  const folder = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ? path : dirname(path);
  const around: Checkout | undefined = existsSync(folder) ? locate(folder) : undefined;
  if (around?.root === here.root || (around === undefined && inside !== undefined)) {
    return { root: here.root, path: inside ?? '.' };
  }
  if (around?.commonDir !== here.commonDir) return undefined;
  return { root: around.root, path: below(around.root, path) ?? '.' };
}

/** Tells whether one of these paths holds what neither the reviewed branch nor this clone committed. */
async function hasForeign(root: string, paths: string[], { env }: Workspace): Promise<boolean> {
  const checkout = locate(root);
  if (checkout === undefined) return false;
  const { ref } = reviewedBranch(workspaceOf(checkout, env));
  let unknown = paths.filter((path) => path !== '.');
  for (const tree of ref === undefined ? ['HEAD'] : ['HEAD', ref]) {
    if (unknown.length === 0) break;
    const tracked = await runGit(root, ['ls-tree', '-z', '--name-only', tree, '--', ...unknown], env);
    // Where git does not answer, nothing is known.
    if (tracked === undefined) return false;
    const known = new Set(tracked.split('\0'));
    unknown = unknown.filter((path) => !known.has(path));
  }
  if (unknown.length > 0) return true;
  if (ref === undefined) return false;
  const log = await runGit(root, ['--literal-pathspecs', 'rev-list', `${ref}..HEAD`, '--', ...paths], env);
  const made = new Set(headMoves(checkout).flatMap((move) => (isMadeHere(move) ? move.to : [])));
  return log?.split('\n').some((commit) => commit !== '' && !made.has(commit)) ?? false;
}
