import type { ToolCall } from './event.ts';
import { partsOfLine } from './shell-reads.ts';

/** The saving tools of git-mem's server, however a host spells the server before them. */
const SAVING_TOOL = /(?:^|[_:/.-])save_(?:observation|summary)$/u;
const SAVING_COMMAND = /^(?:\S*\/)?git(?:-| )mem (?:-C \S+ )?(?:add|remember)\b/u;

/** Tells whether a tool call is git-mem's own save, through its server or its command line. */
export function isOwnSave(call: ToolCall): boolean {
  if (SAVING_TOOL.test(call.tool)) return true;
  return call.command !== undefined && partsOfLine(call.command).some((part) => SAVING_COMMAND.test(part));
}

/** Tells whether a tool call saves what its session came to, which no derived summary then says again. */
export function isOwnSummary(call: ToolCall): boolean {
  return /(?:^|[_:/.-])save_summary$/u.test(call.tool);
}
