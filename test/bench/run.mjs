// Bundles the benchmark, because Node 20 runs no TypeScript, and runs it: npm run bench [-- NAME...]
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

// Beside the program's own bundle, because templates are found from there.
const outfile = resolve(`dist/bench-${process.pid}.mjs`);
try {
  await build({
    entryPoints: ['test/bench/main.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  });
  const { main } = await import(pathToFileURL(outfile).href);
  process.exitCode = await main(process.argv.slice(2));
} finally {
  rmSync(outfile, { force: true });
}
