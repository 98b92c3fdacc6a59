import { describe, expect, it } from 'vitest';
import { createCleaner } from '../../../src/capture/drain/clean.ts';
import { bootstrap } from '../../../src/exchange/bootstrap/bootstrap.ts';
import type { Observation } from '../../../src/memory/record.ts';
import { openWorkspace } from '../../../src/memory/store/workspace.ts';
import { commitMany, dayAfter } from '../../support/dated-commits.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';

async function mine({ root, env }: TestRepository): Promise<{ pattern: string; record: Observation }[]> {
  const options = { store: 'private' as const, limit: 30, cleaner: createCleaner([]), now: new Date() };
  return (await bootstrap(openWorkspace(root, env), options)).records;
}

let day = 0;

async function recordsOf(files: Record<string, string>, repository = createRepository()): Promise<Observation[]> {
  commitMany(repository, [{ day: dayAfter(day++), message: 'Work', files }]);
  return (await mine(repository)).map(({ record }) => record);
}

describe('instructions for working here', () => {
  it('are quoted from a package, its pipeline and its guide, with the source of each', async () => {
    const records = await recordsOf({
      'package.json':
        '{\n  "engines": {\n    "node": ">=20"\n  },\n  "scripts": {\n    "test": "vitest run",\n    "lint": "biome check",\n    "build": "tsc"\n  }\n}\n',
      'pnpm-lock.yaml': '',
      '.github/workflows/ci.yml':
        'jobs:\n  test:\n    steps:\n      - run: pnpm install --frozen-lockfile\n      - run: pnpm test --coverage\n',
      '.github/workflows/publish.yml':
        'on:\n  push:\n    tags: ["v*"]\njobs:\n  npm:\n    steps:\n      - run: pnpm publish\n',
      'CONTRIBUTING.md': '# Contributing\n\n## Tests\n\nOne file alone runs with\n`pnpm test src/a.test.ts`.\n',
    });
    expect(records.map(({ title }) => title).sort()).toEqual([
      'Build with pnpm run build',
      'Check style and types with pnpm run lint',
      'Release with pnpm publish',
      'Run the tests with pnpm test',
      'Set up a checkout with pnpm install --frozen-lockfile',
    ]);
    const test = records.find(({ title }) => title.startsWith('Run the tests'));
    expect(test?.facts).toEqual([
      'package.json:6: "test": "vitest run",',
      'CONTRIBUTING.md:6: pnpm test src/a.test.ts',
      '.github/workflows/ci.yml:5: - run: pnpm test --coverage',
    ]);
    expect(records.find(({ title }) => title.startsWith('Set up'))?.facts).toContain('package.json:3: "node": ">=20"');
  });

  it.each([
    ['a Makefile', { Makefile: 'test: deps\n\tgo test ./...\n' }, 'Run the tests with make test'],
    ['tox', { 'tox.ini': '[tox]\nenvlist = py\n' }, 'Run the tests with tox'],
    ['Gradle', { '.gitlab-ci.yml': 'test:\n  script:\n    - ./gradlew check\n' }, 'Run the tests with ./gradlew check'],
    ['Maven', { '.travis.yml': 'script: mvn -B verify\n' }, 'Run the tests with mvn -B verify'],
    [
      'Cargo',
      { '.circleci/config.yml': 'jobs:\n  a:\n    steps:\n      - run: cargo test --workspace\n' },
      'Run the tests with cargo test --workspace',
    ],
    [
      'Composer',
      { 'composer.json': '{\n  "scripts": {\n    "test": "phpunit"\n  }\n}\n' },
      'Run the tests with composer test',
    ],
    [
      'CMake',
      { '.github/workflows/a.yml': 'x:\n  run: |\n    ctest --output-on-failure\n' },
      'Run the tests with ctest --output-on-failure',
    ],
    ['Jenkins', { Jenkinsfile: "stage('t') {\n  sh 'dotnet test'\n}\n" }, 'Run the tests with dotnet test'],
  ])('are found for %s', async (_, files, title) => {
    expect((await recordsOf(files as Record<string, string>)).map((record) => record.title)).toContain(title);
  });

  it('are not what users of the package type, nor what a pipeline fills in', async () => {
    const records = await recordsOf({
      'README.md': '# Thing\n\n## Usage\n\nnpm test\n\n```sh\nnpm install\npytest\n```\n',
      '.github/workflows/a.yml': 'x:\n  - run: npm test -- ${{ matrix.flags }}\n',
    });
    expect(records).toEqual([]);
  });

  it('name what CI mostly runs, even where a task has that name', async () => {
    const job = (...commands: string[]) => `jobs:\n${commands.map((command) => `      - run: ${command}\n`).join('')}`;
    const records = await recordsOf({
      'package.json': '{\n"scripts": {\n"test": "npm run unit && tsc",\n"unit": "node --test"\n}\n}\n',
      '.github/workflows/ci.yml': job('npm run unit', 'npm run unit', 'npm run unit'),
      '.github/workflows/others.yml': job('pnpm run test:ci'),
    });
    expect(records.find(({ title }) => title.startsWith('Run the tests'))?.narrative).toContain(
      'Run the tests with `npm test` (package.json:3). CI runs `npm run unit` (.github/workflows/ci.yml:2).',
    );
  });

  it('are not special cases: another platform, a tool for one job, a name to fill in', async () => {
    const records = await recordsOf({
      'CONTRIBUTING.md':
        "# Contributing\n\n## Profiling\n\n```sh\ncargo build --target x86_64-unknown-linux-musl --profile profiling\n```\n\n## Testing\n\n```sh\ncargo nextest run -E 'test(test_name)'\n```\n",
      '.github/workflows/coverage.yml': 'x:\n  - run: rustup component add llvm-tools-preview\n',
    });
    expect(records).toEqual([]);
  });

  it('exclude a task that only a release pipeline runs', async () => {
    const records = await recordsOf({
      'package.json': '{\n"scripts": {\n"ci-publish": "tsx scripts/publish.ts"\n}\n}\n',
      '.github/workflows/release.yml': 'on:\n  workflow_dispatch:\njobs:\n  a:\n    - run: npm run ci-publish\n',
    });
    expect(records.map(({ title }) => title)).toEqual(['Release with the pipeline .github/workflows/release.yml']);
  });

  it('are recorded again only when the quoted text changes, and then replace the old record', async () => {
    const repository = createRepository();
    const [first] = await recordsOf({ Makefile: 'test:\n\tprove\n' }, repository);
    expect(await recordsOf({ Makefile: '# Moved down.\ntest:\n\tprove\n' }, repository)).toEqual([]);
    const again = await recordsOf({ Makefile: 'test: build\n\tprove\n' }, repository);
    expect(again.map(({ supersedes }) => supersedes)).toEqual([[first?.id]]);
  });
});

