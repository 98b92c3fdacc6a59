import { existsSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { below } from '../../git/paths.ts';
import { keptFolder } from '../../kept/facts.ts';
import { FOLDERS, idInName } from '../../memory/file-name.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { findSuspicious } from '../../privacy/suspicious.ts';
import { reviewedTrees } from '../../provenance/trust.ts';
import { type AgentEvent, isChange, type ToolCall } from '../agents/event.ts';
import { allPartsOfLine, isReader, revisionsShown, SEARCHES } from '../agents/shell-reads.ts';
import { hasForeign, type Looked, placeOf } from './foreign-files.ts';
import { readSession } from './session-state.ts';
import { newestEvents } from './waiting-events.ts';

/** An event with the root of the worktree in which it happened. */
interface Seen {
  event: AgentEvent;
  root: string;
  /** ISO 8601, UTC. */
  at: string;
}

/** Saves are rare, so all that a session still has in the spool is read first, up to these limits. */
const MOST = { events: 5000, bytes: 100_000_000 };

/**
 * What an agent's session has taken in so far, as hooks reported it: what an earlier turn read is still in its context. For an
 * agent whose session is not known, what any session running here took in; for a person (undefined), nothing. `given`: a file
 * that it hands over unread; absolute.
 */
export async function inputsOfSession(
  workspace: Workspace,
  agent: { session?: string | undefined } | undefined,
  given?: string,
): Promise<string[]> {
  if (agent === undefined) return [];
  const { state, otherStates } = workspace.layout;
  const { session: own = '' } = agent;
  const newestFirst = new Map<string, Seen[]>(own === '' && given === undefined ? [] : [[own, []]]);
  for (const seen of newestEvents([state, ...otherStates], own, MOST)) {
    const { session } = seen.event;
    const before = newestFirst.get(session);
    if (before === undefined) newestFirst.set(session, [seen]);
    else before.push(seen);
  }
  const found: string[] = [];
  for (const [session, events] of newestFirst) {
    const drained = session === '' ? undefined : readSession(state, session);
    const seen = [...events.reverse(), ...(given === undefined ? [] : [readingOf(workspace, given)])];
    const before = { written: drained?.files_modified ?? [], since: drained?.startedAt };
    found.push(...(drained?.inputs ?? []), ...(await inputsOf(workspace, seen, before)));
  }
  return [...new Set(found)].sort();
}

/** Stands for reading a file that is handed over unread. */
function readingOf({ checkout: { root } }: Workspace, path: string): Seen {
  const call: ToolCall = { id: '', tool: '', action: 'read', paths: [path], output: '' };
  return { root, at: new Date().toISOString(), event: { kind: 'tool', session: '', cwd: root, call } };
}

/**
 * What a turn's calls took in from neither the user nor the reviewed branch, in order: `web`, `mcp:NAME`, `outside` (a file
 * outside this repository, or one that the reviewed branch lacks and that neither this session nor a commit of this clone made).
 * What the call alone cannot tell is left out. `written`: paths in the repository that the session wrote in earlier turns, which
 * began at `since` (ISO 8601, UTC). At most five git children per worktree.
 */
export async function inputsOf(
  workspace: Workspace,
  events: readonly Seen[],
  { written, since }: { written: readonly string[]; since?: string | undefined },
): Promise<string[]> {
  const found = new Set<string>();
  const start = [since, ...events.map(({ at }) => at)].filter(Boolean).sort()[0] ?? '';
  const looked = new Map<string, Looked>();
  const lookedIn = (root: string) => {
    const known = looked.get(root) ?? { paths: new Set(), revisions: new Set() };
    looked.set(root, known);
    return known;
  };
  const own = new Set(written.map((path) => resolve(workspace.checkout.root, path)));
  for (const { event, root } of events) {
    if (event.kind !== 'tool') continue;
    const { call } = event;
    const cwd = event.cwd || root;
    const parts = allPartsOfLine(call.command ?? '');
    for (const input of await saidInputs(call, parts, workspace)) found.add(input);
    for (const path of [...(isChange(call) ? call.paths : []), ...filesWritten(call, parts)])
      own.add(resolve(cwd, path));
    for (const revision of parts.flatMap(revisionsShown)) lookedIn(root).revisions.add(revision);
    const { read, ran } = placesUsed(call, parts, { folder: cwd, home: workspace.env.HOME ?? '/' });
    const isOpen = (path: string) =>
      !own.has(path) && !DEVICES.test(path) && below(workspace.checkout.commonDir, path) === undefined;
    for (const path of [...read, ...ran].filter(isOpen)) {
      const place = placeOf(path, { root, commonDir: workspace.checkout.commonDir });
      if (place === undefined && read.has(path)) found.add('outside');
      if (place === undefined) continue;
      lookedIn(place.root).paths.add(read.has(path) ? place.path : '.');
    }
  }
  for (const [root, seen] of looked) {
    if (!found.has('outside') && (await hasForeign(root, seen, { env: workspace.env, start }))) found.add('outside');
  }
  return [...found].sort();
}

/** System files are trusted, except paths that lead through them to other files. */
const DEVICES = /^\/(?:dev\/(?:null|std|fd|tty)|proc\/(?![^/]+\/(?:root|cwd)\/)|sys\/)/;

const WEB_TOOL = /^(?:web_?(?:fetch|search)|google_web_search|fetch_(?:url|webpage|web_content)|fetchurl)$/i;

/** Programs that print or write what they download, except silent subcommands and requests to this machine. */
const DOWNLOADS = /^(?:\S*\/)?(?:curl|wget|https?|xh|lynx|w3m|gh|glab|(?:npm|pnpm|yarn) (?:view|info|show|search))\b/;
const WORDLESS = /^(?:\S*\/)?(?:gh|glab) (?:auth|config|\S+ (?:create|merge|close))\b/;
const LOCAL = /^["']?(?:https?:\/\/)?(?:localhost|127\.0\.0\.1)(?=[:/"']|$)/i;

function isDownload(part: string): boolean {
  if (!DOWNLOADS.test(part) || WORDLESS.test(part)) return false;
  const words = part.split(/\s+/u).slice(1);
  const addresses = words.filter((word) => /^["']?\w+:\/\//.test(word));
  return !(addresses.length > 0 ? addresses.every((word) => LOCAL.test(word)) : words.some((word) => LOCAL.test(word)));
}

/** Programs that print nothing of their own, or only what git has. */
const QUIET = /^(?:git|cd|echo|printf|ls|pwd|mkdir|rm|mv|cp|touch|true|which|test|\[|git-mem|export|set|sleep|kill)\b/;

/** Tells whether a part of a shell line runs code, whose output may come from anywhere. */
const runsCode = (part: string) => !QUIET.test(part) && !isReader(part) && !isDownload(part);

const OWN_SERVER = /^(?:plugin_git-mem_)?git[-_]?mem$/i;
const OWN_TOOL = /^(?:search|timeline|get_observations|save_observation|save_summary|mark)$/;

/** What a call itself shows that it took in; an MCP server may be known by its tool's name only. */
async function saidInputs(
  { action, tool, server, output }: ToolCall,
  parts: string[],
  workspace: Workspace,
): Promise<string[]> {
  const prefixed = /^mcp__(.+?)__|^([\w.-]+?)___|^mcp_([^_]+)_/.exec(tool)?.slice(1).find(Boolean);
  const named = action === 'other' ? (server ?? prefixed) : undefined;
  const isOurs = OWN_SERVER.test(named ?? '') || (server === tool && OWN_TOOL.test(tool));
  if (named !== undefined && !isOurs) return [`mcp:${named.toLowerCase()}`];
  if (isOurs) return carried(output, workspace);
  if (action === 'fetch' || WEB_TOOL.test(tool) || parts.some(isDownload)) return ['web'];
  // No test or compiler prints text addressed to models.
  const codes = parts.some(runsCode) ? findSuspicious(output).map(({ code }) => code) : [];
  return codes.includes('instruction') || codes.includes('secrecy') ? ['outside'] : [];
}

/**
 * What our own answers bring along: they label unreviewed records and records of tainted sessions. Records reviewed since don't
 * count, or one web page would taint everything saved after it.
 */
async function carried(output: string, workspace: Workspace): Promise<string[]> {
  // Hosts report an answer as text or as JSON.
  const said = output.split(/\n|\\n/).filter((line) => /\[[^\]]{0,200}\b(?:unreviewed\b|from )/.test(line));
  if (said.length === 0) return [];
  const trees = (await reviewedTrees(workspace)).flatMap((branch) =>
    [FOLDERS.observation, FOLDERS.summary].map((folder) => keptFolder(workspace, branch, `.memory/${folder}`)),
  );
  const files = (await Promise.all(trees)).flatMap((tree) => tree ?? []);
  const reviewed = new Set(files.map(({ path }) => idInName(path)));
  const left = said.filter((line) => !reviewed.has(/\b([0-9a-z]{10}) \d{4}-\d\d-\d\d /.exec(line)?.[1] ?? ''));
  const notes = [...left.join('\n').matchAll(/\[([^\]\n]{1,200})\]/g)];
  return notes
    .flatMap(([, note = '']) => note.split(/, (?=from )/))
    .flatMap((note) => {
      if (/\bunreviewed\b/.test(note)) return ['outside'];
      return /^from ((?:(?:web|outside|mcp:[\w.-]+)(?:, )?)+)/.exec(note)?.[1]?.split(', ').filter(Boolean) ?? [];
    });
}

/** The files that a shell line redirects output into; downloads don't count as the session's own. */
function filesWritten({ command = '' }: ToolCall, parts: string[]): string[] {
  if (parts.some(isDownload)) return [];
  return [...command.slice(0, 4000).matchAll(/(?:>{1,2}|\btee(?: -a)?)\s{0,4}["']?([\w./~-]+)/g)].flatMap(
    ([, path]) => path ?? [],
  );
}

/** The files whose text a call showed, and the folders in which it ran code; absolute. */
function placesUsed(
  { action, paths, ok }: ToolCall,
  parts: string[],
  { folder, home }: { folder: string; home: string },
): { read: Set<string>; ran: Set<string> } {
  const [read, ran] = [new Set<string>(), new Set<string>()];
  const isShown = action === 'search' || (action === 'read' && ok !== false);
  if (isShown) for (const path of paths.length > 0 ? paths : ['.']) read.add(resolve(folder, path));
  let at = folder;
  const placed = (word: string) => resolve(at, word.replace(/^(?:~|\$HOME)(?=\/|$)/, home));
  const isFile = (word: string) => existsSync(placed(word)) || (ok !== false && /^(?:~|\$HOME|\.\.)?\/\S/.test(word));
  // For a glob, the folder that it is in.
  const plain = (word: string) => (/[*?[]/.test(word) ? posix.dirname(`${word.split(/[*?[]/)[0]}x`) : word);
  for (const part of action === 'command' ? parts : []) {
    const words = part.split(/\s+/u).map((word) => word.replace(/^['"]|['"]$/gu, ''));
    const named = words.slice(1).filter((word) => word !== '' && !word.startsWith('-'));
    if (words[0] === 'cd') at = placed(named[0] ?? '.');
    else if (runsCode(part)) ran.add(at);
    else if (isReader(part))
      for (const word of named.slice(SEARCHES.test(part) ? 1 : 0).map(plain)) if (isFile(word)) read.add(placed(word));
  }
  return { read, ran };
}
