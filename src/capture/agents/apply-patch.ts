import type { ToolCall } from './event.ts';

/** Splits a call into one per file that its patch (in Codex's notation) changes; other text leaves the call as it is. */
export function patchCalls(call: ToolCall, patch: string): ToolCall[] {
  const files: { action: 'edit' | 'write' | 'delete'; paths: string[]; removed: string[]; added: string[] }[] = [];
  for (const line of patch.split('\n')) {
    const [, verb, path = ''] = /^\*\*\* (Update|Add|Delete) File: (.+?)\s*$/.exec(line) ?? [];
    const file = files.at(-1);
    if (verb !== undefined) {
      const action = verb === 'Add' ? 'write' : verb === 'Delete' ? 'delete' : 'edit';
      files.push({ action, paths: [path], removed: [], added: [] });
    } else if (line.startsWith('*** Move to: ')) file?.paths.push(line.slice('*** Move to: '.length).trim());
    else if (line.startsWith('+')) file?.added.push(line.slice(1));
    else if (line.startsWith('-')) file?.removed.push(line.slice(1));
  }
  const calls = files.map(({ action, paths, removed, added }, i) => {
    const id = i === 0 || call.id === '' ? call.id : `${call.id}#${i}`;
    // An added file is complete, so its last line ends in a line feed too.
    const end = action === 'write' && added.length > 0 ? '\n' : '';
    return { ...call, id, action, paths, change: { removed: removed.join('\n'), added: added.join('\n') + end } };
  });
  return calls.length === 0 ? [call] : calls;
}
