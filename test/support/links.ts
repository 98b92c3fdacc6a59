import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestRepository } from './repository.ts';

/** Links a repository to others in its user's own settings, as `links:` takes them. */
export function link({ env }: TestRepository, links: (string | Record<string, string>)[]): void {
  const folder = join(env.HOME ?? '', '.config/git-mem');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.yaml'), `links: ${JSON.stringify(links)}\n`);
}

/** Every file, folder and link below a folder with its content and times, the git directory included. */
export function snapshot(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const stat = lstatSync(path);
      const content = stat.isFile() ? readFileSync(path, 'latin1') : stat.isSymbolicLink() ? readlinkSync(path) : '';
      return [name, stat.mode, stat.mtimeMs, stat.ctimeMs, content].join(' ');
    });
}
