import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Arrival, Importer, ImportSource } from './importer.ts';
import { type NoteStyle, noteArrivals } from './note.ts';
import { isMarkdown, sourceFiles } from './place.ts';

/** Claude Code's own note types, mapped to ours. */
const TYPES: Record<string, string> = { feedback: 'decision', project: 'discovery', reference: 'discovery' };

const AUTO_MEMORY: NoteStyle = {
  from: 'claude-memory',
  by: 'claude-code/memory',
  typeOf: (_file, named) => TYPES[named] ?? 'discovery',
  concepts: [],
};

const INSTRUCTIONS: NoteStyle = {
  ...AUTO_MEMORY,
  by: 'CLAUDE.md',
  typeOf: () => 'decision',
  concepts: ['convention'],
  isSplit: true,
};

/** Claude Code's own notes in its memory folder, and the sections of CLAUDE.md. */
export const claudeMemory: Importer = {
  name: 'claude-memory',
  describe: "Claude Code's own notes (~/.claude/projects/.../memory) and CLAUDE.md",
  *read(source) {
    if (source.path !== undefined) return yield* arrivals(source.path, source);
    const { root } = source.workspace.checkout;
    const places = [join(claudeFolder(source), 'memory'), join(root, 'CLAUDE.md')];
    const found = places.filter((place) => existsSync(place));
    // With neither, the error names the folder.
    for (const place of found.length > 0 ? found : places.slice(0, 1)) yield* arrivals(place, source);
  },
};

function* arrivals(place: string, { workspace }: ImportSource): Generator<Arrival> {
  for (const file of sourceFiles(place, workspace, isMarkdown)) {
    if (file.kind !== 'file') yield file;
    else if (/(?:^|\/)CLAUDE(?:\.local)?\.md$/i.test(file.path)) yield* noteArrivals(file, INSTRUCTIONS);
    // The index only lists the other notes, in newer versions of Claude Code.
    else if (!isIndex(file.path, file.text)) yield* noteArrivals(file, AUTO_MEMORY);
  }
}

function isIndex(path: string, text: string): boolean {
  if (!/(?:^|\/)MEMORY\.md$/.test(path)) return false;
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return lines.every((line) => /^\s*[-*] \[[^\]]*\]\([^)]*\.md\)/.test(line));
}

/** Where Claude Code keeps its data about this checkout, its own notes in `memory/` among it. */
function claudeFolder({ env, workspace }: ImportSource): string {
  const base = env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), '.claude');
  return join(base, 'projects', workspace.checkout.root.replace(/[^A-Za-z0-9]/g, '-'));
}
