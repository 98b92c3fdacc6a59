import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
import { hookCall } from '../../support/hook-call.ts';
import { createRepository } from '../../support/repository.ts';
import { useSettings } from '../../support/team-settings.ts';
import { it } from '../../support/with-repository.ts';
import { observationOf, put } from '../../support/written-records.ts';
import { addedRecord } from './added-record.ts';

describe('git mem add', () => {
  it('makes a record from flags, and prints its id and its path', async ({ repository }) => {
    const texts = { title: 'Sessions live in Postgres', subtitle: 'No failover', narrative: 'Redis was rejected.' };
    const flags = Object.entries({ type: 'decision', ...texts }).flatMap(([name, text]) => [`--${name}`, text]);
    const lists = '--fact One. --fact Two. --concept storage --file-modified src/a.ts --file-read ./docs/b.md'.split(
      ' ',
    );
    const { code, stdout, stderr } = await gitMem(repository, ['add', ...flags, ...lists]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'No such file now: src/a.ts, docs/b.md.\n' });
    expect(stdout).toMatch(
      /^[0-9a-z]{10} {2}\.memory\/observations\/\d{4}-\d\d\/\d{8}T\d{6}Z-sessions-live-in-postgres-[0-9a-z]{4}-[0-9a-z]{10}\.md\n$/,
    );
    expect(addedRecord(repository, stdout)).toMatchObject({
      type: 'decision',
      ...texts,
      facts: ['One.', 'Two.'],
      concepts: ['storage'],
      files_modified: ['src/a.ts'],
      files_read: ['docs/b.md'],
      generated: { by: 'cli' },
    });
  });

  it('takes the paths of this machine out of the text, the title and the name of the file', async ({ repository }) => {
    const { root, env } = repository;
    const words = ['--narrative', `See ${root}/src/a.ts and ${env.HOME}/notes/x.md.`, '--fact', `In ${root}/src/b.ts.`];
    const title = `The parser in ${root}/src/a.ts keeps blank lines`;
    const { stdout } = await gitMem(repository, ['add', '--title', title, ...words, '--concept', `${root}/src/a.ts`]);
    expect(stdout).toMatch(/Z-the-parser-in-src-a-ts-keeps-blank-lines-/);
    const added = addedRecord(repository, stdout);
    expect(added).toMatchObject({
      title: 'The parser in src/a.ts keeps blank lines',
      narrative: 'See src/a.ts and ~/notes/x.md.',
      facts: ['In src/b.ts.'],
    });
    expect(JSON.stringify(added)).not.toContain(root);
    const { stdout: mark } = await gitMem(repository, ['retire', added.id, '--reason', `Gone from ${root}/src/a.ts`]);
    expect(readFileSync(join(root, mark.trim().split('  ')[1] ?? ''), 'utf8')).toContain('Gone from src/a.ts');
  });

  it('answers as `remember`, and as JSON', async ({ repository }) => {
    const { stdout } = await gitMem(repository, ['remember', '--title', 'The limit is ten rows', '--json']);
    const written = JSON.parse(stdout);
    expect(Object.keys(written)).toEqual(['id', 'path', 'near']);
    expect(written.path).toContain(written.id);
    expect(addedRecord(repository, `${written.id}  ${written.path}`)).toMatchObject({
      type: 'change',
      title: 'The limit is ten rows',
    });
  });

  it('names once what it may reverse, without a verdict', async ({ repository }) => {
    const add = (title: string) => gitMem(repository, ['add', '--title', title, '--file-modified', 'src/drain.ts']);
    const earlier = 'The drain retries failed uploads';
    await add(earlier);
    const { stderr } = await add('The drain does not retry failed uploads');
    expect(stderr).toMatch(/^near: \w+ {2}The drain retries failed uploads\nWhere one of these is wrong now: /);
    expect(stderr.split(earlier)).toHaveLength(2);
  });

  it('puts it into the private store with --private', async ({ repository }) => {
    const { stdout } = await gitMem(repository, ['add', '--title', 'My own limit is ten', '--private', '--json']);
    expect(JSON.parse(stdout).path).toMatch(new RegExp(`^${repository.root}/.git/git-mem/private/observations/`));
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it('puts it where captured records go, or with --team into the team store, and says so', async ({ repository }) => {
    const env = { GIT_MEM_CAPTURE_DESTINATION: 'private' };
    const add = (title: string, ...args: string[]) =>
      gitMem(repository, ['add', '--title', title, ...args, '--json'], { env });
    const quiet = await add('My own limit is ten');
    expect(JSON.parse(quiet.stdout).path).toContain('/.git/git-mem/private/observations/');
    expect(quiet.stderr).toContain('`capture.destination`; `--team` overrides it');
    expect(repository.git('status', '--porcelain')).toBe('');
    const loud = await add('The limit of all is twelve', '--team');
    expect(JSON.parse(loud.stdout).path).toMatch(/^\.memory\/observations\//);
    expect(loud.stderr).toContain('Into the team store, though `capture.destination` is private.');
    expect((await add('Both of them at once', '--team', '--private')).code).toBe(2);
  });

  it('accepts the types of the mode and of the team, and no others', async ({ repository }) => {
    useSettings(repository, 'types: [runbook]\n');
    const add = (type: string) => gitMem(repository, ['add', '--type', type, '--title', `The ${type} of the week`]);
    expect((await add('runbook')).code).toBe(0);
    const refused = await add('bugfx');
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('"bugfx" is not a type of observation.');
    expect(refused.stderr).toMatch(/decision, bugfix, .*runbook/);
    const file = await gitMem(repository, ['add', '-'], { stdin: '---\ntype: bugfx\ntitle: The limit is ten\n---\n' });
    expect(file).toMatchObject({ code: 1, stdout: '' });
  });

  it('finds the superseded record by the start of its id', async ({ repository }) => {
    put(repository, observationOf({ id: 'k3v9x2qd7m', title: 'Before' }));
    const { stdout } = await gitMem(repository, ['add', '--title', 'The limit is twenty rows', '--supersedes', 'k3v9']);
    expect(addedRecord(repository, stdout).supersedes).toEqual(['k3v9x2qd7m']);
    expect((await gitMem(repository, ['list'])).stdout).not.toContain('Before');
    const unknown = await gitMem(repository, ['add', '--title', 'The limit is thirty rows', '--supersedes', 'zzzz']);
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toContain('"zzzz"');
  });

  it('writes a record once, and says that it already existed', async ({ repository }) => {
    const first = await gitMem(repository, ['add', '--title', 'The limit is ten rows']);
    expect(await gitMem(repository, ['add', '--title', 'The limit is ten rows'])).toEqual({
      ...first,
      stderr: 'It was there already.\n',
    });
  });

  it.each<[what: string, args: string[], stdin: string, says: string]>([
    ['nothing', ['add', '-'], '', 'no title'],
    ['an empty title', ['add', '--title', ' '], '', 'no title'],
    [
      'a title that is a paragraph',
      ['add', '-'],
      `# ${'The limit is ten. '.repeat(8)}`,
      '143 characters, of at most 120',
    ],
    ['a file that is not there', ['add', 'nowhere.md'], '', 'nowhere.md cannot be read'],
    ['a title without its option', ['add', 'The limit is ten'], '', 'git mem add --title "The limit is ten"'],
    ['front matter that does not end', ['add', '-'], '---\ntitle: x\n', 'standard input is not a record'],
    [
      'a record of another kind',
      ['add', '-'],
      '---\nkind: mark\ntype: retire\ntargets: [k3v9x2qd7m]\n---\n',
      'standard input is a mark',
    ],
    ['a field of another kind', ['add', '-'], '---\ntitle: x\nconcepts: {a: b}\n---\n', 'standard input: "concepts"'],
    [
      'a program',
      ['add', '-'],
      '---js\nrequire("fs").writeFileSync("hacked", "")\n---\n',
      'standard input is not a record',
    ],
    ['status talk', ['add', '--title', 'All tests pass now'], '', 'only reports that work was done'],
    ['status talk over a file', ['add', '-', '--title', 'Fixed the issue'], '# The limit is ten', 'fewer than 4 words'],
    [
      'a file outside of the repository',
      ['add', '--title', 'The limit is ten rows', '--file-read', '../../etc'],
      '',
      '../../etc is not in this repository',
    ],
  ])('refuses %s with exit code 1', async (_, args, stdin, says) => {
    const repository = createRepository();
    const { code, stdout, stderr } = await gitMem(repository, args, { stdin });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(says);
    expect(stderr).not.toContain('1970');
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it('lists its options where one is unknown', async ({ repository }) => {
    const { code, stderr } = await gitMem(repository, ['add', '--summary', 'The limit is ten rows']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/unknown option '--summary'.*It takes --type, --title, .*--file, .*--supersedes/s);
  });

  it('removes secrets from its input, and says so', async ({ repository }) => {
    const token = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('');
    const add = (fact: string) => gitMem(repository, ['add', '--title', 'The gateway wants a token', '--fact', fact]);
    const { stdout, stderr } = await add(`It is ${token}`);
    expect(addedRecord(repository, stdout).facts[0]).toMatch(/^It is \[redacted:/);
    expect(stderr).toBe('A secret was taken out before anything was written.\n');
    expect((await add('It is in the vault.')).stderr).not.toContain('secret');
  });

  it('leaves out a branch, a path and a key of its own that hold a secret', async ({ repository }) => {
    const token = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('');
    repository.git('checkout', '-q', '-b', `fix/${token}`);
    const path = `src/${token}.ts`;
    repository.write(path, 'export {};\n');
    repository.write('src/a.ts', 'export {};\n');
    const said = ['--title', 'The gateway wants a token', '--file-modified', path, '--file-modified', 'src/a.ts'];
    const { stdout, stderr } = await gitMem(repository, ['add', ...said]);
    const { branch, files_modified, anchors } = addedRecord(repository, stdout);
    expect({ branch, files_modified, anchors: Object.keys(anchors) }).toEqual({
      branch: undefined,
      files_modified: ['src/a.ts'],
      anchors: ['src/a.ts'],
    });
    expect(stderr).toContain('A secret was taken out before anything was written.\n');
    const line = JSON.stringify({ title: 'The gateway wants another token', [token]: 'x', note: 'kept' });
    await gitMem(repository, ['import', 'jsonl', '-', '--team'], { stdin: line });
    const found = (text: string) => repository.git('grep', '--untracked', '-l', text, '--', '.memory');
    expect(found('The gateway wants').trim().split('\n')).toHaveLength(2);
    expect(() => found(token)).toThrow('Command failed');
  });

  it.each([
    [{ CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's1', AI_AGENT: 'claude-code_2-1-329' }, 'claude-code/2.1.329', 's1'],
    [{ CODEX_SESSION_ID: 's2', CODEX_VERSION: '0.169.0' }, 'codex/0.169.0', 's2'],
    [{ GEMINI_CLI: '1' }, 'gemini-cli', undefined],
    [{ COPILOT_AGENT_SESSION_ID: 's3', COPILOT_CLI_BINARY_VERSION: '1.0.102' }, 'copilot/1.0.102', 's3'],
    [{ OPENCODE: '1', KILO: '1' }, 'kilo', undefined],
  ])('names the agent in whose shell it runs: %j', async (env, by, session) => {
    const repository = createRepository();
    const { stdout } = await gitMem(repository, ['add', '--title', 'The limit is ten rows'], { env });
    const record = addedRecord(repository, stdout);
    expect(record).toMatchObject({ generated: { by }, extractor: 'agent' });
    expect(record.session).toBe(session);
  });

  it('is the agent’s where one runs whose shell has no mark, unless a terminal asks', async () => {
    const repository = createRepository();
    repository.write('.memory/README.md', 'Memory.\n');
    let rows = 10;
    const add = async (options: { tty?: boolean } = {}) => {
      const { stdout } = await gitMem(repository, ['add', '--title', `The limit is ${rows++} rows`], options);
      const { generated, session } = addedRecord(repository, stdout);
      return [generated.by, session];
    };
    const droid = (event: string, session_id: string) =>
      hookCall(repository, 'factory-droid', event, { session_id, cwd: repository.root });
    expect(await add()).toEqual(['cli', undefined]);
    await droid('SessionStart', 's1');
    expect(await add()).toEqual(['factory-droid', 's1']);
    expect(await add({ tty: true })).toEqual(['cli', undefined]);
    await droid('SessionStart', 's2');
    expect(await add()).toEqual(['factory-droid', undefined]);
    await hookCall(repository, 'cline', 'TaskStart', {
      taskId: 's3',
      workspaceRoots: [repository.root],
      taskStart: {},
    });
    expect(await add()).toEqual(['agent', undefined]);
    for (const session of ['s1', 's2']) await droid('SessionEnd', session);
    expect(await add()).toEqual(['cline', 's3']);
  });
});
