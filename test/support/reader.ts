import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { gitMem } from './command-line.ts';
import { makeRemote } from './hub-world.ts';
import { freePort } from './loopback.ts';
import { startRegistry } from './npm-registry.ts';
import { postgresPrograms, startPostgres } from './postgres.ts';
import { createRepository, type TestRepository } from './repository.ts';
import { FULL } from './trials.ts';
import { observationOf, put } from './written-records.ts';

/** Runs the commands of one page in their order, as somebody does who copies them into a terminal. */
export interface Reader {
  /** Begins a block: in the repository, or where its marks say. */
  begin(marks: Mark[]): Promise<void>;
  run(command: string): Promise<{ code: number | null; output: string }>;
  close(): Promise<void>;
}

/** What a block can say about where it runs, and the reason why it cannot here. */
export const MARKS = {
  'in full': () => (FULL ? undefined : 'npm run test:full runs it'),
  'in a checkout': () => undefined,
  'with a registry': () => undefined,
  'with PostgreSQL': () => (postgresPrograms() ? undefined : 'this machine has no PostgreSQL'),
} as const satisfies Record<string, () => string | undefined>;
export type Mark = keyof typeof MARKS;

/** `files` are those that the page shows, by their names. */
export async function createReader(files: Map<string, string>): Promise<Reader> {
  const closing: (() => void)[] = [];
  const repository = yourRepository(closing);
  const { root, folder } = repository;
  const port = await freePort();
  for (const [name, content] of files)
    repository.write(name, name === 'hub.yaml' ? `${content}server: {port: ${port}}\n` : content);
  const env: TestRepository['env'] = { ...repository.env, EDITOR: 'true' };
  const servers: ChildProcess[] = [];
  let cwd = root;
  let said = '';

  /** What a page can only give an example of, and what it is here. */
  const examples: Record<string, () => string | Promise<string>> = {
    'http://127.0.0.1:8080': () => `http://127.0.0.1:${port}`,
    m0ee149rdf: () => /^(\w+) {2}ci/m.exec(said)?.[1] ?? 'no-token-was-listed',
  };
  const provide: Record<Mark, () => void | Promise<void>> = {
    'in full': () => {},
    'in a checkout': () => {
      cwd = join(folder, 'checkout');
      copyCheckout(cwd, join(folder, 'bin'));
      Object.assign(env, { ...QUIET_NPM, npm_config_prefix: join(folder, 'prefix') });
    },
    'with a registry': async () => {
      const { url, close } = await startRegistry();
      closing.push(close);
      Object.assign(env, { ...QUIET_NPM, npm_config_prefix: join(folder, 'prefix'), npm_config_registry: url });
    },
    'with PostgreSQL': () => {
      const server = startPostgres(postgresPrograms() ?? '');
      closing.push(server.stop);
      env.GIT_MEM_HUB_DATABASE = server.createDatabase();
    },
  };

  async function run(written: string): Promise<{ code: number | null; output: string }> {
    let command = written;
    for (const [example, real] of Object.entries(examples))
      if (command.includes(example)) command = command.replaceAll(example, await real());
    const [, variable, value] = /^export (\w+)=(.*)$/.exec(command) ?? [];
    const [, place] = /^cd (.*)$/.exec(command) ?? [];
    if (place !== undefined) {
      cwd = resolve(cwd, place);
      return { code: 0, output: '' };
    }
    if (variable !== undefined) {
      const { code, stdout, output } = await shell(`value=${value}; printf %s "$value"`, cwd, env);
      env[variable] = stdout;
      return { code, output };
    }
    if (/^git mem hub (?:serve|worker)/.test(command)) return startServer(command, { cwd, env, servers });
    // PGlite is open in one process at a time.
    if (/^git mem hub /.test(command) && env.GIT_MEM_HUB_DATABASE === undefined) await stop(servers);
    const ran = (await withinThisProcess(command, cwd, env)) ?? (await shell(command, cwd, env));
    said += `${ran.output}\n`;
    return ran;
  }

  return {
    async begin(marks) {
      cwd = root;
      if (marks.includes('with PostgreSQL')) await stop(servers);
      for (const mark of marks) await provide[mark]();
    },
    run,
    async close() {
      await stop(servers);
      for (const one of closing.reverse()) one();
    },
  };
}

