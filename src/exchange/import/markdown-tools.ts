import { join } from 'node:path';
import type { Importer } from './importer.ts';
import { type NoteStyle, noteArrivals } from './note.ts';
import { isMarkdown, namedPlace, sourceFiles } from './place.ts';

/** The types of the files of Cline's memory bank; others are discoveries. */
const BANK: Record<string, string> = {
  'systempatterns.md': 'decision',
  'techcontext.md': 'decision',
  'activecontext.md': 'change',
  'progress.md': 'change',
};

/** The sections of AGENTS.md. */
export const agentsMd = notesOf('agents-md', 'the sections of AGENTS.md', 'AGENTS.md', {
  by: 'AGENTS.md',
  typeOf: () => 'decision',
  concepts: ['convention'],
  isSplit: true,
});

/** The memories of Serena: one Markdown file each. */
export const serena = notesOf('serena', 'memories of Serena (.serena/memories)', '.serena/memories', {
  by: 'serena',
  typeOf: () => 'discovery',
  concepts: [],
});

/** The memory bank of Cline, and of tools that adopted its files: sections of a few Markdown files. */
export const memoryBank = notesOf('memory-bank', 'a memory bank of Cline (memory-bank)', 'memory-bank', {
  by: 'cline',
  typeOf: ({ path }) => BANK[path.toLowerCase()] ?? 'discovery',
  concepts: [],
});

/** Markdown notes of any kind; front matter may give title, type, tags and date. */
export const notes = notesOf('notes', 'Markdown notes: a file, or a folder of them', undefined, {
  by: 'notes',
  typeOf: () => 'discovery',
  concepts: [],
});

/** An importer of Markdown files; `usual` is their place below the top of the repository. */
function notesOf(name: string, describe: string, usual: string | undefined, style: Omit<NoteStyle, 'from'>): Importer {
  return {
    name,
    describe,
    *read({ path, workspace }) {
      const given = path ?? (usual && join(workspace.checkout.root, usual));
      const place = namedPlace(
        given,
        'Notes have no usual place.',
        'Name the folder: `git mem import notes docs/adr`.',
      );
      for (const file of sourceFiles(place, workspace, isMarkdown)) {
        if (file.kind !== 'file') yield file;
        else yield* noteArrivals(file, { ...style, from: name });
      }
    },
  };
}
