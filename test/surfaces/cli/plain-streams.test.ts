import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { generatedObservation } from '../../support/generated-records.ts';
import { PROGRAM } from '../../support/program.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { drop } from '../../support/written-records.ts';

const ALL = ['list', '--json', '--limit', '200'];

/** A memory whose listing is larger than a pipe holds, which is 64 KB on Linux. */
function manyRecords(): TestRepository {
  const repository = createRepository();
  for (let i = 0; i < 200; i++) drop(repository, generatedObservation(i));
  return repository;
}

function start({ root, env }: TestRepository, args: string[], output: number | 'pipe'): ChildProcess {
  return spawn(process.execPath, [PROGRAM, ...args], { cwd: root, env, stdio: ['ignore', output, 'pipe'] });
}

function listing({ root, env }: TestRepository): string {
  return execFileSync(process.execPath, [PROGRAM, ...ALL], { cwd: root, env, encoding: 'utf8' });
}

it('writes all of a listing to a pipe that does not block and is read late', async () => {
  const repository = manyRecords();
  const whole = listing(repository);
  expect(whole.length).toBeGreaterThan(100_000);
  const pipe = join(repository.folder, 'pipe');
  const copy = join(repository.folder, 'copy');
  execFileSync('mkfifo', [pipe]);
  const end = openSync(pipe, constants.O_RDWR);
  const late = 'exec 3< "$0"; sleep 2; exec cat <&3 > "$1"';
  const reader = spawn('sh', ['-c', late, pipe, copy], { stdio: 'ignore' });
  // Node has its pipes not block, restores them when it ends, and is not asked when it is killed.
  const before = `process.stdout.write('', () => process.kill(process.pid, 'SIGKILL'))`;
  const script = `"$0" -e "${before}"; exec "$0" "$@"`;
  const { root: cwd, env } = repository;
  const args = ['-c', script, process.execPath, PROGRAM, ...ALL];
  const command = spawn('sh', args, { cwd, env, stdio: ['ignore', end, 'pipe'] });
  const ended = once(command, 'exit');
  const copied = once(reader, 'exit');
  expect(await ended).toEqual([0, null]);
  closeSync(end);
  await copied;
  expect(readFileSync(copy, 'utf8')).toBe(whole);
});

it('ends without a complaint when the reader has enough', async () => {
  const command = start(manyRecords(), ALL, 'pipe');
  command.stdout?.once('data', () => command.stdout?.destroy());
  let complaint = '';
  command.stderr?.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  expect(await once(command, 'close')).toEqual([0, null]);
  expect(complaint).toBe('');
});

it('writes a listing to a file', () => {
  const repository = manyRecords();
  const file = join(repository.folder, 'listing');
  const { root, env } = repository;
  const output = openSync(file, 'w');
  execFileSync(process.execPath, [PROGRAM, ...ALL], { cwd: root, env, stdio: ['ignore', output, 'pipe'] });
  closeSync(output);
  expect(readFileSync(file, 'utf8')).toBe(listing(repository));
});
