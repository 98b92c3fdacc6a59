// What every command loads first (`bin`) is compiled each time, so it is as small as can be. The others it runs by itself, with
// the code that V8 made of them before (`src/surfaces/hook/compiled.ts`).
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { decode, encode } from '@jridgewell/sourcemap-codec';
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

/**
 * What is bundled, as `source` gives it to esbuild. Source maps know our own files: those of packages would be four fifths
 * of them, and nobody mends a stack there.
 */
const sources = {
  name: 'sources',
  setup({ onLoad }) {
    const empty = Buffer.from('{"version":3,"sources":["package"],"names":[],"mappings":"AAAA"}').toString('base64');
    onLoad({ filter: /\.(?:[cm]?js|ts)$/ }, ({ path }) => {
      const isPackage = /[\\/]node_modules[\\/]/.test(path);
      const map = isPackage ? `\n//# sourceMappingURL=data:application/json;base64,${empty}` : '';
      return { contents: `${inAscii(path)}${map}`, loader: path.endsWith('.ts') ? 'ts' : 'js' };
    });
  },
};

/**
 * A source file with escapes for what is not ASCII: bundles are read as bytes (`src/surfaces/hook/compiled.ts`), and
 * esbuild leaves regular expressions as they are. An escape after a backslash would mean something else.
 */
