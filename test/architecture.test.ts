import { cruise, type IModule } from 'dependency-cruiser';
import { beforeAll, describe, expect, it } from 'vitest';

/** Rooms of the house, lowest floor first: imports run downwards, and sideways only where SIDEWAYS says so. */
const FLOORS: string[][] = [
  [
    'errors.ts',
    'templates.ts',
    'memory',
    'config.ts',
    'config-schema.ts',
    'setting-words.ts',
    'issue-words.ts',
    'user-folders.ts',
  ],
  ['privacy', 'repo'],
  ['cache', 'store', 'spool', 'agents', 'compiled.ts'],
  ['worker', 'recall', 'extract', 'provenance', 'setup', 'demo', 'interop', 'review', 'pack', 'commit', 'links'],
  ['project.ts'],
  ['viewer'],
  ['hook', 'cli', 'mcp'],
  ['bin.ts'],
];

/** The one-way doors between rooms of one floor. */
const SIDEWAYS = new Set([
  'memory -> errors.ts',
  'config.ts -> errors.ts',
  'config.ts -> config-schema.ts',
  'config.ts -> user-folders.ts',
  'privacy -> repo',
  'cache -> store',
  'worker -> extract',
  'worker -> provenance',
  'recall -> provenance',
  'setup -> worker',
  'setup -> recall',
  'setup -> extract',
  'setup -> provenance',
  'interop -> worker',
  'interop -> recall',
  'interop -> extract',
  'interop -> provenance',
  'interop -> review',
  'review -> provenance',
  'review -> recall',
  'pack -> provenance',
  'pack -> recall',
  'commit -> worker',
  'links -> recall',
]);

/** The only file or folder that may load each package. */
const DOORS: Record<string, string[]> = {
  'gray-matter': ['memory/front-matter.ts'],
  'js-yaml': ['memory/front-matter.ts', 'config.ts', 'setup/user-settings.ts'],
  unified: ['memory/outline.ts', 'viewer/web/parts/markdown.tsx'],
  'remark-parse': ['memory/outline.ts', 'viewer/web/parts/markdown.tsx'],
  'rehype-sanitize': ['viewer/web/parts/markdown.tsx'],
  preact: ['viewer/web/'],
  '@tanstack/virtual-core': ['viewer/web/window-list.ts'],
  'd3-hierarchy': ['viewer/web/parts/treemap.tsx'],
  '@anthropic-ai/sdk': ['extract/providers/anthropic.ts'],
  '@secretlint/secretlint-rule-preset-recommend': ['privacy/secretlint.ts'],
  'better-sqlite3': ['cache/sqlite/drivers.ts'],
  minisearch: ['cache/minisearch-index.ts'],
  'simple-git': ['repo/git.ts'],
  commander: ['cli/'],
  '@clack/prompts': ['cli/'],
  'jsonc-parser': ['setup/'],
  '@modelcontextprotocol/server': ['mcp/'],
  chokidar: ['worker/watch.ts'],
};

/** What hooks and their floors may not reach, however indirectly: loading a package costs more than the whole hook. */
const PACKAGE_FREE = [
  'src/hook/record.ts',
  'src/hook/wake.ts',
  'src/hook/status-line.ts',
  'src/spool/',
  'src/agents/',
  'src/repo/locate.ts',
  'src/repo/layout.ts',
];

/** Far fewer modules than this means that nothing was looked at. */
const MODULE_FLOOR = 60;

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

describe('the house', () => {
  it('was looked at', () => {
    expect(own().length).toBeGreaterThan(MODULE_FLOOR);
    expect(own().flatMap(({ dependencies }) => dependencies).length).toBeGreaterThan(MODULE_FLOOR * 2);
  });

  it('has a floor for every room', () => {
    const rooms = new Set(own().map(({ source }) => roomOf(source)));
    expect([...rooms].filter((room) => floorOf(room) < 0)).toEqual([]);
  });

  it('imports downwards only', () => {
    const wrong = own().flatMap(({ source, dependencies }) =>
      dependencies
        .filter(({ resolved }) => resolved.startsWith('src/'))
        .filter(({ resolved }) => !isAllowed(roomOf(source), roomOf(resolved)))
        .map(({ resolved }) => `${source} -> ${resolved}`),
    );
    expect(wrong).toEqual([]);
  });

  it('has no cycles', () => {
    const circular = own().flatMap(({ source, dependencies }) =>
      dependencies.filter((d) => d.circular && !d.typeOnly).map(({ resolved }) => `${source} -> ${resolved}`),
    );
    expect(circular).toEqual([]);
  });

  it('loads each package through one door', () => {
    const wrong = own().flatMap(({ source, dependencies }) =>
      packagesOf(dependencies)
        .filter((name) => DOORS[name]?.every((door) => !source.startsWith(`src/${door}`)))
        .map((name) => `${source} -> ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('keeps packages out of what every hook loads', () => {
    const starts = own().filter(({ source }) => PACKAGE_FREE.some((path) => source.startsWith(path)));
    expect(starts.length).toBeGreaterThan(5);
    expect(starts.flatMap(({ source }) => reachedPackages(source))).toEqual([]);
  });

  it('keeps linked repositories out of all that is told unasked', () => {
    const starts = own().filter(({ source }) => UNLINKED.some((path) => source.startsWith(path)));
    expect(starts.length).toBeGreaterThan(40);
    const wrong = starts.flatMap(({ source, dependencies }) =>
      dependencies
        .filter(({ resolved }) => /^src\/(?:links\/|repo\/network\.ts|store\/linked\.ts)/.test(resolved))
        .map(({ resolved }) => `${source} -> ${resolved}`),
    );
    expect(wrong).toEqual([]);
  });

  it('keeps SQLite and providers out of the briefing', () => {
    const reached = reachable('src/hook/brief.ts');
    expect(reached.size).toBeGreaterThan(15);
    expect(
      [...reached].filter((path) => /src\/(cache|extract\/providers)\/|better-sqlite3|anthropic/.test(path)),
    ).toEqual([]);
  });
});

/** What is told unasked comes from this repository alone, and the server for agents asks nobody else either. */
const UNLINKED = ['src/hook/', 'src/mcp/', 'src/worker/', 'src/recall/', 'src/project.ts'];

function roomOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function floorOf(room: string): number {
  return FLOORS.findIndex((rooms) => rooms.includes(room));
}

function isAllowed(from: string, to: string): boolean {
  return from === to || floorOf(from) > floorOf(to) || SIDEWAYS.has(`${from} -> ${to}`);
}

function packagesOf(dependencies: IModule['dependencies']): string[] {
  return dependencies
    .filter(({ dependencyTypes, typeOnly }) => !typeOnly && dependencyTypes.some((type) => type.startsWith('npm')))
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
    for (const { resolved, dynamic, typeOnly } of dependencies) if (!dynamic && !typeOnly) visit(resolved);
  };
  visit(start);
  return seen;
}

function reachedPackages(start: string): string[] {
  return [...reachable(start)].filter((path) => path.includes('node_modules')).map((path) => `${start} -> ${path}`);
}
