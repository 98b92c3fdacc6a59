// What every hook loads (`bin`) is one small CommonJS file, which starts fastest; what a session start adds (`brief`) is
// one ES module, because Node would look through a CommonJS file of its size for exports. The command line is ES modules with a chunk for each dynamic import, so that a command loads only what it needs.
import { chmodSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  minifyWhitespace: true,
  // ES module builds where packages have them: some CommonJS ones hide their parts from the bundler.
  mainFields: ['module', 'main'],
  legalComments: 'linked',
  logLevel: 'warning',
  // Native modules and optional peers are found at run time.
  external: ['better-sqlite3', '@huggingface/transformers'],
};

// CommonJS packages inside an ES module bundle still call require() for Node's builtins.
const banner = { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" };

/** Leaves the dynamic imports of one bundle to the others. */
const otherBundles = {
  name: 'other-bundles',
  setup({ onResolve }) {
    const files = { './hook/brief.ts': './brief.js', './cli/main.ts': './main.js' };
    onResolve({ filter: /^\.\/(hook\/brief|cli\/main)\.ts$/ }, ({ path }) => ({ path: files[path], external: true }));
  },
};

rmSync('dist', { recursive: true, force: true });
await build({
  ...common,
  entryPoints: ['src/bin.ts'],
  outfile: 'dist/bin.cjs',
  format: 'cjs',
  plugins: [otherBundles],
});
await build({ ...common, entryPoints: ['src/hook/brief.ts'], outfile: 'dist/brief.js', format: 'esm', banner });
await build({
  ...common,
  entryPoints: { main: 'src/cli/main.ts' },
  outdir: 'dist',
  format: 'esm',
  splitting: true,
  banner,
});
chmodSync('dist/bin.cjs', 0o755);
