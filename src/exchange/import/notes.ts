import { GitMemError } from '../../errors.ts';
import type { Importer } from './importer.ts';
import { noteArrivals } from './note.ts';
import { sourceFiles } from './place.ts';

/** Markdown notes of any kind; front matter may give title, type, tags and date. */
export const notes: Importer = {
  name: 'notes',
  describe: 'Markdown notes: a file, or a folder of them',
  *read({ path, workspace }) {
    if (path === undefined) {
      throw new GitMemError('bad-input', 'Notes have no usual place.', {
        hint: 'Name the folder: `git mem import notes docs/adr`.',
      });
    }
    for (const file of sourceFiles(path, workspace, (name) => /\.(?:md|markdown)$/i.test(name))) {
      if (file.kind !== 'file') yield file;
      else yield* noteArrivals(file, { from: 'notes', by: 'notes', typeOf: () => 'discovery', concepts: [] });
    }
  },
};
