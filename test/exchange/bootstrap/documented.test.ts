import { describe, expect, it } from 'vitest';
import { recordsOf } from './quoted.ts';

describe('instructions for working here', () => {
  it('are quoted from a package and its guide, not from its pipeline, most needed first, with the source of each', async () => {
    const records = await recordsOf({
      'package.json':
        '{\n  "engines": {\n    "node": ">=20"\n  },\n  "scripts": {\n    "test": "vitest run",\n    "lint": "biome check",\n    "format": "biome format --write",\n    "build": "tsc"\n  }\n}\n',
      'pnpm-lock.yaml': '',
      '.github/workflows/ci.yml': 'jobs:\n  test:\n    steps:\n      - run: pnpm test --coverage\n',
      'CONTRIBUTING.md': '# Contributing\n\n## Tests\n\nOne file alone takes a second.\n',
    });
    expect(records.map(({ title }) => title)).toEqual([
      'package.json: pnpm run build, whose recipe is tsc',
      'package.json: pnpm test, whose recipe is vitest run',
      'package.json: pnpm run lint, whose recipe is biome check',
      'package.json: pnpm run format, whose recipe is biome format --write',
    ]);
    const test = records.find(({ title }) => title.includes('pnpm test'));
    expect(test?.narrative).toBe('package.json:6 declares `pnpm test`, whose recipe is `vitest run`.');
    expect(test?.facts).toEqual(['package.json:6: "test": "vitest run",']);
  });

  it('are what runs, not what a target, a job or a matrix is called', async () => {
    const records = await recordsOf({
      Makefile: 'all:\n\tpip install -r requirements.txt\n\nbuild:\n\tpip install -e .\n',
      'README.md': '# Thing\n\n## Development\n\n```sh\nmake\n```\n',
      '.github/workflows/ci.yml':
        'jobs:\n  codespell:\n    needs:\n      - build\n    strategy:\n      matrix:\n        task: [lint]\n    steps:\n      - name: cargo test\n        with:\n          args: npm test\n',
    });
    expect(records.map(({ title, narrative }) => [title, narrative])).toEqual([
      ['README.md, "Development": make', 'The section "Development" (README.md:3) has `make`.'],
    ]);
  });

  it('are not those of a package beside the manifest of another language', async () => {
    const files = { 'package.json': '{\n"scripts": {\n"test": "jest"\n}\n}\n', 'mix.exs': '' };
    expect(await recordsOf(files)).toEqual([]);
  });

  it('are tasks by their exact names, that end by themselves', async () => {
    const records = await recordsOf({
      justfile:
        "watch +args='lcheck':\n  cargo watch --exec '{{ args }}'\n\ntest: (watch 'ltest')\n\ncheck: (watch 'lcheck')\n\ntest-quine:\n  cargo test quine\n\nbuild TARGET:\n  cargo build\n",
      'package.json':
        '{\n"scripts": {\n"test:release": "git push --tags",\n"unit": "npm run loop",\n"loop": "node --watch a.js"\n}\n}\n',
      'tox.ini': '[tox]\nenvlist = docs\n[testenv:docs-watch]\ncommands = sphinx-autobuild\n',
      'CONTRIBUTING.md': '# Contributing\n\n```sh\ntox run -e docs-watch\ncargo watch -x test\n```\n',
    });
    expect(records).toEqual([]);
  });

  it('are tasks with their recipes, whole', async () => {
    const titles = async (makefile: string) => (await recordsOf({ Makefile: makefile })).map(({ title }) => title);
    const check = (recipe: string) => titles(`check:\n\t${recipe}\n`);
    expect(await titles('fmt:\n\ttest -z $(shell gofmt -l .)\n')).toEqual([
      'Makefile: make fmt, whose recipe is test -z $(shell gofmt -l .)',
    ]);
    expect(await titles('fmt:\n\tgofmt -w .\n\tgoimports -w .\n')).toEqual(['Makefile: make fmt']);
    expect(await check('cargo clippy')).toEqual(['Makefile: make check, whose recipe is cargo clippy']);
    const [long] = await recordsOf({ Makefile: `test:\n${'\tgo test ./a\n'.repeat(9)}` });
    expect([long?.narrative, long?.facts]).toEqual(['Makefile:1 declares `make test`.', ['Makefile:1: test:']]);
    const [open] = await recordsOf({ Makefile: 'test:\n\tgo test ./a\nifdef B\n\tgo test ./b\nendif\n' });
    expect(open?.facts).toEqual(['Makefile:1: test:']);
  });

  it('quote what a target runs, not its variables', async () => {
    const makefile = 'test: export X = y\ntest: CGO_ENABLED=1\ntest: build\n\tX=1 ./tool run\n\tX=1 go test ./...\n';
    const [test] = await recordsOf({ Makefile: makefile });
    expect([test?.title, test?.narrative, test?.facts]).toEqual([
      'Makefile: make test',
      'Makefile:3 declares `make test`, whose recipe is `X=1 ./tool run`, then `X=1 go test ./...`.',
      ['Makefile:3: test: build', 'Makefile:4: X=1 ./tool run', 'Makefile:5: X=1 go test ./...'],
    ]);
  });

  it.each([
    ['a Makefile', { Makefile: 'test: deps\n\tgo test ./...\n' }, 'Makefile: make test'],
    [
      'Composer',
      { 'composer.json': '{\n  "scripts": {\n    "test": "phpunit"\n  }\n}\n' },
      'composer.json: composer test, whose recipe is phpunit',
    ],
    ['tox', { 'tox.ini': '[testenv:style]\ncommands =\n    ruff check {posargs}\n' }, 'tox.ini: tox -e style'],
    [
      'a Makefile whose targets depend on a substitution',
      { Makefile: 'check: $(T:t/%.sh=$(B)/%.diff)\n\t@echo SUCCESS\n' },
      'Makefile: make check',
    ],
  ])('are found for %s', async (_, files, title) => {
    expect((await recordsOf(files as Record<string, string>)).map((record) => record.title)).toContain(title);
  });

  it.each([
    ['follows steps that it may need', 'git clone x\ncd x\nautoreconf -i   # from git\ncargo build\n', []],
    [
      'runs in a folder of the clone',
      'git clone x\ncd x/cmd/x/\ncargo build\n',
      ['README.md, "Building from source > Instructions": cd x/cmd/x/; cargo build'],
    ],
    [
      'runs in the clone',
      'git clone x\ncd x\ncargo build\n',
      ['README.md, "Building from source > Instructions": cargo build'],
    ],
  ])('are found below a heading for developers, where a build %s', async (_, code, titles) => {
    const readme = `# Thing\n\n## Building from source\n\n### Instructions\n\n\`\`\`sh\n${code}\`\`\`\n`;
    expect((await recordsOf({ 'README.md': readme })).map(({ title }) => title)).toEqual(titles);
  });

  it('are no output of a program, and nothing of a package or makefile that is elsewhere', async () => {
    const code = 'nox > tests: success\nnpm ci\nnpm test\nmake test\n';
    expect(await recordsOf({ 'CONTRIBUTING.md': `# Contributing\n\n\`\`\`sh\n${code}\`\`\`\n` })).toEqual([]);
  });

  it('are found in reStructuredText below its own headings, whose underlines open no code', async () => {
    const [test] = await recordsOf({
      'CONTRIBUTING.rst':
        'Contributing\n************\n\nPolicy\n------\n\nContext\n~~~~~~~\n\nWords.\n\nChanges\n-------\n\nShort\n~~~~~\n\nTests are run using tox::\n\n    tox -e py\n',
    });
    expect(test?.title).toBe('CONTRIBUTING.rst, "Changes > Short", "Tests are run using tox": tox -e py');
  });

  it("are found in a guide of a website's folder, however deep", async () => {
    const [test, rule] = await recordsOf({
      'docs/content/docs/contributing/workflow.md':
        '# Workflow\n\n## Tests\n\n```sh\ngo test ./...\n```\n\nYou must add a test for each change.\n',
    });
    expect([test?.title, rule?.title]).toEqual([
      'docs/content/docs/contributing/workflow.md, "Tests": go test ./...',
      'You must add a test for each change',
    ]);
  });
});

