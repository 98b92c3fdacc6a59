import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestRepository } from './repository.ts';

/** The outcome of one command in a hostile world. */
export interface HostileRun {
  args: string[];
  /** 70 for what would have ended the program. */
  code: number;
  output: string;
  /** CPU time of the process, without its children, in milliseconds. */
  cpuMs: number;
  /** Forbidden places that were opened. */
  strayed: string[];
}

/** Runs the built program's commands in a process of its own, which is killed when a command never comes back. */
export interface HostileRunner {
  run(repository: TestRepository, commands: string[][], forbidden: string[]): Promise<HostileRun[]>;
  close(): void;
}

const PATIENCE_MS = 90_000;

// The command line and the session start hook as they are built, and every path that they open.
const SOURCE = `
import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { PassThrough } from 'node:stream';
import { runInThisContext } from 'node:vm';
const opened = [];
for (const name of ['openSync', 'open', 'readFileSync', 'readFile', 'readdirSync', 'readdir', 'createReadStream', 'writeFileSync', 'mkdirSync', 'linkSync', 'renameSync', 'unlinkSync', 'rmSync']) {
  const real = fs[name];
  fs[name] = (...args) => {
    for (const path of args.slice(0, 2)) if (typeof path === 'string' && path.startsWith('/')) opened.push(where(path));
    return real(...args);
  };
}
syncBuiltinESMExports();
function where(path) {
  try { return fs.realpathSync(path); } catch {}
  const cut = path.lastIndexOf('/');
  return cut > 0 ? where(path.slice(0, cut)) + path.slice(cut) : path;
}
// A bundle is a function of what CommonJS gives a module.
function load(name) {
  const file = DIST + '/' + name;
  const module = { exports: {} };
  runInThisContext(fs.readFileSync(file, 'latin1'), { filename: file })(module.exports, createRequire(file), module, file, DIST);
  return module.exports;
}
const { main } = load('main.cjs');
const { sessionStartReply } = load('brief.cjs');
async function run(args, root, env) {
  const stdout = new PassThrough(), stderr = new PassThrough(), stdin = new PassThrough();
  stdin.end();
  let output = '';
  for (const stream of [stdout, stderr]) stream.on('data', (chunk) => { output += chunk; });
  if (args[0] === 'hook') {
    const git = root + '/.git';
    const checkout = { root, gitDir: git, commonDir: git };
    const kind = { source: 'startup', isAnew: false, isSubagent: false, isUnheard: false };
    const start = { checkout, state: git + '/git-mem', host: 'claude-code', event: 'SessionStart', session: 's', ...kind };
    return { code: 0, output: await sessionStartReply(start, env) };
  }
  const fake = { env, stdin, stdout, stderr, exitCode: undefined, exit(code) { throw new Error('exit ' + code); } };
  const code = await main(['-C', root, ...args], fake);
  return { code, output };
}
process.on('message', async ({ args, root, env, forbidden }) => {
  opened.length = 0;
  const started = process.cpuUsage();
  let result;
  try { result = await run(args, root, env); } catch (error) { result = { code: 70, output: String(error?.stack ?? error) }; }
  const { user, system } = process.cpuUsage(started);
  const strayed = [...new Set(opened)].filter((path) => forbidden.some((place) => path === place || path.startsWith(place + '/')));
  process.send({ args, ...result, output: result.output.slice(0, 200000), cpuMs: (user + system) / 1000, strayed });
});
process.send('ready');
`;

/** Starts it; the built program has to be there. */
export function startRunner(): HostileRunner {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'git-mem-runner-')));
  const program = join(folder, 'runner.mjs');
  writeFileSync(program, SOURCE.replaceAll('DIST', JSON.stringify(resolve('dist'))));
  let child: ChildProcess | undefined;

  async function ready(): Promise<ChildProcess> {
    if (child !== undefined) return child;
    const started = fork(program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child = started;
    await new Promise((done) => started.once('message', done));
    return started;
  }

  function answer(process: ChildProcess, args: string[], message: object): Promise<HostileRun> {
    return new Promise((done) => {
      const end = (code: number | null) =>
        done({ args, code: 70, output: `It ended with ${code}.`, cpuMs: 0, strayed: [] });
      const timer = setTimeout(() => {
        child = undefined;
        process.kill('SIGKILL');
      }, PATIENCE_MS);
      process.once('exit', end);
      process.once('message', (run: HostileRun) => {
        clearTimeout(timer);
        process.off('exit', end);
        done(run);
      });
      process.send(message);
    });
  }

  return {
    async run({ root, env }, commands, forbidden) {
      const runs: HostileRun[] = [];
      for (const args of commands) runs.push(await answer(await ready(), args, { args, root, env, forbidden }));
      return runs;
    },
    close() {
      child?.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
