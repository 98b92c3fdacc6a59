import { join } from 'node:path';
import type { Importer } from './importer.ts';
import { noteArrivals } from './note.ts';
import { sourceFiles } from './place.ts';

/** The types of Cline's files; others are discoveries. */
const TYPES: Record<string, string> = {
  'systempatterns.md': 'decision',
  'techcontext.md': 'decision',
  'activecontext.md': 'change',
  'progress.md': 'change',
};

/** The memory bank of Cline, and of tools that adopted its files: sections of a few Markdown files. */
export const memoryBank: Importer = {
  name: 'memory-bank',
  describe: 'a memory bank of Cline (memory-bank)',
  *read({ path, workspace }) {
    const place = path ?? join(workspace.checkout.root, 'memory-bank');
    for (const file of sourceFiles(place, workspace, (name) => /\.md$/i.test(name))) {
      if (file.kind !== 'file') yield file;
      else {
        yield* noteArrivals(file, {
          from: 'memory-bank',
          by: 'cline',
          typeOf: ({ path: name }) => TYPES[name.toLowerCase()] ?? 'discovery',
          concepts: [],
        });
      }
    }
  },
};
