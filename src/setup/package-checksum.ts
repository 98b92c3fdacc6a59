import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../templates.ts';

/** The files of this package that npm packs, as in `files` of package.json. */
const PACKED = ['LICENSE', 'README.md', 'SECURITY.md', 'dist', 'package.json', 'templates'];
const LEFT_OUT = /^dist\/bench-/;

/**
 * A checksum over all files of this package, wherever it runs from: the installation in the generated CI jobs must
 * match it. In a shell, from the folder of the package: `find . -type f ! -path './node_modules/*' | LC_ALL=C sort |
 * xargs sha256sum | sha256sum`.
 */
export function packageChecksum(root = packageRoot()): string {
  const listing = PACKED.flatMap((name) => filesAt(root, name))
    .filter((path) => !LEFT_OUT.test(path))
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map((path) => `${sha256(readFileSync(join(root, path)))}  ./${path}\n`);
  return sha256(listing.join(''));
}

function filesAt(root: string, path: string): string[] {
  if (!path.startsWith('dist') && !path.startsWith('templates')) return [path];
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesAt(root, `${path}/${entry.name}`) : [`${path}/${entry.name}`],
  );
}

function sha256(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
