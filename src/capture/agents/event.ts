import type { Environment } from '../../user-folders.ts';
import type { HostFacts } from './host-facts.ts';

/** What a host reported, in git-mem's own form. Adapters produce it; nothing above `agents/` knows a host's JSON. */

/** What a tool was used for. */
export const TOOL_ACTIONS = [
  'read',
  'edit',
  'write',
  'delete',
  'command',
  'search',
  'agent',
  'fetch',
  'other',
] as const;
export type ToolAction = (typeof TOOL_ACTIONS)[number];

export interface ToolCall {
  /** The host's id of the call; two events that report the same call share it. */
  id: string;
  /** The host's own name for the tool. */
  tool: string;
  /** The tool's MCP server, where the host names it elsewhere than in the tool's name. */
  server?: string;
  action: ToolAction;
  /** Paths as the host gave them: absolute, or relative to the event's working directory. */
  paths: string[];
  command?: string;
  /** What the agent said the call was for; the pattern of a search. */
  description?: string;
  /** undefined where the host does not say (Codex reports failed commands like successful ones). */
  ok?: boolean | undefined;
  exitCode?: number;
  /** The whole result as text; the drain cleans and bounds it. */
  output: string;
  /** Text that an edit removed and added. */
  change?: { removed: string; added: string };
}

interface Common {
  session: string;
  /** The host's id of the user turn, where it has one. */
  turn?: string;
  /** Made from the host's ids, so that an event reported again has the same key; absent where the host has none. */
  key?: string;
  /** Set inside a sub-agent. */
  agent?: string;
  cwd: string;
}

export type AgentEvent = Common &
  (
    | { kind: 'session-start'; source: string }
    | { kind: 'prompt'; text: string; from: 'user' | 'machine' }
    | { kind: 'tool'; call: ToolCall }
    /** A sub-agent's last message. */
    | { kind: 'report'; text: string }
    /** `isAgain`: a hook had made the agent continue after its answer. */
    | { kind: 'turn-end'; text: string; isAgain?: true }
    | { kind: 'compaction'; summary: string }
    | { kind: 'session-end'; reason: string }
  );

/** Tells whether an event ends the session's own turn, and not only a sub-agent's. */
export function isTurnEnd(event: AgentEvent): event is Extract<AgentEvent, { kind: 'turn-end' }> {
  return event.kind === 'turn-end' && event.agent === undefined;
}

/** Tells whether a call changes files with the agent's own tools. */
export function isChange({ action }: Pick<ToolCall, 'action'>): boolean {
  return action === 'edit' || action === 'write' || action === 'delete';
}

/** What an event that waits for a reply asks. `reader` is the session, or the sub-agent in it. */
export type Question =
  /** `isSubagent`: a sub-agent starts, with its own context. `isUnheard`: the host does not wait for the answer. */
  | { kind: 'start'; session: string; source: string; reader?: string; isSubagent?: true; isUnheard?: true }
  | { kind: 'prompt'; session: string; reader: string; text: string }
  /**
   * Files about to be read or, with `isEdit`, changed. Paths as the host gave them: absolute, or relative to `cwd`. `lines`: the
   * first and last, where only part of a single file is read.
   */
  | {
      kind: 'read';
      session: string;
      reader: string;
      cwd: string;
      paths: string[];
      lines?: readonly [number, number];
      isEdit?: true;
    };

/** What a reply does besides giving the model context. */
export interface Beside {
  /** A line that the client shows to the person. */
  notice?: string;
  /** Before a call: why the client should ask the person to allow it. */
  ask?: string;
}

/** The log that a host itself keeps of a session, for what its hooks leave out. */
export interface AgentLog {
  /** The event that it completes, and the payload's key for the log's path, or a place with such `{key}`s in it. */
  event: string;
  path: string | LogFiles;
  /** A payload's events with what its log adds: an answer, a prompt, a failed call. `at`: when it came. Never throws. */
  complete(
    events: readonly AgentEvent[],
    payload: Record<string, unknown>,
    lines: readonly Record<string, unknown>[],
    at: string,
  ): LoggedEvent[];
}

