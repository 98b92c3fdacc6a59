import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
import { PROGRAM } from '../../support/program.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';

const IS_LINUX = existsSync('/dev/full') && existsSync('/proc');
if (!IS_LINUX) console.log('Skipped: what only Linux has, /proc and /dev/full.');

describe('an argument', () => {
  it('can be a pipe of lines', () => {
    const { root, env, folder } = createRepository();
    const pipe = join(folder, 'lines');
    execFileSync('mkfifo', [pipe]);
    const line = JSON.stringify({ type: 'decision', title: 'Uploads go through the proxy' });
    const script = `printf '%s\\n' '${line}' > '${pipe}' & exec '${process.execPath}' '${PROGRAM}' import jsonl '${pipe}' --json`;
    const { stdout } = spawnSync('sh', ['-c', script], { cwd: root, env, encoding: 'utf8' });
    expect(JSON.parse(stdout)).toMatchObject({ imported: 1 });
  });

  it.skipIf(!IS_LINUX).each([
    ['site', '/proc/none/site'],
    ['plugin', '/proc/none'],
    ['plugin', '/proc/1'],
  ])('cannot be a place where nothing can be created: %s --out %s', (command, out) => {
    const { code, stderr } = run(createRepository(), [command, '--out', out]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/cannot be (?:written|made)/) });
  });

  it.skipIf(!IS_LINUX)('is named when it is not a notes file', async () => {
    const { stderr } = await gitMem(createRepository(), ['import', 'notes', '/dev/zero']);
    expect(stderr).toContain('zero: It is not a file.');
  });

  it('cannot be the whole disk', async () => {
    const { code, stderr } = run(createRepository(), ['import', 'notes', '/']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('name the folder that holds the notes'),
    });
  });

  it.skipIf(!IS_LINUX)('can contain folders that cannot be listed, here because of their long path', () => {
    const repository = createRepository();
    const dig = `for (let i = 0; i < 18; i++) { fs.mkdirSync('${'0'.repeat(255)}'); process.chdir('${'0'.repeat(255)}') }`;
    mkdirSync(join(repository.folder, 'deep'));
    execFileSync(process.execPath, ['-e', dig], { cwd: join(repository.folder, 'deep') });
    const ran = run(repository, ['import', 'notes', join(repository.folder, 'deep')]);
    execFileSync('rm', ['-rf', 'deep'], { cwd: repository.folder }); // Node's own way stumbles over the path as well.
    expect(ran).toMatchObject({ code: 0, stdout: '0 records imported.\n' });
    expect(ran.stderr).toContain('holds none of what `notes` reads');
  });
});

it.skipIf(!IS_LINUX).each([
  ['a command', ['list'], ''],
  ['a hook', ['hook', 'claude-code', 'Stop'], '{"session_id":"s"}'],
])('a state folder that cannot be created does not hold up %s', (_, args, input) => {
  const repository = createRepository();
  mkdirSync(join(repository.root, '.memory'));
  const env = { ...repository.env, GIT_MEM_STATE: '/proc/none/state' };
  expect(run({ root: repository.root, env }, args, input)).toMatchObject({ code: 0, stdout: '' });
});

it.skipIf(!IS_LINUX)('output that cannot be written gives an error message', () => {
  const { root, env } = createRepository();
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, 'list', '--json'], {
    cwd: root,
    env,
    encoding: 'utf8',
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('The output cannot be written') });
});

/** Runs the program as a process of its own, because what never ends can only be ended from outside. */
function run({ root, env }: Pick<TestRepository, 'root' | 'env'>, args: string[], input = '') {
  const options = { cwd: root, env, input, encoding: 'utf8', timeout: 10_000 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], options);
  return { code: status, stdout, stderr };
}
