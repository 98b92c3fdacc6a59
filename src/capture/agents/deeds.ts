import type { ToolCall } from './event.ts';
import { isOwnSave } from './own-calls.ts';

/** What a turn did, as far as a request to save is concerned. */
export interface Deeds {
  /** Files were changed with the agent's own tools. */
  edited: boolean;
  /** The agent saved something itself. */
  saved: boolean;
}

/** What these calls did. A record that was written into the memory by hand counts as saved. */
export function deedsOf(calls: readonly ToolCall[]): Deeds {
  const edits = calls.filter(isEdit);
  return { edited: edits.some((call) => !isInMemory(call)), saved: edits.some(isInMemory) || calls.some(isOwnSave) };
}

function isEdit({ action, ok, paths }: ToolCall): boolean {
  return (action === 'edit' || action === 'write' || action === 'delete') && ok !== false && paths.length > 0;
}

function isInMemory({ paths }: ToolCall): boolean {
  return paths.every((path) => /(?:^|[\\/])\.memory[\\/]/.test(path));
}
