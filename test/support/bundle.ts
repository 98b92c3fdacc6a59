import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll } from 'vitest';

/**
 * Bundles TypeScript source text, whose imports are relative to the project's root, into one file that Node runs, and
 * returns its path. For tests that need real processes. Called at the top level of a test file, it cleans up by itself.
 */
export async function bundle(source: string): Promise<string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'git-mem-bundle-')));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, 'program.mjs');
  await build({
    stdin: { contents: source, resolveDir: resolve('.'), loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    // Packages that are CommonJS ask for Node's own modules by require.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    logLevel: 'silent',
  });
  return outfile;
}
