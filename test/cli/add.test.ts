import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decode } from '../../src/memory/codec.ts';
import type { Observation } from '../../src/memory/record.ts';
import { gitMem, type Ran } from '../support/command-line.ts';
import { PROGRAM } from '../support/program.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { useSettings } from '../support/team-settings.ts';
import { observationOf, put } from '../support/written-records.ts';

describe('git mem add', () => {
  it('makes a record of flags, and prints its id and its path', async () => {
    const repository = createRepository();
    const flags = [
      '--type',
      'decision',
      '--title',
      'Sessions live in Postgres',
      '--subtitle',
      'No failover',
      '--narrative',
      'Redis was rejected.',
    ];
    const lists = [
      '--fact',
      'One.',
      '--fact',
      'Two.',
      '--concept',
      'storage',
      '--file-modified',
      'src/a.ts',
      '--file-read',
      './docs/b.md',
    ];
    const { code, stdout, stderr } = await gitMem(repository, ['add', ...flags, ...lists]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^[0-9a-z]{10} {2}\.memory\/observations\/\d{4}-\d\d\/\d{8}T\d{6}Z-sessions-live-in-postgres-[0-9a-z]{4}-[0-9a-z]{10}\.md\n$/,
    );
    expect(read(repository, stdout)).toMatchObject({
      type: 'decision',
      title: 'Sessions live in Postgres',
      subtitle: 'No failover',
      narrative: 'Redis was rejected.',
      facts: ['One.', 'Two.'],
      concepts: ['storage'],
      files_modified: ['src/a.ts'],
      files_read: ['docs/b.md'],
      generated: { by: 'cli' },
    });
  });

  it('answers as `remember`, and as JSON', async () => {
    const repository = createRepository();
    const { stdout } = await gitMem(repository, ['remember', '--title', 'The limit is ten rows', '--json']);
    const written = JSON.parse(stdout);
    expect(Object.keys(written)).toEqual(['id', 'path', 'near']);
    expect(written.path).toContain(written.id);
    expect(read(repository, `${written.id}  ${written.path}`)).toMatchObject({
      type: 'change',
      title: 'The limit is ten rows',
    });
  });

  it('puts it into the private store with --private', async () => {
    const repository = createRepository();
    const { stdout } = await gitMem(repository, ['add', '--title', 'My own limit is ten', '--private', '--json']);
    expect(JSON.parse(stdout).path).toMatch(new RegExp(`^${repository.root}/.git/git-mem/private/observations/`));
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it('puts it where captured records go, with --team for everybody all the same, and says so', async () => {
    const repository = createRepository();
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

  it('takes the types of the mode and of the team, and no other', async () => {
    const repository = createRepository();
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

  it('takes Markdown with front matter from standard input', async () => {
    const repository = createRepository();
    const stdin = `---
type: bugfix
title: "JWT rejected"
concepts: [auth, jwt]
files_modified: [src/auth.ts]
team: platform
---

The clock ran ahead.

## Facts

- 30 s are allowed.
- iat lay in the future.
`;
    const ran = await gitMem(repository, ['add', '-'], { stdin, cwd: below(repository, 'src') });
    expect(read(repository, ran.stdout)).toMatchObject({
      type: 'bugfix',
      title: 'JWT rejected',
      narrative: 'The clock ran ahead.',
      facts: ['30 s are allowed.', 'iat lay in the future.'],
      concepts: ['auth', 'jwt'],
      // Paths in a record start at the top, wherever one stands.
      files_modified: ['src/auth.ts'],
      extra: { team: 'platform' },
    });
  });

  it('takes plain Markdown, whose first line is the title', async () => {
    const repository = createRepository();
    for (const [stdin, title] of [
      ['# The limit is ten\n\nBecause of *support*.\n', 'The limit is ten'],
      ['The limit is twenty\r\n\r\nBecause of *support*.\r\n', 'The limit is twenty'],
      ['\ufeffTitle with "quotes" and a: colon\n\nBecause of *support*.', 'Title with "quotes" and a: colon'],
    ] as const) {
      const { stdout } = await gitMem(repository, ['add', '-'], { stdin });
      expect(read(repository, stdout)).toMatchObject({ type: 'change', title, narrative: 'Because of *support*.' });
    }
  });

  it('takes a file from where one stands, and flags over it', async () => {
    const repository = createRepository();
    repository.write('notes/limit.md', 'The limit is ten\n\n## Facts\n\n- Ten.\n');
    const cwd = below(repository, 'notes');
    const flags = ['--type', 'decision', '--fact', 'Eleven was too many.', '--file-read', 'limit.md'];
    const { stdout } = await gitMem(repository, ['add', 'limit.md', ...flags], { cwd });
    expect(read(repository, stdout)).toMatchObject({
      type: 'decision',
      title: 'The limit is ten',
      facts: ['Ten.', 'Eleven was too many.'],
      files_read: ['notes/limit.md'],
    });
  });

  it('opens the editor on an empty record, on a terminal', async () => {
    const repository = createRepository();
    const editor = script(
      repository,
      'sed -i -e \'s/^title: .*/title: "Written in an editor"/\' -e \'s/^What was found.*/Because I can./\' "$1"',
    );
    for (const env of [{ EDITOR: editor }, { EDITOR: 'false', VISUAL: `${editor} --wait` }] as Record<
      string,
      string
    >[]) {
      const { code, stdout } = await gitMem(repository, ['add'], { tty: true, env });
      expect(code).toBe(0);
      expect(read(repository, stdout)).toMatchObject({
        type: 'decision',
        title: 'Written in an editor',
        narrative: 'Because I can.',
      });
    }
  });

  it('adds nothing that was not written in the editor, and nothing without a terminal', async () => {
    const repository = createRepository();
    for (const options of [
      { tty: true, env: { EDITOR: 'true' } },
      { tty: true, env: { EDITOR: 'false' } },
      { tty: false, env: { EDITOR: script(repository, 'echo x > "$1"') } },
      { tty: true, env: { EDITOR: script(repository, ': > "$1"') } },
    ]) {
      const { code, stdout, stderr } = await gitMem(repository, ['add'], options);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/git-mem:.* (?:Nothing was written|The editor|There is nothing|The record has no title)/);
    }
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it('finds what is superseded by the start of its id', async () => {
    const repository = createRepository();
    put(repository, observationOf({ id: 'k3v9x2qd7m', title: 'Before' }));
    const { stdout } = await gitMem(repository, ['add', '--title', 'The limit is twenty rows', '--supersedes', 'k3v9']);
    expect(read(repository, stdout).supersedes).toEqual(['k3v9x2qd7m']);
    expect((await gitMem(repository, ['list'])).stdout).not.toContain('Before');
    const unknown = await gitMem(repository, ['add', '--title', 'The limit is thirty rows', '--supersedes', 'zzzz']);
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toContain('"zzzz"');
  });

  it('writes a thing once, and says that it was there', async () => {
    const repository = createRepository();
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
      `# ${'The limit is ten. '.repeat(5)}`,
      '89 characters, of at most 80',
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
    ['status talk', ['add', '--title', 'All tests pass now'], '', 'is status talk'],
    ['status talk over a file', ['add', '-', '--title', 'Fixed the issue'], '# The limit is ten', 'fewer than 4 words'],
    [
      'a file outside of the repository',
      ['add', '--title', 'The limit is ten rows', '--file-read', '../../etc'],
      '',
      '../../etc does not lie in this repository',
    ],
  ])('refuses %s with exit code 1', async (_, args, stdin, says) => {
    const repository = createRepository();
    const { code, stdout, stderr } = await gitMem(repository, args, { stdin });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(says);
    expect(stderr).not.toContain('1970');
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it('frees what it is told of secrets', async () => {
    const repository = createRepository();
    const token = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('');
    const { stdout } = await gitMem(repository, [
      'add',
      '--title',
      'The gateway wants a token',
      '--fact',
      `It is ${token}`,
    ]);
    expect(read(repository, stdout).facts[0]).toMatch(/^It is \[redacted:/);
  });

  it('says that a secret was taken out', async () => {
    const repository = createRepository();
    const token = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('');
    const add = (fact: string) => gitMem(repository, ['add', '--title', 'The gateway wants a token', '--fact', fact]);
    expect((await add(`It is ${token}`)).stderr).toBe('A secret was taken out before anything was written.\n');
    expect((await add('It is in the vault.')).stderr).not.toContain('secret');
  });

  it('names what is near, and what to do where that is wrong now', async () => {
    const repository = createRepository();
    put(repository, observationOf({ id: 'k3v9x2qd7m', title: 'The importer cuts batches at ten rows' }));
    put(repository, observationOf({ id: 'p8w2m4ta1c', title: 'Sessions live in Postgres' }));
    const flags = ['add', '--title', 'The importer cuts batches at twenty rows'];
    const { stdout, stderr } = await gitMem(repository, flags);
    const [id = ''] = stdout.split(' ');
    expect(stderr).toBe(
      'near: k3v9x2qd7m  The importer cuts batches at ten rows\n' +
        `Where one of these is wrong now: \`git mem supersede ID --by ${id}\`.\n`,
    );
    const near = [{ id: 'k3v9x2qd7m', title: 'The importer cuts batches at ten rows' }];
    expect(JSON.parse((await gitMem(repository, [...flags, '--json'])).stdout).near).toEqual(near);
    const replacing = await gitMem(repository, [...flags, '--fact', 'Measured.', '--supersedes', 'k3v9']);
    expect(replacing.stderr).not.toContain('k3v9x2qd7m');
  });

  it('names three at most of those that are near', async () => {
    const repository = createRepository();
    for (const [i, rows] of ['ten', 'thirty', 'forty', 'fifty'].entries()) {
      put(repository, observationOf({ id: `k3v9x2qd${i}m`, title: `The importer cuts batches at ${rows} rows` }));
    }
    for (const [i, place] of ['Postgres', 'Redis', 'cookies', 'headers', 'tokens', 'vaults', 'queues'].entries()) {
      put(repository, observationOf({ id: `p8w2m4ta${i}c`, title: `Sessions live in ${place}` }));
    }
    const { stdout } = await gitMem(repository, [
      'add',
      '--title',
      'The importer cuts batches at twenty rows',
      '--json',
    ]);
    expect(JSON.parse(stdout).near).toHaveLength(3);
  });

  it('names nothing that has only ordinary words in common', async () => {
    const repository = createRepository();
    const titles = [
      'The report page is a file for each customer',
      'Only the rows that are shown are counted',
      'Sessions live in Postgres',
      'A failing mail waits for the next run',
      'Invoices are rendered with Chromium',
      'The gateway refuses tokens of other tenants',
    ];
    for (const [i, title] of titles.entries()) put(repository, observationOf({ id: `k3v9x2qd${i}m`, title }));
    const { stderr } = await gitMem(repository, ['add', '--title', 'The importer reads a file row by row']);
    expect(stderr).toBe('');
  });

  it.each([
    [{ CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's1', AI_AGENT: 'claude-code_2-1-329' }, 'claude-code/2.1.329', 's1'],
    [{ CODEX_SESSION_ID: 's2', CODEX_VERSION: '0.169.0' }, 'codex/0.169.0', 's2'],
    [{ GEMINI_CLI: '1' }, 'gemini-cli', undefined],
  ])('says which agent wrote, in whose shell it runs: %j', async (env, by, session) => {
    const repository = createRepository();
    const { stdout } = await gitMem(repository, ['add', '--title', 'The limit is ten rows'], { env });
    const record = read(repository, stdout);
    expect(record).toMatchObject({ generated: { by }, extractor: 'agent' });
    expect(record.session).toBe(session);
  });

  it('reads standard input as a process, too', () => {
    const repository = createRepository();
    const options = { cwd: repository.root, env: repository.env, encoding: 'utf8', input: '# Piped in\n' } as const;
    expect(read(repository, execFileSync(process.execPath, [PROGRAM, 'add', '-'], options)).title).toBe('Piped in');
  });
});

/** The record that a line of output names. */
function read({ root }: TestRepository, stdout: Ran['stdout']): Observation {
  const path = stdout.trim().split('  ')[1] ?? '';
  const record = decode(readFileSync(join(root, path), 'utf8'), path);
  if (record.kind !== 'observation') throw new Error(`${path} is a ${record.kind}.`);
  return record;
}

function below(repository: TestRepository, folder: string): string {
  repository.write(`${folder}/.keep`, '');
  return join(repository.root, folder);
}

/** An editor that does this to the file. */
function script({ folder }: TestRepository, commands: string): string {
  const path = join(folder, `editor-${commands.length}`);
  writeFileSync(path, `#!/bin/sh\nfor last; do :; done\nset -- "$last"\n${commands}\n`);
  chmodSync(path, 0o755);
  return path;
}
