import { cruise, type IModule } from 'dependency-cruiser';
import { beforeAll, describe, expect, it } from 'vitest';
import { longCodeIn } from './support/long-code.ts';

/** Folders and files of `src`, the lowest layer first: imports run downwards, never to another folder of a layer. */
const LAYERS: string[][] = [
  [
    'errors.ts',
    'json.ts',
    'slashes.ts',
    'quantities.ts',
    'templates.ts',
    'user-folders.ts',
    'config.ts',
    'config-schema.ts',
    'setting-words.ts',
    'setting-tree.ts',
    'looks.ts',
    'one-at-a-time.ts',
  ],
  ['git', 'privacy'],
  ['memory'],
  ['kept'],
  ['provenance'],
  ['index'],
  ['records'],
  ['search'],
  ['capture', 'inject'],
  ['review', 'exchange'],
  ['setup'],
  ['project.ts'],
  ['surfaces'],
  ['hub'],
  ['program.ts'],
  ['bin.ts'],
];

/** The only files or folders that may load each package. */
const IMPORTERS: Record<string, string[]> = {
  'gray-matter': ['memory/front-matter.ts'],
  'js-yaml': ['memory/front-matter.ts', 'config.ts', 'setup/user-settings.ts', 'hub/config.ts'],
  unified: ['memory/outline.ts', 'surfaces/viewer/web/parts/markdown.tsx'],
  'remark-parse': ['memory/outline.ts', 'surfaces/viewer/web/parts/markdown.tsx'],
  'rehype-sanitize': ['surfaces/viewer/web/parts/markdown.tsx'],
  preact: ['surfaces/viewer/web/'],
  '@anthropic-ai/sdk': ['capture/extract/providers/anthropic.ts'],
  '@secretlint/secretlint-rule-preset-recommend': ['privacy/secretlint.ts'],
  'better-sqlite3': ['index/sqlite/'],
  minisearch: ['index/minisearch-index.ts'],
  'simple-git': ['git/git.ts'],
  commander: ['surfaces/cli/', 'hub/commands/'],
  '@clack/prompts': ['surfaces/cli/'],
  'jsonc-parser': ['setup/'],
  '@modelcontextprotocol/server': ['surfaces/mcp/', 'hub/server/mcp.ts'],
  hono: ['hub/server/app.ts'],
  '@hono/node-server': ['hub/server/server.ts'],
  'openid-client': ['hub/server/sign-in.ts'],
  jose: ['hub/server/sign-in.ts'],
  chokidar: ['index/watch.ts'],
  pg: ['hub/database/postgres.ts'],
  '@electric-sql/pglite': ['hub/database/pglite.ts'],
  umzug: ['hub/database/migrate.ts'],
};

/** These must reach no package, however indirectly: loading one costs more than the whole hook. */
const PACKAGE_FREE = [
  'src/surfaces/hook/take-event.ts',
  'src/surfaces/hook/wake.ts',
  'src/capture/spool/',
  'src/capture/agents/',
  'src/git/locate.ts',
  'src/memory/store/layout.ts',
];

/** Lines of a function or class above which its comment says why it is not several: a sentence "Long because …". */
const MOST_LINES = 80;

/** With fewer modules than this, nothing was looked at. */
const FEWEST_MODULES = 60;

let modules: IModule[] = [];
const own = () => modules.filter(({ source }) => source.startsWith('src/'));

beforeAll(async () => {
  const result = await cruise(['src'], {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
  });
  if (typeof result.output !== 'string') modules = result.output.modules;
});

