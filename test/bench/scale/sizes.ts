import { statSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../../support/files-below.ts';

/** How large a repository's parts are: text, git's own, the cache, in MB, and how many files its memory has. */
export function sizesIn(cwd: string, count: number, bytes: number): string[] {
  const state = join(cwd, '.git', 'git-mem');
  const cache = filesIn(state).filter((file) => file.includes('.sqlite'));
  const git = filesIn(join(cwd, '.git')).filter((file) => !file.startsWith(`${state}/`));
  // A process that ends takes its part of the cache with it.
  const size = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const mb = (files: string[]) => (files.reduce((sum, file) => sum + size(file), 0) / 1e6).toFixed(1);
  return [count.toLocaleString('en'), (bytes / 1e6).toFixed(1), mb(git), mb(cache), String(memoryFiles(cwd))];
}

/** How many files a repository's memory has. */
function memoryFiles(cwd: string): number {
  return filesIn(join(cwd, '.memory')).length;
}

function filesIn(folder: string): string[] {
  return filesBelow(folder).map((path) => join(folder, path));
}
