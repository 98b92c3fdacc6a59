// What every hook loads (`bin`) is one small CommonJS file, which starts fastest; what a session start adds (`brief`) is
// one ES module, because Node would look through a CommonJS file of its size for exports. The command line is ES modules
// with a chunk for each dynamic import, so that a command loads only what it needs.
import { chmodSync, copyFileSync, renameSync, rmSync } from 'node:fs';
import { build } from 'esbuild';
import { writeBillOfMaterials } from './bill-of-materials.mjs';

/** gray-matter loads an old YAML parser that is never used, because ours is given as its engine: it stays outside. */
const noOldYaml = {
  name: 'no-old-yaml',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^js-yaml$/ }, ({ importer }) =>
      /[\\/]gray-matter[\\/]/.test(importer) ? { path: 'js-yaml', namespace: 'no-old-yaml' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'no-old-yaml' }, () => ({
      contents:
        'const refuse = () => { throw new Error("unused"); }; module.exports = { safeLoad: refuse, safeDump: refuse };',
    }));
  },
};

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
  metafile: true,
  // Bundles name the files of CommonJS packages: their places here, not on the machine where they are linked to.
  preserveSymlinks: true,
  // Native modules and optional peers are found at run time.
  external: ['better-sqlite3', '@huggingface/transformers'],
  plugins: [noOldYaml],
};

// CommonJS packages inside an ES module bundle still call require() for Node's builtins.
const banner = { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" };

/** Leaves the dynamic imports of one bundle to the others. */
const otherBundles = {
  name: 'other-bundles',
  setup({ onResolve }) {
    const files = {
      './hook/brief.ts': './brief.js',
      './hook/reply.ts': './reply.js',
      './mcp/server.ts': './mcp.js',
      './cli/main.ts': './main.js',
    };
    onResolve({ filter: /^\.\/(hook\/(?:brief|reply)|mcp\/server|cli\/main)\.ts$/ }, ({ path }) => ({
      path: files[path],
      external: true,
    }));
  },
};

// Built aside and put in place whole: hooks and tests may be using the old one.
const next = `dist-${process.pid}`;
const metafiles = [];
async function bundle(options) {
  metafiles.push((await build({ ...common, ...options })).metafile);
}
await bundle({
  entryPoints: ['src/bin.ts'],
  outfile: `${next}/bin.cjs`,
  format: 'cjs',
  plugins: [noOldYaml, otherBundles],
});
await bundle({ entryPoints: ['src/hook/brief.ts'], outfile: `${next}/brief.js`, format: 'esm', banner });
// What only some records, machines or commands need stays in chunks of its own. Each of these apart from the others: the
// command line would share the protocol's large schema library with the server, and parse it for every command.
for (const [name, entry] of Object.entries({
  reply: 'src/hook/reply.ts',
  main: 'src/cli/main.ts',
  mcp: 'src/mcp/server.ts',
})) {
  await bundle({
    entryPoints: { [name]: entry },
    outdir: next,
    format: 'esm',
    splitting: true,
    banner,
  });
}
// The viewer's pages: classic scripts, because browsers load no modules from files.
await bundle({
  entryPoints: {
    app: 'src/viewer/web/main.tsx',
    site: 'src/viewer/web/site.tsx',
    theme: 'src/viewer/web/theme.ts',
    style: 'src/viewer/web/style/index.css',
  },
  outdir: `${next}/web`,
  platform: 'browser',
  format: 'iife',
  target: ['chrome123', 'firefox120', 'safari17.5'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  external: [],
  plugins: [],
});
copyFileSync('src/viewer/web/index.html', `${next}/web/index.html`);
writeBillOfMaterials(next, metafiles);
chmodSync(`${next}/bin.cjs`, 0o755);
rmSync('dist', { recursive: true, force: true });
renameSync(next, 'dist');