describe('the title of a requirement', () => {
  const titlesOf = async (guide: string) =>
    (await recordsOf({ Makefile: 'lint:\n\tprove\n', 'CONTRIBUTING.md': guide })).map(({ title }) => title);

  it.each([
    [
      'below its heading',
      '## Tests\n\nIf you mend a bug, always add a test for it.\n',
      'Tests: If you mend a bug, always add a test for it',
    ],
    [
      'alone, where the heading takes its room',
      '## Notes on test dependencies\n\nFor a dependency that is faked, always put `@test/` before its name.\n',
      'For a dependency that is faked, always put @test/ before its name',
    ],
    [
      'without its condition, where that fills the line',
      '## Docs\n\nIf your contribution changes the behaviour that users of the package see, you must update the docs.\n',
      '… you must update the docs',
    ],
  ])('is %s', async (_, guide, title) => {
    expect(await titlesOf(guide)).toContain(title);
  });

  it('does not repeat a command that is already recorded', async () => {
    expect(await titlesOf('## Style\n\nRun `make lint` to ensure that your code adheres to the style.\n')).toEqual([
      'Check style and types with make lint',
    ]);
  });
});

describe('the layout', () => {
  it('names code, tests and manual in a few lines, by their folder names', async () => {
    const files = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`packages/core/src/part${i}.ts`, `${i}\n`]));
    const [layout] = await recordsOf({
      ...files,
      'packages/core/package.json': '{\n  "description": "The engine without a face"\n}\n',
      'packages/ui/index.ts': '1\n',
      'test/engine.test.ts': '1\n',
      'docs/guide.md': 'How.\n',
      'dist/packages/out.js': '1\n',
    });
    expect(layout?.narrative).toBe(
      'Look for code in packages/core/ and packages/ui/. New tests go into test/, named as in test/engine.test.ts. The manual is in docs/: change it with what it describes.',
    );
    expect(layout?.facts[0]).toBe('packages/core/: "The engine without a face" (packages/core/package.json:2)');
  });
});

