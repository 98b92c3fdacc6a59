import { join } from 'node:path';
import type { Importer } from './importer.ts';
import { noteArrivals } from './note.ts';
import { sourceFiles } from './place.ts';

/** The sections of AGENTS.md, except the one that `git mem export --format agents-md` wrote. */
export const agentsMd: Importer = {
  name: 'agents-md',
  describe: 'the sections of AGENTS.md',
  *read({ path, workspace }) {
    for (const file of sourceFiles(path ?? join(workspace.checkout.root, 'AGENTS.md'), workspace, isMarkdown)) {
      if (file.kind !== 'file') yield file;
      else {
        yield* noteArrivals(file, {
          from: 'agents-md',
          by: 'AGENTS.md',
          typeOf: () => 'decision',
          concepts: ['convention'],
          isSplit: true,
        });
      }
    }
  },
};

function isMarkdown(name: string): boolean {
  return /\.md$/i.test(name);
}
