import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitMem } from '../support/command-line.ts';
import { PROGRAM } from '../support/program.ts';
import { createRepository } from '../support/repository.ts';

const IS_LINUX = existsSync('/dev/full') && existsSync('/proc');
if (!IS_LINUX) console.log('Skipped: what only Linux has, /proc and /dev/full.');

describe('what a person names', () => {
  it('is no port above 65535', async () => {
    const { code, stderr } = await gitMem(createRepository(), ['ui', '--port', '99999']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('It is not a port') });
  });

  it('is no device without an end', async () => {
    const { code, stderr } = await gitMem(createRepository(), ['import', 'jsonl', '/dev/zero']);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('neither a file nor a pipe') });
  });

  it('may be a pipe of lines', () => {
    const { root, env, folder } = createRepository();
    const pipe = join(folder, 'lines');
    execFileSync('mkfifo', [pipe]);
    const line = JSON.stringify({ type: 'decision', title: 'Uploads go through the proxy' });
    const script = `printf '%s\\n' '${line}' > '${pipe}' & exec '${process.execPath}' '${PROGRAM}' import jsonl '${pipe}' --json`;
    const { stdout } = spawnSync('sh', ['-c', script], { cwd: root, env, encoding: 'utf8' });
    expect(JSON.parse(stdout)).toMatchObject({ imported: 1 });
  });

  it.skipIf(!IS_LINUX)('is no place where nothing can be created', async () => {
    const { code, stderr } = await gitMem(createRepository(), ['site', '--out', '/proc/none/site']);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be written') });
  });
});

it.skipIf(!IS_LINUX)('output that finds no room is an error in words', () => {
  const { root, env } = createRepository();
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, 'list', '--json'], {
    ...{ cwd: root, env, encoding: 'utf8' },
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('The output cannot be written') });
});
