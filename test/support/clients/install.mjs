import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Installs real coding agents, in the versions of `pinned.json`, into the user's cache folder and runs the tests that
 * drive them: `npm run test:hosts [-- NAME...]`. They come from npm, none of their scripts is run, and the model that
 * the tests give them is a script on loopback: no account is needed.
 */
const pinned = JSON.parse(readFileSync(new URL('pinned.json', import.meta.url), 'utf8'));
const platform = `${process.platform}-${process.arch}`;
const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'git-mem', 'clients');
const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in pinned));
if (unknown.length > 0) {
  process.stderr.write(`No such client: ${unknown.join(', ')}. Known are ${Object.keys(pinned).join(', ')}.\n`);
  process.exit(2);
}

const chosen = names.length > 0 ? names : Object.keys(pinned);
for (const name of chosen) install(name);
const tests = [
  'test/e2e/real-hosts.test.ts',
  'test/e2e/real-sessions.test.ts',
  'test/e2e/in-band.test.ts',
  'test/e2e/real-guards.test.ts',
  'test/e2e/real-start-line.test.ts',
];
const env = { ...process.env, GIT_MEM_CLIENTS: folder, GIT_MEM_CLIENTS_ONLY: names.join(',') };
process.exit(spawnSync('npx', ['vitest', 'run', ...tests], { stdio: 'inherit', env }).status ?? 1);

function install(name) {
  const packages = pinned[name].packages.map((one) => one.replaceAll('{platform}', platform));
  if (packages.every((one) => isInstalled(join(folder, name), one))) return;
  process.stdout.write(`Installing ${packages.join(', ')} into ${join(folder, name)}.\n`);
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'package.json'), '{ "private": true }\n');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact'];
  const { status } = spawnSync('npm', ['install', ...flags, ...packages], {
    cwd: join(folder, name),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // The tests of what is missing say so and are skipped.
  if (status !== 0) process.stderr.write(`${name} could not be installed.\n`);
}

function isInstalled(project, specifier) {
  const at = specifier.lastIndexOf('@');
  const manifest = join(project, 'node_modules', specifier.slice(0, at), 'package.json');
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === specifier.slice(at + 1);
}
