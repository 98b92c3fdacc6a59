import type { ToolCall } from './event.ts';
import { partsOfLine } from './shell-reads.ts';

/** Hosts prefix the server's name in various ways: `mcp__git-mem__save_observation`, `git-mem_save_observation`. */
const SAVING_TOOL = /(?:^|[^a-z])save_(?:observation|summary)$/i;
const SUMMARY_TOOL = /(?:^|[^a-z])save_summary$/i;

/** `git-mem add` or `git mem add`, by any path, with options of git or of ours in between. */
const SAVING_COMMAND = /^(?:(?:\S*\/)?git-mem|git\s+mem)(?:\s+-C\s+\S+)?\s+(?:add|remember)(?:\s|$)/u;

/** Tells whether a call is git-mem's own save: what an agent saved itself needs no extractor. */
export function isOwnSave({ tool, command, ok }: ToolCall): boolean {
  if (ok === false) return false;
  if (SAVING_TOOL.test(tool)) return true;
  return command !== undefined && partsOfLine(command).some((part) => SAVING_COMMAND.test(part));
}

/** Tells whether a call saves its session's summary, so that none is derived. */
export function isOwnSummary({ tool, ok }: ToolCall): boolean {
  return ok !== false && SUMMARY_TOOL.test(tool);
}
