import { isChange, type ToolCall } from './event.ts';
import { partsOfLine } from './shell-reads.ts';

/** Hosts prefix the server's name in various ways: `mcp__git-mem__save_observation`, `git-mem_save_observation`. */
const SAVING_TOOL = /(?:^|[^a-z])save_(?:observation|summary)$/i;
const SUMMARY_TOOL = /(?:^|[^a-z])save_summary$/i;

/** `git-mem add` or `git mem add`, by any path, with options of git or of ours in between. */
const SAVING_COMMAND = /^(?:(?:\S*\/)?git-mem|git\s+mem)(?:\s+-C\s+\S+)?\s+(?:add|remember)(?:\s|$)/u;

/** A request for help, before a save or instead of one. */
const HELP = /\s(?:--help|-h)$/u;

/** A refusal to save; not every host reports that an MCP call failed. */
const REFUSED = /\bNothing was saved\. It?f?\b/u;

/** A record about the user, for all repositories: the answer shows it by the label, the command by the option. */
const PERSONAL_ID = /\bpersonal:[0-9a-z]{10}\b/;
const PERSONAL_OPTION = /\s--personal(?:\s|$)/;

/** How much of an answer is searched, in UTF-16 units: its first lines say it, later ones may only quote it. */
const ANSWER_HEAD = 400;

/**
 * Tells whether a call is git-mem's own save: what an agent saved itself needs no extractor. Personal records don't count,
 * because they say nothing about the turn's work.
 */
export function isOwnSave({ tool, command, output, ok }: ToolCall): boolean {
  if (ok === false) return false;
  const head = output.slice(0, ANSWER_HEAD);
  if (SAVING_TOOL.test(tool)) return !PERSONAL_ID.test(head) && !REFUSED.test(head);
  if (command === undefined) return false;
  const isSaving = (part: string) => SAVING_COMMAND.test(part) && !PERSONAL_OPTION.test(part) && !HELP.test(part);
  return partsOfLine(command).some(isSaving);
}

/** Tells whether a call saves its session's summary, so that none is derived. */
export function isOwnSummary({ tool, output, ok }: ToolCall): boolean {
  return ok !== false && SUMMARY_TOOL.test(tool) && !REFUSED.test(output.slice(0, ANSWER_HEAD));
}

/** How a save names its record first: `Saved ID: path`, `ID already existed`, `ID  path`, or a JSON object. */
const SAVED_ID = /^(?:Saved )?([0-9a-hjkmnp-tv-z]{10})(?=: | already existed| {2})|"id": ?"([0-9a-hjkmnp-tv-z]{10})"/m;

/** The ids of the records that these calls saved, as their answers name them. */
export function savedIds(calls: readonly ToolCall[]): string[] {
  const saving = calls.filter((call) => isOwnSave(call) || isOwnSummary(call));
  const found = saving.flatMap(({ output }) => SAVED_ID.exec(output.slice(0, ANSWER_HEAD))?.slice(1) ?? []);
  return [...new Set(found.filter((id) => id !== undefined))];
}

/** What a turn did, as far as it matters for asking to save. */
export interface Deeds {
  /** Files were changed with the agent's own tools. */
  edited: boolean;
  /** The agent saved something itself. */
  saved: boolean;
  /** A commit was made, or a command passed that had failed. */
  telling: boolean;
}

const COMMITTING = /\bgit\b[^\n;&|]{0,200}\scommit(?=\s|$)/u;

/** What these calls did, the oldest first. A record that was written into the memory by hand counts as saved. */
export function deedsOf(calls: readonly ToolCall[]): Deeds {
  const edits = calls.filter((call) => isChange(call) && call.ok !== false && call.paths.length > 0);
  const failed = new Set<string>();
  const isTelling = ({ command = '', ok }: ToolCall) => {
    if (ok === false) failed.add(command);
    return ok !== false && (COMMITTING.test(command) || failed.has(command));
  };
  return {
    edited: edits.some((call) => !isInMemory(call)),
    saved: edits.some(isInMemory) || calls.some(isOwnSave),
    telling: calls.filter(({ command }) => command !== undefined).some(isTelling),
  };
}

function isInMemory({ paths }: ToolCall): boolean {
  return paths.every((path) => /(?:^|[\\/])\.memory[\\/]/.test(path));
}