function inAscii(path) {
  return readFileSync(path, 'utf8').replace(/(\\*)([^\0-\x7f])/g, (_, slashes, character) => {
    if (slashes.length % 2 === 1) throw new Error(`${path}: "\\${character}" cannot be written in ASCII.`);
    return `${slashes}\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/**
 * Modules that take long to load, and that most hooks and many commands never use: loaded when something of them is used.
 * Of the packages, commander needs one of them for commands that are programs of their own, which we have none of.
 */
const lateModules = {
  name: 'late-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:node:(?:child_process|crypto|zlib)|js-yaml)$/ }, ({ path, namespace, importer }) => {
      if (namespace !== 'late-modules')
        return /\.ts$|[\\/]commander[\\/]/.test(importer) ? { path, namespace: 'late-modules' } : undefined;
      return path.startsWith('node:') ? { path, external: true } : undefined;
    });
    onLoad({ filter: /.*/, namespace: 'late-modules' }, ({ path }) => {
      const getters = Object.keys(createRequire(import.meta.url)(path)).map(
        (name) => `get ${name}() { return require('${path}').${name}; }`,
      );
      return { contents: `module.exports = { ${getters.join(', ')} };`, resolveDir: '.' };
    });
  },
};

/** Large packages that are needed at times: files of their own, which bundles load when they do. */
const APART = {
  'anthropic.cjs': ['@anthropic-ai/sdk'],
  'mcp-sdk.cjs': ['@modelcontextprotocol/server', '@modelcontextprotocol/server/stdio'],
};
const apart = {
  name: 'apart',
  setup({ onResolve }) {
    onResolve({ filter: /^@(?:anthropic-ai|modelcontextprotocol)\// }, ({ path, importer }) => {
      const file = Object.keys(APART).find((name) => APART[name].includes(path));
      return importer.endsWith('.ts') && file ? { path: `./${file}`, external: true } : undefined;
    });
  },
};

/** The hub, which one command runs: a file of its own. */
const hubApart = {
  name: 'hub-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/server\/entry\.ts$/ }, () => ({ path: './hub.cjs', external: true }));
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
  // Stacks of bugs name the files of `src/` (`src/surfaces/cli/run.ts`); the text itself is not shipped.
  sourcemap: 'external',
  sourcesContent: false,
  logLevel: 'warning',
  metafile: true,
  // Bundles name the files of CommonJS packages: their places here, not on the machine where they are linked to.
  preserveSymlinks: true,
  // Native modules and optional peers are found at run time.
  external: ['better-sqlite3', 'openid-client', 'jose', 'pg', 'umzug', '@electric-sql/pglite'],
  plugins: [noOldYaml, sources, lateModules, apart],
};

// Built aside and put in place whole: hooks and tests may be using the old one.
const next = `dist-${process.pid}`;
const metafiles = [];
async function bundle(options) {
  metafiles.push((await build({ ...common, ...options })).metafile);
  const path = `${options.outfile}.map`;
  if (!existsSync(path)) return;
  const map = JSON.parse(readFileSync(path, 'utf8'));
  map.sources = map.sources.map((source) => (source.includes('node_modules/') ? 'package' : source));
  // Stacks need the file and the line: one segment a line of the source, without names, is a fifth of the map.
  map.names = [];
  map.mappings = encode(
    decode(map.mappings).map((segments) =>
      segments
        .filter((one, i) => one[1] !== segments[i - 1]?.[1] || one[2] !== segments[i - 1]?.[2])
        .map((one) => one.slice(0, 4)),
    ),
  );
  writeFileSync(path, JSON.stringify(map));
}
// One file each, so that V8's code for it can be kept whole; what only some records, machines or commands need is run when
// it is asked for. Apart from each other: hooks read little.
const entries = {
  hook: 'src/surfaces/hook/hook.ts',
  brief: 'src/surfaces/hook/brief.ts',
  reply: 'src/surfaces/hook/reply.ts',
  quick: 'src/surfaces/cli/quick.ts',
  mcp: 'src/surfaces/mcp/server.ts',
  main: 'src/program.ts',
};
const asScript = {
  format: 'cjs',
  // Scripts that run from kept code cannot import: optional packages are required.
  supported: { 'dynamic-import': false },
};
/** Within a module's function, as Node makes one: put around it at each start, it would have megabytes copied. */
const asFunction = {
  ...asScript,
  banner: { js: '(function(exports,require,module,__filename,__dirname){' },
  footer: { js: '})' },
};
const define = { 'import.meta.dirname': '__dirname' };
const contents = createHash('sha256');
for (const [name, entry] of Object.entries(entries)) {
  const outfile = `${next}/${name}.cjs`;
  // The command line, which has most packages, keeps their names: the bill of materials is tested against them.
  const minifyIdentifiers = name !== 'main';
  const plugins = [...common.plugins, hubApart];
  await bundle({ ...asFunction, entryPoints: [entry], outfile, define, plugins, minifyIdentifiers });
  contents.update(readFileSync(outfile));
}
for (const [name, packages] of Object.entries(APART)) {
  const stdin = { contents: packages.map((one) => `export * from '${one}';`).join('\n'), resolveDir: '.' };
  // Packages alone: no stack that anybody reports is about their names.
  await bundle({ ...asScript, stdin, outfile: `${next}/${name}`, define, minifyIdentifiers: true });
}
await bundle({
  ...asScript,
  entryPoints: ['src/hub/server/entry.ts'],
  outfile: `${next}/hub.cjs`,
  define,
  minifyIdentifiers: true,
});
const BUILD = JSON.stringify(contents.digest('hex').slice(0, 16));
await bundle({ ...asScript, entryPoints: ['src/bin.ts'], outfile: `${next}/bin.cjs`, define: { ...define, BUILD } });
// The viewer's pages: classic scripts, because browsers load no modules from files.
await bundle({
  entryPoints: {
    app: 'src/surfaces/viewer/web/main.tsx',
    site: 'src/surfaces/viewer/web/site.tsx',
    style: 'src/surfaces/viewer/web/style/index.css',
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
  sourcemap: false,
});
copyFileSync('src/surfaces/viewer/web/index.html', `${next}/web/index.html`);
writeBillOfMaterials(next, metafiles);
chmodSync(`${next}/bin.cjs`, 0o755);
const asked = { encoding: 'utf8', env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' } };
writeFileSync(`${next}/help.txt`, execFileSync(process.execPath, [`${next}/bin.cjs`, 'help'], asked));
await bundle({
  ...asScript,
  stdin: {
    contents: `import { COMMANDS } from './program.ts';
      import { printManual } from '../manual.ts';
      void printManual(COMMANDS);`,
    resolveDir: 'src',
    loader: 'ts',
  },
  outfile: `${next}/manual.cjs`,
  define,
  plugins: [...common.plugins, hubApart],
});
writeFileSync(`${next}/git-mem.1`, execFileSync(process.execPath, [`${next}/manual.cjs`], asked));
for (const suffix of ['', '.map', '.LEGAL.txt']) rmSync(`${next}/manual.cjs${suffix}`, { force: true });
rmSync('dist', { recursive: true, force: true });
renameSync(next, 'dist');
