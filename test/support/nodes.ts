import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Two that are too old for git-mem, and one that has SQLite. */
const VERSIONS = { 16: '16.20.2', 18: '18.20.8', 24: '24.21.0' } as const;

const FOLDER = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'git-mem', 'nodes');
const PLATFORM = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** Another version of Node; undefined where it could not be installed. */
export function otherNode(major: keyof typeof VERSIONS): string | undefined {
  const program = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  const path = join(FOLDER, VERSIONS[major], 'node_modules', PLATFORM, program);
  return existsSync(path) ? path : undefined;
}

/**
 * Installs those from npm into the user's cache folder: as a dependency, one of them would run this repository's scripts.
 * Returns what is missing.
 */
export function installNodes(): string[] {
  const majors = [16, 18, 24] as const;
  for (const major of majors) if (otherNode(major) === undefined) install(VERSIONS[major]);
  return majors.filter((major) => otherNode(major) === undefined).map((major) => VERSIONS[major]);
}

function install(version: string): void {
  mkdirSync(FOLDER, { recursive: true });
  const aside = mkdtempSync(join(FOLDER, 'new-'));
  writeFileSync(join(aside, 'package.json'), '{ "private": true }\n');
  const flags = ['--ignore-scripts', '--no-bin-links', '--no-audit', '--no-fund', '--fetch-retries=0'];
  spawnSync('npm', ['install', ...flags, `${PLATFORM}@${version}`], {
    cwd: aside,
    stdio: 'ignore',
    timeout: 120_000,
    shell: process.platform === 'win32',
  });
  try {
    renameSync(aside, join(FOLDER, version));
  } catch {
    // Another run was faster.
    rmSync(aside, { recursive: true, force: true });
  }
}