describe('steps before a change is handed in', () => {
  it('are quoted in their order, with the words around them', async () => {
    const records = await recordsOf({
      Makefile: 'lint:\n\t./check\n\ntest:\n\tgo test ./...\n',
      'AGENTS.md':
        '# Agents\n\n## Finish\n\nBefore you commit:\n\n1. Run `make fmt`.\n2. Run `make lint` and mend what it finds.\n3. Run `make test`.\n',
    });
    expect(records.map(({ title, narrative, facts }) => [title, narrative, facts[1]])).toEqual([
      [
        'AGENTS.md, "Finish", "Before you commit": Run make fmt; Run make lint and mend what it finds; Run make test',
        'The section "Finish" (AGENTS.md:3) has, under the words "Before you commit:", "Run `make fmt`.", "Run `make lint` and mend what it finds.", "Run `make test`.".',
        'AGENTS.md:8: Run `make lint` and mend what it finds.',
      ],
    ]);
  });
});

describe('commands of a guide', () => {
  const guide = async (text: string, files = {}) => {
    return (await recordsOf({ ...files, 'CONTRIBUTING.md': `# Contributing\n\n## Work\n\n${text}` })).map(
      ({ title }) => title,
    );
  };
  const code = (text: string) => `\`\`\`sh\n${text}\n\`\`\`\n`;

  it('are one record for a block, with the words behind each line', async () => {
    const [block, ...more] = await recordsOf({
      'CONTRIBUTING.md': `# Contributing\n\n## Work\n\n${code('./x test   # in a minute\n./x lint   # with --fix\n\n./x list')}`,
    });
    expect([block?.title, block?.facts, more]).toEqual([
      'CONTRIBUTING.md, "Work": ./x test # in a minute; ./x lint # with --fix; ./x list',
      [
        'CONTRIBUTING.md:6: ./x test # in a minute',
        'CONTRIBUTING.md:7: ./x lint # with --fix',
        'CONTRIBUTING.md:9: ./x list',
      ],
      [],
    ]);
  });

  it.each([
    ['a type checker', code('mypy src'), ['CONTRIBUTING.md, "Work": mypy src']],
    [
      'a condition',
      `If you changed a page:\n\n${code('npm test')}`,
      ['CONTRIBUTING.md, "Work", "If you changed a page": npm test'],
    ],
    [
      'dots at the end',
      '- Run tests with: `go test ./...`\n',
      ['CONTRIBUTING.md, "Work": Run tests with: go test ./...'],
    ],
    ['a warning', 'It fails where you run `pytest` as root.\n', []],
    ['a condition that does not fit', `If ${'you changed a page '.repeat(9)}:\n\n${code('npm test')}`, []],
    ['another folder, named before', `Go into the folder \`web\`.\n\nThen:\n\n${code('npm test')}`, []],
    ['another language', '```ts\nnpm test\n```\n', []],
    ['what a program printed', code('nox > tests: success\nnpm test'), []],
    [
      'words that do not fit and name only the end',
      `Run this with all of the tests passing on a branch of your own before you submit a pull request:\n\n${code('./gradlew clean check')}`,
      ['CONTRIBUTING.md, "Work": ./gradlew clean check'],
    ],
    ['a placeholder', code('npm test -- <file>'), ['CONTRIBUTING.md, "Work": npm test -- <file>']],
    [
      'a clone, gone into before',
      `Go into the newly cloned directory.\n\nThen:\n\n${code('npm test')}`,
      ['CONTRIBUTING.md, "Work", "Then": npm test'],
    ],
    ['what a command does', '`npm run build` will do the following:\n\n- run tasks from `npm run build:app`\n', []],
    [
      'that a test environment lints',
      `${code('tox -e precommit')}\nThen:\n\n${code('tox -e py')}`,
      ['CONTRIBUTING.md, "Work", "Then": tox -e py', 'CONTRIBUTING.md, "Work": tox -e precommit'],
    ],
    ['a prompt', code('(.venv)$ tox -e py # Unit tests'), ['CONTRIBUTING.md, "Work": tox -e py # Unit tests']],
    ['that they do not work', `${code('make test')}\nWARNING: these are currently broken.\n`, []],
    ['that they never end', `In watch mode:\n\n${code('npm test')}`, []],
    ['an option that no program has', `To append a suffix to a name, use:\n\n${code('make PROG_SUFFIX=x')}`, []],
    ['a tool to install', code('cargo install --locked cargo-nextest'), []],
    ['a heading above', `### Fast\n\n${code('make test')}`, ['CONTRIBUTING.md, "Work > Fast": make test']],
  ])('say what stands beside them: %s', async (_, text, titles) => {
    expect(await guide(text)).toEqual(titles);
  });

  it.each([
    ['gives the same', `## Tests\n\n${code('go test ./a')}`, ['AGENTS.md, "Tests": go test ./a']],
    ['forbids it', 'Never run the tests of a release.\n', []],
    ['says nothing of it', 'Be kind.\n', ['CONTRIBUTING.md, "Work": go test ./...']],
  ])('are left to the guide for agents where it %s', async (_, text, titles) => {
    expect(await guide(code('go test ./...'), { 'AGENTS.md': `# Agents\n\n${text}` })).toEqual(titles);
  });

  it('run no more tests than a guide allows, however deep it lies', async () => {
    const deep = { 'src/x/CLAUDE.md': 'NEVER run the full test suite.\n', Makefile: 'test:\n\tgo test ./...\n' };
    expect(await guide(code('go test ./...'), deep)).toEqual([]);
    const own = { 'AGENTS.md': `# Agents\n\nDo not run all tests.\n\n## One\n\n${code('npm test -- --filter a')}` };
    expect(await guide(code('npm test'), own)).toEqual(['AGENTS.md, "One": npm test -- --filter a']);
  });

  it('are not declared once more', async () => {
    const script = { 'package.json': '{\n"scripts": {\n"lint": "eslint . && prettier --check ."\n}\n}\n' };
    expect(await guide(code('npm run lint'), script)).toEqual(['CONTRIBUTING.md, "Work": npm run lint']);
  });
});
