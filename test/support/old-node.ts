import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Too old for git-mem. */
const VERSION = '18.20.8';

const FOLDER = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'git-mem', 'nodes');
const PLATFORM = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** A Node that is too old; undefined where it could not be installed. */
export function oldNode(): string | undefined {
  const program = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  const path = join(FOLDER, VERSION, 'node_modules', PLATFORM, program);
  return existsSync(path) ? path : undefined;
}

/** Installs it from npm into the user's cache folder: as a dependency, it would run this repository's scripts. */
export function installOldNode(): void {
  if (oldNode() !== undefined) return;
  mkdirSync(FOLDER, { recursive: true });
  const aside = mkdtempSync(join(FOLDER, 'new-'));
  writeFileSync(join(aside, 'package.json'), '{ "private": true }\n');
  const flags = ['--ignore-scripts', '--no-bin-links', '--no-audit', '--no-fund', '--fetch-retries=0'];
  spawnSync('npm', ['install', ...flags, `${PLATFORM}@${VERSION}`], {
    cwd: aside,
    stdio: 'ignore',
    timeout: 120_000,
    shell: process.platform === 'win32',
  });
  try {
    renameSync(aside, join(FOLDER, VERSION));
  } catch {
    // Another run was faster.
    rmSync(aside, { recursive: true, force: true });
  }
}
