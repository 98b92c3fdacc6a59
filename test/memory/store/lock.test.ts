import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isLocked, tryLock } from '../../../src/memory/store/lock.ts';
import { bundle } from '../../support/bundle.ts';
import { scratchFolder } from '../../support/scratch.ts';

const it = test.extend('path', () => lockPath());

/** Takes the lock, says so, and sits on it. */
const holder = await bundle(`
  import { tryLock } from './src/memory/store/lock.ts';
  console.log(tryLock(process.argv[2]) ? 'held' : 'refused');
  setInterval(() => {}, 1000);
`);

/** Takes the lock again and again; inside it makes a file that nobody else may have made, and dies now and then. */
const contender = await bundle(`
  import { closeSync, openSync, unlinkSync } from 'node:fs';
  import { tryLock } from './src/memory/store/lock.ts';
  const [path, rounds, deadly] = process.argv.slice(2);
  let held = 0;
  while (held < Number(rounds)) {
    const lock = tryLock(path);
    if (lock === undefined) continue;
    try {
      closeSync(openSync(path + '.inside', 'wx'));
    } catch {
      console.log('two inside');
      process.exit(1);
    }
    unlinkSync(path + '.inside');
    held++;
    if (deadly === 'yes' && held === Number(rounds)) process.kill(process.pid, 'SIGKILL');
    lock.release();
  }
`);

