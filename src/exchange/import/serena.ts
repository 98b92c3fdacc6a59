import { join } from 'node:path';
import type { Importer } from './importer.ts';
import { noteArrivals } from './note.ts';
import { sourceFiles } from './place.ts';

/** The memories of Serena: one Markdown file each. */
export const serena: Importer = {
  name: 'serena',
  describe: 'memories of Serena (.serena/memories)',
  *read({ path, workspace }) {
    const place = path ?? join(workspace.checkout.root, '.serena', 'memories');
    for (const file of sourceFiles(place, workspace, (name) => /\.md$/i.test(name))) {
      if (file.kind !== 'file') yield file;
      else yield* noteArrivals(file, { from: 'serena', by: 'serena', typeOf: () => 'discovery', concepts: [] });
    }
  },
};
