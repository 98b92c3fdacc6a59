import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { claudeMem, claudeMemJson } from './claude-mem.ts';
import type { Arrival, Importer, ImportSource } from './importer.ts';
import { type NoteStyle, noteArrivals } from './note.ts';
import { isMarkdown, namedPlace, sourceFiles } from './place.ts';

/** Claude Code's own note types, mapped to ours. */
const TYPES: Record<string, string> = { feedback: 'decision', project: 'discovery', reference: 'discovery' };

const AUTO_MEMORY: NoteStyle = {
  from: 'claude-memory',
  by: 'claude-code/memory',
  typeOf: (_file, named) => TYPES[named] ?? 'discovery',
};

/** A file with instructions: each section is a rule of the team. */
const RULES = { typeOf: () => 'decision', concepts: ['convention'], isSplit: true };

const claudeMemory: Importer = {
  name: 'claude-memory',
  describe: "Claude Code's own notes (~/.claude/projects/.../memory) and CLAUDE.md",
  *read(source) {
    if (source.path !== undefined) return yield* claudeNotes(source.path, source);
    const { env, workspace } = source;
    const { root } = workspace.checkout;
    const base = env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), '.claude');
    const own = join(base, 'projects', root.replace(/[^A-Za-z0-9]/g, '-'), 'memory');
    const found = [own, join(root, 'CLAUDE.md')].filter((place) => existsSync(place));
    // With neither, the error names the folder.
    for (const place of found.length > 0 ? found : [own]) yield* claudeNotes(place, source);
  },
};

function* claudeNotes(place: string, { workspace }: ImportSource): Generator<Arrival> {
  for (const file of sourceFiles(place, workspace, isMarkdown)) {
    if (file.kind !== 'file') yield file;
    else if (/(?:^|\/)CLAUDE(?:\.local)?\.md$/i.test(file.path)) {
      yield* noteArrivals(file, { ...RULES, from: 'claude-memory', by: 'CLAUDE.md' });
      // The index only lists the other notes, in newer versions of Claude Code.
    } else if (!isIndex(file.path, file.text)) yield* noteArrivals(file, AUTO_MEMORY);
  }
}

function isIndex(path: string, text: string): boolean {
  if (!/(?:^|\/)MEMORY\.md$/.test(path)) return false;
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return lines.every((line) => /^\s*[-*] \[[^\]]*\]\([^)]*\.md\)/.test(line));
}

/** The types of the files of Cline's memory bank, which other tools adopted; others are discoveries. */
const BANK: Record<string, string> = {
  'systempatterns.md': 'decision',
  'techcontext.md': 'decision',
  'activecontext.md': 'change',
  'progress.md': 'change',
};

const discovery = () => 'discovery';

/** Every memory that can be imported, in the order of the help; jsonl, our own format, is handled separately. */
export const IMPORTERS: readonly Importer[] = [
  claudeMem,
  claudeMemJson,
  claudeMemory,
  notesOf('agents-md', 'the sections of AGENTS.md', 'AGENTS.md', { by: 'AGENTS.md', ...RULES }),
  notesOf('serena', 'memories of Serena (.serena/memories)', '.serena/memories', { by: 'serena', typeOf: discovery }),
  notesOf('memory-bank', 'a memory bank of Cline (memory-bank)', 'memory-bank', {
    by: 'cline',
    typeOf: ({ path }) => BANK[path.toLowerCase()] ?? 'discovery',
  }),
  // Front matter may give title, type, tags and date.
  notesOf('notes', 'Markdown notes: a file, or a folder of them', undefined, { by: 'notes', typeOf: discovery }),
];

/** An importer of Markdown files; `usual` is their place below the top of the repository. */
function notesOf(name: string, describe: string, usual: string | undefined, style: Omit<NoteStyle, 'from'>): Importer {
  return {
    name,
    describe,
    *read({ path, workspace }) {
      const given = path ?? (usual && join(workspace.checkout.root, usual));
      const hint = 'Name the folder: `git mem import notes docs/adr`.';
      const place = namedPlace(given, 'Notes have no default location.', hint);
      for (const file of sourceFiles(place, workspace, isMarkdown)) {
        if (file.kind !== 'file') yield file;
        else yield* noteArrivals(file, { ...style, from: name });
      }
    },
  };
}