/** A small project of Claude Code's on a branch, with a remote and the records that the pages speak of. */
function yourRepository(closing: (() => void)[]): TestRepository {
  const repository = createRepository('your-repository', (remove) => closing.push(remove));
  const { git, write, folder, env } = repository;
  git('config', '--global', 'user.email', 'ada@example.com');
  write('.claude/settings.json', '{}\n');
  write('package.json', '{"scripts": {"test": "node --test"}}\n');
  write('src/auth.ts', 'export {};\n');
  put(repository, observationOf({ id: 'k3v9x2qd7m', title: 'Tolerate clock skew', files_modified: ['src/auth.ts'] }));
  put(repository, observationOf({ id: 'p8w2m4ta1c', title: 'Clocks are synchronised', files_read: ['src/auth.ts'] }));
  git('add', '.');
  git('commit', '--quiet', '-m', 'Start');
  git('init', '--quiet', '--bare', join(folder, 'origin.git'));
  git('remote', 'add', 'origin', join(folder, 'origin.git'));
  git('push', '--quiet', 'origin', 'HEAD:main');
  git('fetch', '--quiet', 'origin');
  git('switch', '--quiet', '-c', 'feature');
  mkdirSync(join(env.HOME ?? '', '.config'), { recursive: true });
  const platform = makeRemote(folder, 'acme/platform.git');
  platform.commit([observationOf({ id: 'm8c4r7t2wp', title: 'The proxy has a timeout of 60 seconds' })]);
  git('config', '--global', `url.${join(folder, 'remotes')}/.insteadOf`, 'https://github.com/');
  program(join(folder, 'bin'), 'claude', `#!${process.execPath}\n${CLAUDE}`);
  return repository;
}

/** Takes plugins as the client does: the folders have to be what it reads, and the names what these say. */
const CLAUDE = `
const { readFileSync, writeFileSync } = require('node:fs');
const kept = process.env.HOME + '/marketplace.json';
const [one, two, three, four] = process.argv.slice(2);
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
if (one === '--plugin-dir') read(two + '/.claude-plugin/plugin.json');
else if (one === 'plugin' && two === 'marketplace' && three === 'add')
  writeFileSync(kept, JSON.stringify(read(four + '/.claude-plugin/marketplace.json')));
else if (one === 'plugin' && two === 'install') {
  const { name, plugins } = read(kept);
  if (!plugins.some((plugin) => plugin.name + '@' + name === three)) throw new Error('There is no ' + three);
} else throw new Error('What is ' + process.argv.slice(2).join(' ') + '?');
`;

const QUIET_NPM = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_update_notifier: 'false' };

/** What git would have here after a clone. Its \`npm ci\` compares with the lock, and takes the packages of this checkout. */
function copyCheckout(folder: string, bin: string): void {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  for (const file of files.split('\0').filter(Boolean)) cpSync(file, join(folder, file));
  const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
  const packages = resolve('node_modules');
  const check = `'${npm}' ci --dry-run --offline --ignore-scripts && ln -sfn '${packages}' node_modules`;
  program(bin, 'npm', `#!/bin/sh\nif [ "$1" = ci ]; then ${check}; else exec '${npm}' "$@"; fi\n`);
}

function program(bin: string, name: string, source: string): void {
  writeFileSync(join(bin, name), source);
  chmodSync(join(bin, name), 0o755);
}

/** A command of git-mem alone, which needs no shell to be read; undefined for any other. */
async function withinThisProcess(command: string, root: string, env: TestRepository['env']) {
  const plain = /^git mem ([^|&><;$~`]*)$/.exec(command)?.[1];
  if (plain === undefined) return undefined;
  const words = [...plain.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
  const { code, stdout, stderr } = await gitMem({ root, env }, words);
  return { code, output: stdout + stderr };
}

/** Not synchronously: what it asks may be served by this process. */
async function shell(command: string, cwd: string, env: TestRepository['env']) {
  const child = spawn('sh', ['-ec', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, stdout, output: stdout + stderr };
}

/** Starts a server, and waits until it is of use: it has an address, and who syncs has synced. */
async function startServer(
  command: string,
  { cwd, env, servers }: { cwd: string; env: TestRepository['env']; servers: ChildProcess[] },
): Promise<{ code: number | null; output: string }> {
  const child = spawn('git-mem', command.split(' ').slice(2), { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  servers.push(child);
  const serves = command.includes(' serve');
  const syncs = !serves || env.GIT_MEM_HUB_DATABASE === undefined;
  let output = '';
  const code = await new Promise<number | null>((done) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const isUp = (!serves || /^http:/m.test(output)) && (!syncs || output.includes('"event":"sync"'));
      if (output.includes('"level":"error"')) done(1);
      else if (isUp) done(0);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', (status) => done(status ?? 1));
  });
  return { code, output };
}

/** Ends servers as an operator does; throws when one does not end well. */
async function stop(servers: ChildProcess[]): Promise<void> {
  for (const child of servers.splice(0)) {
    const ended = new Promise<number | null>((done) => child.once('close', done));
    if (child.exitCode !== null || !child.kill('SIGTERM')) throw new Error('A server ended by itself.');
    const code = await ended;
    if (code !== 0) throw new Error(`A server ended with ${code}.`);
  }
}