describe('requirements for a change', () => {
  it('are quoted by section, without small talk and optional advice', async () => {
    const records = await recordsOf({
      'CONTRIBUTING.md':
        '# Contributing\n\nThank you, please feel free to ask about tests.\n\n## Reporting bugs\n\nYou must include a test version.\n\n## Dependencies\n\nDo not add a dependency for what the\nstandard library does. Tools that do not follow this exist.\n',
    });
    expect(records.map(({ title, facts }) => [title, facts])).toEqual([
      [
        'Dependencies: Do not add a dependency for what the standard library does',
        ['CONTRIBUTING.md:11: Do not add a dependency for what the standard library does.'],
      ],
    ]);
    // A section may be about releases or plugins alone, so nothing is said of how far it reaches.
    expect(records[0]?.narrative).toMatch(/^The section "Dependencies" \(CONTRIBUTING\.md:9\) demands: "/);
  });
});

describe('decisions', () => {
  it('are taken from decision records that are in force or were rejected', async () => {
    const adr = (status: string, what: string) =>
      `# 3. ${what}\n\n## Status\n\n${status}\n\n## Context\n\nTwo services write.\n\n## Decision\n\nWe use ${what} for everything.\n`;
    const records = await recordsOf({
      'docs/adr/0003-queues.md': adr('Accepted', 'queues'),
      'docs/adr/0004-files.md': adr('Superseded by 5', 'files'),
      'docs/adr/0005-pipes.md': adr('Rejected', 'pipes'),
      'docs/adr/template.md': adr('Accepted', 'a title'),
    });
    expect(records.map(({ title }) => title).sort()).toEqual(['Decided: queues', 'Rejected: pipes']);
    expect(records.find(({ title }) => title.startsWith('Decided'))?.narrative).toContain(
      '"We use queues for everything." (docs/adr/0003-queues.md:13)',
    );
  });

  it('are taken from removals in the newest releases, but not from fixes', async () => {
    const records = await recordsOf({
      'CHANGELOG.md':
        '# Changes\n\n## 3.0.0\n\n- Fix a crash in `parse()` for empty input.\n- Errors are no longer swallowed by the pool.\n- Drop support for Node 18.\n- `deprecated: bool` can now be used on options.\n\n## 2.9.0\n\n### Deprecated\n\n- `openSync()`: use **open_file** or `__open__` instead of it.\n\n## 2.8.0\n\n- Add things.\n',
    });
    expect(records.map(({ title, facts }) => [title, facts])).toEqual([
      ['3.0.0: Drop support for Node 18', ['CHANGELOG.md:7: Drop support for Node 18.']],
      [
        '2.9.0: openSync(): use open_file or __open__ instead of it',
        ['CHANGELOG.md:14: `openSync()`: use **open_file** or `__open__` instead of it.'],
      ],
    ]);
  });

  it('are taken from sections that give reasons', async () => {
    const why = 'Threads share memory, and what shares memory races in ways that no test of ours ever finds.';
    const records = await recordsOf({ 'docs/design.md': `# Design\n\n## Why not threads\n\n${why}\n` });
    expect(records.map(({ title, facts }) => [title, facts])).toEqual([
      ['Reasons are written down: Why not threads', [`docs/design.md:5: ${why}`]],
    ]);
  });
});
