import type { ToolCall } from './event.ts';

/** One file of a patch in Codex's notation, `*** Begin Patch` to `*** End Patch`. */
export interface PatchedFile {
  kind: 'edit' | 'write' | 'delete';
  /** The file, and where it was moved to. */
  paths: string[];
  removed: string;
  added: string;
}

/** The files that a patch changes, in its order; none if the text is not a patch. */
export function patchedFiles(patch: string): PatchedFile[] {
  const files: (PatchedFile & { lines: { removed: string[]; added: string[] } })[] = [];
  for (const line of patch.split('\n')) {
    const [, verb, path = ''] = /^\*\*\* (Update|Add|Delete) File: (.+?)\s*$/.exec(line) ?? [];
    const file = files.at(-1);
    if (verb !== undefined) {
      const kind = verb === 'Add' ? 'write' : verb === 'Delete' ? 'delete' : 'edit';
      files.push({ kind, paths: [path], removed: '', added: '', lines: { removed: [], added: [] } });
    } else if (line.startsWith('*** Move to: ')) file?.paths.push(line.slice('*** Move to: '.length).trim());
    else if (line.startsWith('+')) file?.lines.added.push(line.slice(1));
    else if (line.startsWith('-')) file?.lines.removed.push(line.slice(1));
  }
  return files.map(({ kind, paths, lines }) => ({
    kind,
    paths,
    removed: lines.removed.join('\n'),
    // An added file is complete, so its last line ends in a line feed too.
    added: lines.added.join('\n') + (kind === 'write' && lines.added.length > 0 ? '\n' : ''),
  }));
}

/** A call as one for each file that its patch changes; as it is where it has none. */
export function patchCalls(call: ToolCall, patch: string): ToolCall[] {
  const files = patchedFiles(patch).map(({ kind, paths, removed, added }, i) => {
    const id = i === 0 || call.id === '' ? call.id : `${call.id}#${i}`;
    return { ...call, id, action: kind, paths, change: { removed, added } };
  });
  return files.length === 0 ? [call] : files;
}
