import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { decode } from '../../../src/memory/codec.ts';
import { gitMem } from '../../support/command-line.ts';
import { hookCall } from '../../support/hook-call.ts';
import { it } from '../../support/with-repository.ts';

it('a record is the agent’s where one runs whose shell has no mark, unless a terminal asks', async ({ repository }) => {
  repository.write('.memory/README.md', 'Memory.\n');
  let rows = 10;
  const add = async (options: { tty?: boolean } = {}) => {
    const { stdout } = await gitMem(repository, ['add', '--title', `The limit is ${rows++} rows`], options);
    const [, path = ''] = stdout.trim().split('  ');
    const record = decode(readFileSync(join(repository.root, path), 'utf8'), path);
    return [record.generated.by, 'session' in record ? record.session : undefined];
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

it('leaves out a branch, a path and a key of its own that hold a secret', async ({ repository }) => {
  const token = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('');
  repository.git('checkout', '-q', '-b', `fix/${token}`);
  const path = `src/${token}.ts`;
  repository.write(path, 'export {};\n');
  repository.write('src/a.ts', 'export {};\n');
  const said = ['--title', 'The gateway wants a token', '--file-modified', path, '--file-modified', 'src/a.ts'];
  const { stdout, stderr } = await gitMem(repository, ['add', ...said, '--json']);
  const { records } = JSON.parse((await gitMem(repository, ['show', JSON.parse(stdout).id, '--json'])).stdout);
  expect(records[0]).toMatchObject({ branch: null, files_modified: ['src/a.ts'] });
  expect(stderr).toContain('A secret was taken out before anything was written.\n');
  const line = JSON.stringify({ title: 'The gateway wants another token', [token]: 'x', note: 'kept' });
  await gitMem(repository, ['import', 'jsonl', '-', '--team'], { stdin: line });
  const found = (text: string) => repository.git('grep', '--untracked', '-l', text, '--', '.memory');
  expect(found('The gateway wants').trim().split('\n')).toHaveLength(2);
  expect(() => found(token)).toThrow('Command failed');
});

it('is taken as agents write it: lists by commas or in JSON, paragraphs, lines of a file, other names', async ({
  repository,
}) => {
  repository.write('.memory/README.md', 'Memory.\n');
  for (const path of ['src/a.ts', 'b.ts']) repository.write(path, '');
  const add = async (...args: string[]) => {
    const { stdout } = await gitMem(repository, ['add', ...args]);
    const [id = '', path = ''] = stdout.trim().split('  ');
    return { id, record: decode(readFileSync(join(repository.root, path), 'utf8'), path) };
  };
  const one = await add(
    '--title',
    'The limit is ten rows',
    '--tags',
    '["rows", "limits"]',
    '--files',
    'src/a.ts:12-14, b.ts',
  );
  expect(one.record).toMatchObject({ concepts: ['rows', 'limits'], files_modified: ['src/a.ts', 'b.ts'] });
  const two = await add(
    '--title',
    'The limit is twenty rows',
    '-m',
    'Measured.',
    '--why',
    'Disks.',
    '--file-read',
    'b.ts,src/a.ts',
  );
  expect(two.record).toMatchObject({ narrative: 'Measured.\n\nDisks.', files_read: ['b.ts', 'src/a.ts'] });
  const three = await add('--title', 'The limit is thirty rows', '--supersedes', `${one.id},${two.id}`);
  expect(three.record).toMatchObject({ supersedes: [one.id, two.id] });
});

it('is refused for all its reasons at once', async ({ repository }) => {
  repository.write('.memory/README.md', 'Memory.\n');
  const args = ['--title', 'All done', '--supersedes', 'k3v9,m4x1', '--file', '/etc/passwd,b.ts'];
  const { stderr } = await gitMem(repository, ['add', ...args]);
  for (const part of ['fewer than 3 words', '"k3v9"', '"m4x1"', 'Not in this repository: /etc/passwd.'])
    expect(stderr).toContain(part);
});