/** `at` (ISO 8601, UTC): when it happened, for events that only the log has. */
export interface LoggedEvent {
  event: AgentEvent;
  at?: string;
}

/** The logs that a host keeps of its sessions, for sessions that no hook reports: `git mem sync --transcripts`. */
export interface SessionLogs {
  /** The environment variable that moves the folder. */
  variable?: string;
  /** Under the user's home. */
  folder: string;
  /** A glob in that folder; `{slug}` is the checkout's path with a dash for all but letters and digits. */
  files: string;
  /** How a log names its repository: by a directory in it, or by that directory's SHA-256. */
  belongs: 'cwd' | 'sha256';
  /** Starts reading a log, line by line; undefined for a line with nothing to report. Never throws on JSON objects. */
  open(): (line: Record<string, unknown>) => LogLine | undefined;
}

export type LogFiles = Pick<SessionLogs, 'variable' | 'folder' | 'files'>;

export interface LogLine {
  /** When (ISO 8601, UTC); undefined where the line does not say. */
  at?: string | undefined;
  /** Holds for the lines after it too; empty texts change nothing. */
  where?: Partial<Where>;
  /** The SHA-256 of the repository's directory. */
  hash?: string;
  entries?: LogEntry[];
}

/** Where the events of a line belong. */
export type Where = Record<'session' | 'cwd' | 'branch' | 'turn', string>;

export interface LogEntry {
  /**
   * `prompt`, `over`: end the previous turn. `call`: a reply before it did not end the turn. `reply`: ends its turn, unless a
   * `call` or `turn-end` follows. `event`: anything else.
   */
  role: 'prompt' | 'over' | 'call' | 'reply' | 'turn-end' | 'event';
  at?: string | undefined;
  /** Identifies it when it is read again. */
  id?: string;
  events(where: Where): AgentEvent[];
}

/** The kinds of events, in the order in which they happen within a turn and a session. */
export const EVENT_KINDS = [
  'session-start',
  'prompt',
  'tool',
  'report',
  'turn-end',
  'compaction',
  'session-end',
] as const satisfies AgentEvent['kind'][];

/** A host adapter: reading payloads and writing replies. One file per host. */
export interface Agent {
  /** As in `git-mem hook HOST EVENT`. */
  name: string;
  /** Events that are spooled. */
  events: readonly string[];
  /** Those that may hold nothing worth keeping; for all others, a payload that yields nothing was not understood. */
  quiet?: readonly string[];
  /** Events that ask for a reply on standard output, whether they are kept or not. */
  replies: readonly string[];
  /** Resumed sessions are sent without the reply to their start. */
  forgetsStart?: boolean;
  /** A start's reply would become part of the first prompt, which resumed sessions lack; it comes with that prompt's reply. */
  startsWithPrompt?: boolean;
  /** Events before a call, each with the event that reports the same call afterwards. */
  before?: Readonly<Record<string, string>>;
  /** The environment variable with the folder where the session began, whatever folder it is in by now. */
  projectVariable?: string;
  /** Events whose reply may ask the agent to save: prompts, ends of turns. */
  asks: readonly string[];
  /** Events after which a drain is worth starting. */
  wakes: readonly string[];
  /** Reads one payload; an event that says nothing worth keeping gives an empty list. Never throws on a JSON object. */
  toEvents(event: string, payload: Record<string, unknown>): AgentEvent[];
  /** What an event of `replies` asks; undefined where it asks for nothing after all. Never throws on a JSON object. */
  toQuestion(event: string, payload: Record<string, unknown>): Question | undefined;
  /** The host's exact JSON that hands `context` to the model, or nothing; `beside` is used where the host supports it. */
  toReply(event: string, context: string, beside?: Beside): string;
  /** Tells whether the client would ask a person if a reply before a call wants it to; absent where it never does. */
  asksPerson?(event: string, payload: Record<string, unknown>, env: Environment): boolean;
  /** Absent where the hooks report everything. */
  log?: AgentLog;
  /** Where sessions that no hook reports can be read. */
  sessionLogs?: SessionLogs;
  /** How it is set up in a repository. */
  setup: HostFacts;
}
