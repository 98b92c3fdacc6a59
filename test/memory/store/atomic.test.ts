import { spawn } from 'node:child_process';
import fs, { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { appendLine, createFile, replaceFile } from '../../../src/memory/store/atomic.ts';
import { bundle } from '../../support/bundle.ts';
import { scratchFolder } from '../../support/scratch.ts';

const it = test.extend('folder', () => scratchFolder());

const createMany = await bundle(`
  import { createFile } from './src/memory/store/atomic.ts';
  const [folder, who] = process.argv.slice(2);
  let made = 0;
  for (let i = 0; i < 30; i++) if (createFile(folder + '/store/' + i, who.repeat(9000), folder + '/stage')) made++;
  console.log(made);
`);

describe('creating a file', () => {
  it('creates it with its folders, and leaves nothing else', ({ folder }) => {
    const path = join(folder, 'store', '2026-11', 'a.md');
    expect(createFile(path, 'text ☕', join(folder, 'stage'))).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe('text ☕');
    expect(statSync(path).mode & 0o777).toBe(0o644 & ~process.umask());
    expect(readdirSync(dirname(path))).toEqual(['a.md']);
    expect(readdirSync(join(folder, 'stage'))).toEqual([]);
  });

  it('leaves an existing file alone', ({ folder }) => {
    const path = join(folder, 'store', 'a.md');
    createFile(path, 'first', join(folder, 'stage'));
    expect(createFile(path, 'second', join(folder, 'stage'))).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe('first');
    expect(readdirSync(join(folder, 'stage'))).toEqual([]);
  });

  it('creates a private one that only its owner can access', () => {
    const path = join(scratchFolder(), 'private', '2026-11', 'a.md');
    createFile(path, 'text', join(dirname(path), '..', 'stage'), 0o600);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  });

  it('works where the staging file is on another file system', ({ skip }) => {
    const folder = scratchFolder();
    const shared = '/dev/shm';
    if (!existsSync(shared) || statSync(shared).dev === statSync(folder).dev) skip('no second file system here');
    const stage = fs.mkdtempSync(join(shared, 'git-mem-test-'));
    onTestFinished(() => fs.rmSync(stage, { recursive: true }));
    const path = join(folder, 'store', 'a.md');
    expect(createFile(path, 'text', stage)).toBe(true);
    expect(createFile(path, 'more', stage)).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe('text');
    expect([...readdirSync(dirname(path)), ...readdirSync(stage)]).toEqual(['a.md']);
  });

  it('recreates an empty folder that a checkout of another branch removed meanwhile', () => {
    const real = fs.linkSync;
    const path = join(scratchFolder(), 'store', '2026-11', 'a.md');
    let removed = 0;
    fs.linkSync = (from, to) => {
      if (removed++ === 0) fs.rmdirSync(dirname(path));
      real(from, to);
    };
    syncBuiltinESMExports();
    onTestFinished(() => {
      fs.linkSync = real;
      syncBuiltinESMExports();
    });
    expect(createFile(path, 'text', join(dirname(path), '..', '..', 'stage'))).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe('text');
  });

  it('works on a file system without hard links', () => {
    const real = fs.linkSync;
    const restore = (link: typeof fs.linkSync) => {
      fs.linkSync = link;
      syncBuiltinESMExports();
    };
    onTestFinished(() => restore(real));
    restore(() => {
      throw Object.assign(new Error('operation not permitted'), { code: 'EPERM' });
    });
    const path = join(scratchFolder(), 'store', 'a.md');
    const stage = join(dirname(path), '..', 'stage');
    expect(createFile(path, 'text', stage)).toBe(true);
    expect(createFile(path, 'more', stage)).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe('text');
    expect(readdirSync(dirname(path))).toEqual(['a.md']);
  });

  it('gives each name to exactly one of several processes, with complete content', async ({ folder }) => {
    const children = ['a', 'b', 'c'].map(
      (who) =>
        new Promise<number>((resolve, reject) => {
          const child = spawn(process.execPath, [createMany, folder, who], { stdio: ['ignore', 'pipe', 'inherit'] });
          let output = '';
          child.stdout.on('data', (chunk) => {
            output += chunk;
          });
          child.on('error', reject).on('close', () => resolve(Number(output)));
        }),
    );
    const made = await Promise.all(children);
    expect(made.reduce((sum, n) => sum + n, 0)).toBe(30);
    for (const name of readdirSync(join(folder, 'store'))) {
      const text = readFileSync(join(folder, 'store', name), 'utf8');
      expect(text).toBe((text[0] ?? '').repeat(9000));
    }
    expect(readdirSync(join(folder, 'store'))).toHaveLength(30);
  });

  it('fails, and leaves nothing behind, where no folder can be created', ({ folder }) => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => createFile(join(folder, 'file', 'a.md'), 'x', join(folder, 'stage'))).toThrow(/file is not a folder/);
    expect(() => createFile(join(folder, 'n'.repeat(300)), 'x', join(folder, 'stage'))).toThrow('ENAMETOOLONG');
    expect(readdirSync(join(folder, 'stage'))).toEqual([]);
  });
});

describe('replacing a file', () => {
  it('replaces all of it and leaves nothing else', () => {
    const path = join(scratchFolder(), 'state', 'a.json');
    replaceFile(path, 'a long first text');
    replaceFile(path, new Uint8Array([0, 255]));
    expect([...readFileSync(path)]).toEqual([0, 255]);
    expect(readdirSync(dirname(path))).toEqual(['a.json']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  });

  it('leaves the target alone if it cannot be replaced', () => {
    const path = join(scratchFolder(), 'a.json');
    mkdirSync(join(path, 'below'), { recursive: true });
    expect(() => replaceFile(path, 'text')).toThrow();
    expect(readdirSync(dirname(path))).toEqual(['a.json']);
  });
});

describe('appending a line', () => {
  it('adds to the existing content', () => {
    const path = join(scratchFolder(), 'state', 'own');
    appendLine(path, 'one');
    appendLine(path, 'two');
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('starts a new line after an incomplete one that a killed process left', () => {
    const path = join(scratchFolder(), 'own');
    writeFileSync(path, 'one\ntw');
    appendLine(path, 'three');
    expect(readFileSync(path, 'utf8')).toBe('one\ntw\nthree\n');
  });
});