describe('the architecture', () => {
  it('is checked on enough modules', () => {
    expect(own().length).toBeGreaterThan(FEWEST_MODULES);
    expect(own().flatMap(({ dependencies }) => dependencies).length).toBeGreaterThan(FEWEST_MODULES * 2);
  });

  it('assigns every folder to a layer', () => {
    const folders = new Set(own().map(({ source }) => folderOf(source)));
    expect([...folders].filter((folder) => layerOf(folder) < 0)).toEqual([]);
  });

  it('imports downwards only', () => {
    const wrong = own().flatMap(({ source, dependencies }) =>
      dependencies
        .filter(({ resolved }) => resolved.startsWith('src/'))
        .filter(({ resolved }) => !isAllowed(source, resolved))
        .map(({ resolved }) => `${source} -> ${resolved}`),
    );
    expect(wrong).toEqual([]);
  });

  it('registers the hub in one place, and imports it nowhere else', () => {
    const outside = own().filter(({ source }) => !source.startsWith('src/hub/'));
    const importers = outside.filter(({ dependencies }) =>
      dependencies.some(({ resolved }) => resolved.startsWith('src/hub/')),
    );
    expect(importers.map(({ source }) => source)).toEqual(['src/program.ts']);
  });

  it('keeps surfaces independent, except for the command line, which starts the others', () => {
    const surfaces = own().filter(({ source }) => source.startsWith('src/surfaces/'));
    const wrong = surfaces.flatMap(({ source, dependencies }) =>
      dependencies
        .map(({ resolved }) => [surfaceOf(source), surfaceOf(resolved)])
        .filter(([from, to]) => to !== undefined && from !== to)
        .map((pair) => pair.join(' -> ')),
    );
    expect([...new Set(wrong)].sort()).toEqual(['cli -> viewer']);
  });

  it('has no circles of files or folders at any level, imports of types included', () => {
    const edges = own().flatMap(({ source, dependencies }) =>
      dependencies.filter(({ resolved }) => resolved.startsWith('src/')).map(({ resolved }) => ({ source, resolved })),
    );
    expect(circles(edges)).toEqual([]);
    const back = { source: 'src/git/git.ts', resolved: 'src/program.ts' };
    expect(circles([...edges, back])).toContain('src: git, program.ts');
    const inner = { source: 'src/hub/rights/access.ts', resolved: 'src/hub/open.ts' };
    expect(circles([...edges, inner])).toContain('src/hub: open.ts, rights');
  });

  it('loads a package only where it is listed', () => {
    const wrong = own().flatMap(({ source, dependencies }) =>
      packagesOf(dependencies)
        .filter((name) => IMPORTERS[name]?.every((path) => !source.startsWith(`src/${path}`)))
        .map((name) => `${source} -> ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('keeps packages out of the modules that every hook loads', () => {
    const starts = own().filter(({ source }) => PACKAGE_FREE.some((path) => source.startsWith(path)));
    expect(starts.length).toBeGreaterThan(5);
    expect(starts.flatMap(({ source }) => reachedPackages(source))).toEqual([]);
  });

  it('keeps other repositories out of everything that is injected', () => {
    const starts = own().filter(
      ({ source }) => UNLINKED.some((path) => source.startsWith(path)) && !ASKED.test(source),
    );
    expect(starts.length).toBeGreaterThan(40);
    const wrong = starts.flatMap(({ source, dependencies }) =>
      dependencies
        .filter(({ resolved }) => /^src\/(?:exchange\/places\/|git\/network\.ts)/.test(resolved))
        .map(({ resolved }) => `${source} -> ${resolved}`),
    );
    expect(wrong).toEqual([]);
  });

  it('has no function or class above 80 lines without a reason beside it', () => {
    const long = own().flatMap(({ source }) => longCodeIn(source, MOST_LINES));
    expect(long.length).toBeGreaterThan(0);
    expect(long.filter(({ hasReason }) => !hasReason)).toEqual([]);
  });

  it.each([
    ['/** What it is for. Long because it is a list. */\nexport function list() {\nfirst();\nsecond();\n}', true],
    [
      '/**\n * What it is for: the parts share one state.\n * Long because it is a list.\n */\nclass List {\nfirst;\n}',
      true,
    ],
    ['/** What it is for. It is long. */\nexport function list() {\nfirst();\n}', false],
    ['/** Long because it is a list. */\nconst one = 1;\n\nexport const list = () => {\nfirst();\n};', false],
    ['class List {\n/** Long because. */\nall() {\nfirst();\n}\n}', false],
  ])('finds the reason of long code in its own comment: %j', (text, hasReason) => {
    const found = longCodeIn('list.ts', 2, text);
    expect(found.length).toBeGreaterThan(0);
    expect(found.every((one) => one.hasReason === hasReason)).toBe(true);
  });

  it('keeps SQLite and providers out of the briefing', () => {
    const reached = reachable('src/surfaces/hook/brief.ts');
    expect(reached.size).toBeGreaterThan(15);
    expect(
      [...reached].filter((path) => /src\/(index|capture\/extract\/providers)\/|better-sqlite3|anthropic/.test(path)),
    ).toEqual([]);
  });
});

/** What is injected comes from this repository alone, and so does what agents are told that did not name others. */
const UNLINKED = [
  ...['src/surfaces/hook/', 'src/surfaces/mcp/', 'src/capture/', 'src/index/', 'src/records/', 'src/search/'],
  ...['src/inject/', 'src/project.ts'],
];

/** Where agents name others. */
const ASKED = /^src\/surfaces\/mcp\/(?:repositories|tools\/reading)\.ts$/;

function folderOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/** `cli`, `mcp`, `viewer` or `hook`; undefined elsewhere. */
function surfaceOf(path: string): string | undefined {
  return /^src\/surfaces\/([^/]+)/.exec(path)?.[1];
}

function layerOf(folder: string): number {
  return LAYERS.findIndex((folders) => folders.includes(folder));
}

function isAllowed(from: string, to: string): boolean {
  const [above, below] = [folderOf(from), folderOf(to)];
  return above === below || layerOf(above) > layerOf(below) || (layerOf(above) === 0 && layerOf(below) === 0);
}

/**
 * Pairs of files and folders of one folder that reach each other, as `FOLDER: ONE, OTHER`: a file stands for itself in its
 * own folder, and for its folder in those above.
 */
function circles(edges: { source: string; resolved: string }[]): string[] {
  const reached = new Map<string, Map<string, Set<string>>>();
  for (const { source, resolved } of edges) {
    const [from, to] = [source.split('/'), resolved.split('/')];
    const depth = from.findIndex((part, i) => part !== to[i]);
    if (depth < 0) continue;
    const folder = getOr(reached, from.slice(0, depth).join('/'), () => new Map<string, Set<string>>());
    getOr(folder, from[depth] ?? '', () => new Set()).add(to[depth] ?? '');
  }
  return [...reached].flatMap(([folder, next]) => {
    const from = new Map([...next.keys()].map((one) => [one, closure(one, next)]));
    const pairs = [...from].flatMap(([one, all]) => [...all].map((other) => [one, other] as const));
    return pairs
      .filter(([one, other]) => one < other && from.get(other)?.has(one))
      .map(([one, other]) => `${folder}: ${one}, ${other}`);
  });
}

/** All that can be reached from one node. */
function closure(start: string, next: Map<string, Set<string>>): Set<string> {
  const seen = new Set<string>();
  const open = [start];
  for (let one = open.pop(); one !== undefined; one = open.pop())
    for (const other of next.get(one) ?? []) if (!seen.has(other)) seen.add(other) && open.push(other);
  return seen;
}

function getOr<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}

/** An import of types alone, which loads nothing. */
function isType({ dependencyTypes }: IModule['dependencies'][number]): boolean {
  return dependencyTypes.includes('type-only');
}

function packagesOf(dependencies: IModule['dependencies']): string[] {
  return dependencies
    .filter((d) => !isType(d) && d.dependencyTypes.some((type) => type.startsWith('npm')))
    .map(({ module }) =>
      module.startsWith('@') ? module.split('/').slice(0, 2).join('/') : (module.split('/')[0] ?? ''),
    );
}

/** Everything that loading a file loads: dynamic imports and types are not followed. */
function reachable(start: string): Set<string> {
  const seen = new Set<string>();
  const visit = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    const dependencies = modules.find(({ source }) => source === path)?.dependencies ?? [];
    for (const d of dependencies) if (!d.dynamic && !isType(d)) visit(d.resolved);
  };
  visit(start);
  return seen;
}

function reachedPackages(start: string): string[] {
  return [...reachable(start)].filter((path) => path.includes('node_modules')).map((path) => `${start} -> ${path}`);
}
