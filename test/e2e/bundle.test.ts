import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect } from 'vitest';
import { run as command } from '../support/command.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { it } from '../support/with-repository.ts';
import { observationOf, put } from '../support/written-records.ts';

/**
 * What a command may make V8 run before it begins, in bytes of modules as they stand in its bundle: a
 * schema library that comes along whole is half a megabyte.
 */
const MOST = 765_000;

describe('the bundle', () => {
  it.each([
    ['search', 'quick'],
    ['list', 'quick'],
    ['show', 'quick'],
    ['status', 'quick'],
    ['context', 'main'],
  ])('makes %s load no more than it needs', async (command, bundle) => {
    const entry = bundle === 'main' ? 'src/program.ts' : `src/surfaces/cli/${bundle}.ts`;
    const { metafile } = await build({
      entryPoints: [entry],
      outfile: 'bundle.cjs',
      write: false,
      metafile: true,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      minifySyntax: true,
      minifyWhitespace: true,
      mainFields: ['module', 'main'],
      external: [
        'better-sqlite3',
        '@modelcontextprotocol/*',
        'pg',
        'umzug',
        'jose',
        'openid-client',
        '@electric-sql/pglite',
      ],
      logLevel: 'silent',
    });
    const sizes = metafile.outputs['bundle.cjs']?.inputs ?? {};
    const seen = new Set<string>();
    const visit = (path: string) => {
      if (seen.has(path)) return;
      seen.add(path);
      for (const { path: next, kind, external } of metafile.inputs[path]?.imports ?? []) {
        if (kind !== 'dynamic-import' && !external) visit(next);
      }
    };
    for (const start of [entry, `src/surfaces/cli/commands/${command}.ts`]) visit(start);
    expect(seen.size).toBeGreaterThan(50);
    const weight = [...seen].reduce((sum, path) => sum + (sizes[path]?.bytesInOutput ?? 0), 0);
    expect(weight).toBeLessThan(MOST);
  });
});

describe('a bundle that runs from the compile cache', () => {
  it('is ASCII, the encoding it is read as', () => {
    const bundles = readdirSync('dist').filter((name) => name.endsWith('.cjs'));
    expect(bundles.length).toBeGreaterThan(5);
    const others = bundles.flatMap(
      (name) => readFileSync(join('dist', name), 'utf8').match(/.{0,20}[^\0-\x7f]/g) ?? [],
    );
    expect(others).toEqual([]);
  });

  it('keeps the characters of its regular expressions', ({ repository }) => {
    put(repository, observationOf({ id: 'aaaaaaaaaa', title: 'Die Straße ist nachts gesperrt' }));
    expect(repository.gitMem('search', 'strasse')).toContain('Straße');
    expect(repository.gitMem('search', 'nachts straße')).toContain('Straße');
  });
});

it('keeps the hub in a file that no other command loads', () => {
  const maps = readdirSync('dist').filter((name) => name.endsWith('.cjs.map'));
  const holding = maps.filter((name) => {
    const { sources }: { sources: string[] } = JSON.parse(readFileSync(join('dist', name), 'utf8'));
    return sources.some((source) => source.includes('src/hub/server/'));
  });
  expect(holding).toEqual(['hub.cjs.map']);
});

it('names files of src/ in a bug’s stack trace', ({ repository }) => {
  put(repository, observationOf({ id: 'aaaaaaaaaa', title: 'A record to print' }));
  const preload = join(repository.folder, 'preload.cjs');
  writeFileSync(
    preload,
    "Object.defineProperty(process.stdout, 'isTTY', { get() { throw new TypeError('broken on purpose'); } });",
  );
  // Once as V8 compiles it, once as it was kept.
  for (let run = 0; run < 2; run++) {
    const { status, stderr } = command(repository, ['--color=auto', 'list'], {
      NODE_OPTIONS: `--require "${preload}"`,
    });
    expect(status).toBe(70);
    const line = readFileSync('src/surfaces/cli/print.ts', 'utf8')
      .split('\n')
      .findIndex((text) => text.includes('stream.isTTY'));
    expect(stderr).toContain(`(src/surfaces/cli/print.ts:${line + 1}:`);
    expect(stderr).toContain('(src/surfaces/cli/commands/list.ts:');
  }
});

describe('the V8 compile cache', () => {
  /** A repository whose user keeps it at the usual place. */
  function created(): { repository: TestRepository; folder: string; kept: () => string[] } {
    const repository = createRepository();
    repository.env.NODE_COMPILE_CACHE = undefined;
    const folder = join(repository.env.HOME ?? '', '.cache/git-mem/compiled');
    return { repository, folder, kept: () => readdirSync(folder).map((name) => join(folder, name)) };
  }

  it('is kept for the next process, readable by this user alone', () => {
    const { repository, folder, kept } = created();
    const first = repository.gitMem('config');
    const [path = ''] = kept();
    const { mtimeMs, mode, size } = statSync(path);
    expect([mode & 0o077, statSync(folder).mode & 0o077]).toEqual([0, 0]);
    expect(size).toBeGreaterThan(100_000);
    expect(repository.gitMem('config')).toBe(first);
    // Taken as it is: it would have been written again otherwise.
    expect(kept()).toEqual([path]);
    expect(statSync(path).mtimeMs).toBe(mtimeMs);
  });

  it('does no harm when it is torn, and is written again', () => {
    const { repository, kept } = created();
    const first = repository.gitMem('config');
    const [path = ''] = kept();
    const whole = readFileSync(path);
    for (const torn of [whole.subarray(0, 1000), Buffer.alloc(0), Buffer.alloc(whole.length, 7)]) {
      writeFileSync(path, torn);
      expect(repository.gitMem('config')).toBe(first);
      expect(readFileSync(path).length).toBeGreaterThan(100_000);
    }
  });

  it('is skipped where it cannot be kept or is not wanted', () => {
    const { repository, folder } = created();
    mkdirSync(join(folder, '..'), { recursive: true });
    writeFileSync(folder, 'A file lies here.');
    expect(repository.gitMem('--version')).toMatch(/^\d/);
    expect(repository.gitMem('config')).toContain('extract');
    const other = created();
    other.repository.env.NODE_DISABLE_COMPILE_CACHE = '1';
    other.repository.gitMem('config');
    expect(other.kept).toThrow('ENOENT');
  });
});

it('shows the same help as the command line', async ({ repository: { gitMem, call } }) => {
  for (const option of ['--help', '-h']) expect(gitMem(option)).toBe(await call('help'));
  expect(gitMem('-V')).toBe(gitMem('--version'));
});
