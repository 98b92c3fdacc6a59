import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

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