async function startHolder(path: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [holder, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = await once(child.stdout, 'data');
  expect(String(said).trim()).toBe('held');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** The lock file's parts: process number, its start, its machine, and a mark of its own. */
function forge(path: string, change: (parts: string[]) => string[], ageMs = 0): void {
  const lock = tryLock(path);
  if (lock === undefined) throw new Error('The lock is held already.');
  const parts = readFileSync(path, 'utf8').split(' ');
  expect(parts).toHaveLength(4);
  writeFileSync(path, change(parts).join(' '));
  const time = new Date(Date.now() - ageMs);
  utimesSync(path, time, time);
}

const lockPath = () => join(scratchFolder(), 'state', 'lock');

describe('a lock', () => {
  it('is held by one process at a time, and free again when released', ({ path }) => {
    expect(isLocked(path)).toBe(false);
    const lock = tryLock(path);
    expect(isLocked(path)).toBe(true);
    expect(tryLock(path)).toBeUndefined();
    lock?.release();
    expect(isLocked(path)).toBe(false);
    expect(tryLock(path)).toBeDefined();
  });

  it('shows when its holder was last active', ({ path }) => {
    const lock = tryLock(path);
    utimesSync(path, 1, 1);
    const before = Date.now();
    lock?.touch();
    expect(Math.round(statSync(path).mtimeMs)).toBeGreaterThanOrEqual(before);
  });

  it('held by another living process is respected', async ({ path }) => {
    const child = await startHolder(path);
    expect(isLocked(path)).toBe(true);
    expect(tryLock(path)).toBeUndefined();
    await kill(child);
  });

  it('of a killed process is taken over at once', async ({ path }) => {
    await kill(await startHolder(path));
    expect(existsSync(path)).toBe(true);
    expect(isLocked(path)).toBe(false);
    expect(tryLock(path)).toBeDefined();
    expect(readdirSync(dirname(path))).toEqual(['lock']);
  });

  it('of a killed but unreaped process is taken over too, as in a container without an init', async ({ skip }) => {
    if (process.platform !== 'linux') skip('only /proc tells a zombie');
    const path = lockPath();
    // The shell becomes a sleep, which never asks after its child.
    const parent = spawn('sh', ['-c', '"$0" "$1" "$2" & echo $!; exec sleep 600', process.execPath, holder, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void parent.kill('SIGKILL'));
    let said = '';
    for await (const chunk of parent.stdout) {
      said += chunk;
      if (said.includes('held')) break;
    }
    const pid = Number.parseInt(said, 10);
    const stateOf = () => readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) (.).*$/s, '$1');
    process.kill(pid, 'SIGKILL');
    await expect.poll(stateOf, { timeout: 30_000 }).toBe('Z');
    expect(tryLock(path)).toBeDefined();
  });

  it('is taken over once another takeover, killed halfway, is old', async ({ path }) => {
    await kill(await startHolder(path));
    writeFileSync(`${path}.takeover`, '');
    expect(tryLock(path)).toBeUndefined();
    utimesSync(`${path}.takeover`, 1, 1);
    expect(tryLock(path)).toBeDefined();
    expect(readdirSync(dirname(path))).toEqual(['lock']);
  });

  it('is taken over after the clock has jumped back, however far ahead its time is by then', async () => {
    const later = Date.now() / 1000 + 5 * 3600;
    const path = lockPath();
    await kill(await startHolder(path));
    writeFileSync(`${path}.takeover`, '');
    utimesSync(`${path}.takeover`, later, later);
    expect(tryLock(path)).toBeDefined();
    const unwritten = join(dirname(path), 'unwritten');
    writeFileSync(unwritten, '');
    utimesSync(unwritten, later, later);
    expect(tryLock(unwritten)).toBeDefined();
  });

  it('of a process whose pid has been reused is taken over', ({ skip }) => {
    if (process.platform !== 'linux') skip('only /proc tells when a process started');
    const path = lockPath();
    forge(path, ([pid = '', start, ...rest]) => [pid, `${Number(start) - 1}`, ...rest]);
    expect(tryLock(path)).toBeDefined();
  });

  it.each([
    ['another machine', 60_000, true],
    ['another machine', 180_000, false],
  ])('of %s that has been silent for %i ms is respected: %s', (_, ageMs, respected) => {
    const path = lockPath();
    forge(path, ([pid = '', start = '', , mark = '']) => [pid, start, 'elsewhere/boot/1', mark], ageMs);
    expect(isLocked(path)).toBe(respected);
    expect(tryLock(path) === undefined).toBe(respected);
  });

  it.each([
    ['just now', 0, true],
    ['a while ago', 5000, false],
  ])('that was made %s and not written yet is respected: %s', (_, ageMs, respected) => {
    const path = lockPath();
    forge(path, () => [], ageMs);
    expect(tryLock(path) === undefined).toBe(respected);
  });

  it('is neither released nor refreshed by a holder that lost it', ({ path }) => {
    const lost = tryLock(path);
    writeFileSync(path, 'somebody else');
    utimesSync(path, 1, 1);
    lost?.touch();
    lost?.release();
    expect(readFileSync(path, 'utf8')).toBe('somebody else');
    expect(statSync(path).mtimeMs).toBe(1000);
  });

  it('is visible to its owner alone, and is an error where it cannot be created', ({ path }) => {
    tryLock(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const folder = scratchFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(() => tryLock(join(folder, 'file', 'lock'))).toThrow(/file is not a folder/);
    mkdirSync(join(folder, 'lock'));
    expect(() => tryLock(join(folder, 'lock'))).toThrow('EISDIR');
  });
});

it('many processes never hold one lock together, even when some of them die holding it', async ({ path }) => {
  mkdirSync(dirname(path));
  const start = (rounds: number, deadly: string) =>
    new Promise<string>((resolve) => {
      const child = spawn(process.execPath, [contender, path, String(rounds), deadly], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      child.stdout.on('data', (chunk) => {
        output += chunk;
      });
      child.on('close', (code, signal) => resolve(`${output}${signal ?? code}`));
    });
  const ends = await Promise.all([start(150, 'no'), start(150, 'no'), start(40, 'yes'), start(80, 'yes')]);
  expect(ends).toEqual(['0', '0', 'SIGKILL', 'SIGKILL']);
  expect(tryLock(path)).toBeDefined();
  expect(readdirSync(dirname(path))).toEqual(['lock']);
});
