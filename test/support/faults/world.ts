import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { PROGRAM } from '../program.ts';
import { callIn, commit, type TestRepository } from '../repository.ts';
import type { Plan } from './steps.ts';
import { standIns } from './tools.ts';

/** A word that the settings keep out of the memory. */
export const KEPT_OUT = 'importer';

/** How a program ended. */
export interface Ended {
  exit: number | null;
  stdout: string;
  stderr: string;
}

/** What is run in a world. */
export interface Command {
  /** Arguments of git-mem, or with `program` of another program. */
  args: string[];
  program?: string;
  /** The programs that it starts are its steps, not the calls of Node. */
  tools?: boolean;
  input?: string;
  env?: Record<string, string>;
}

/** A scratch repository that can be put back to how it was, at the same place: events name the folder they happened in. */
export interface World extends TestRepository {
  /** For what is no part of it, such as plans. */
  beside: string;
  /** Makes what is there now what `restore` brings back. */
  keep(): void;
  restore(): void;
  /** Runs a program, with all that it starts in its own group, until the last of them has ended. */
  run(command: Command, plan?: Omit<Plan, 'folder' | 'report'>): Promise<Ended & { report: string }>;
  remove(): void;
}

/** Makes a world with an initialised repository and bundles the preload for it. */
export async function createWorld(): Promise<World> {
  const beside = realpathSync(mkdtempSync(join(tmpdir(), 'git-mem-faults-')));
  const [folder, kept, preload] = [join(beside, 'world'), join(beside, 'kept'), join(beside, 'preload.mjs')];
  const root = join(folder, 'repository');
  const report = join(beside, 'report');
  for (const dir of [root, join(folder, 'home'), join(beside, 'bin')]) mkdirSync(dir, { recursive: true });
  const launcher = join(beside, 'bin/git-mem');
  writeFileSync(launcher, `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
  chmodSync(launcher, 0o755);
  const env = {
    PATH: `${join(beside, 'bin')}:${process.env.PATH}`,
    HOME: join(folder, 'home'),
    LANG: 'C.UTF-8',
    GIT_CONFIG_GLOBAL: join(beside, 'gitconfig'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_MEM_EXTRACT_PROVIDER: 'none',
  };
  writeFileSync(
    env.GIT_CONFIG_GLOBAL,
    '[user]\n\tname = Test\n\temail = test@example.com\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n',
  );
  const bundled = { outfile: preload, bundle: true, platform: 'node', format: 'esm', target: 'node20.19' } as const;
  await build({ entryPoints: ['test/support/faults/preload.ts'], ...bundled, logLevel: 'warning' });
  const inside = (program: string, args: string[]) =>
    execFileSync(program, args, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  standIns(join(beside, 'tools'), env.PATH);
  let tools: string[] = [];
  const world: World = {
    beside,
    folder,
    root,
    env,
    git: (...args) => inside('git', args),
    commit,
    call: (...args) => callIn({ root, env }, args),
    gitMem: (...args) => inside(process.execPath, [PROGRAM, ...args]),
    write(path, content) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    keep() {
      rmSync(kept, { recursive: true, force: true });
      cpSync(folder, kept, { recursive: true, preserveTimestamps: true });
    },
    restore() {
      rmSync(folder, { recursive: true, force: true });
      cpSync(kept, folder, { recursive: true, preserveTimestamps: true });
    },
    async run(command, plan) {
      for (const path of [report, `${report}.tools`]) rmSync(path, { force: true });
      // Without a plan, and under stand-ins, Node only counts: no drain that a hook wakes outlives it.
      const counting = { at: 0, kind: 'EIO', report: `${report}.node` } as const;
      const inNode = command.tools ? counting : (plan ?? counting);
      const faults = {
        NODE_OPTIONS: `--import ${pathToFileURL(preload).href}`,
        GIT_MEM_TEST_FAULT: JSON.stringify({ report, ...inNode, folder }),
      };
      const ofTools = command.tools && {
        PATH: `${join(beside, 'tools')}:${env.PATH}`,
        GIT_MEM_TEST_TOOL: tools[(plan?.at ?? 0) - 1] ?? '',
        GIT_MEM_TEST_KIND: plan?.kind ?? '',
        GIT_MEM_TEST_REPORT: report,
      };
      const ended = await runGroup(command, root, { ...env, ...command.env, ...faults, ...ofTools });
      if (!command.tools || plan?.at !== 0) return { ...ended, report: textIfThere(report) };
      tools = [...new Set(textIfThere(`${report}.tools`).split('\n').filter(Boolean))];
      return { ...ended, report: JSON.stringify(tools.map((label) => ({ class: 'tool', label }))) };
    },
    remove: () => rmSync(beside, { recursive: true, force: true }),
  };
  world.git('init', '--quiet', '--template=');
  world.gitMem('init', '--yes');
  world.write('.memory/config.yaml', `privacy:\n  redact: ["${KEPT_OUT}"]\n`);
  return world;
}

function runGroup({ args, program, input = '' }: Command, cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const [file, all] = program === undefined ? [process.execPath, [PROGRAM, ...args]] : [program, args];
    const child = spawn(file, all, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk) => stdout.push(chunk));
    child.stderr.on('data', (chunk) => stderr.push(chunk));
    child.stdin.on('error', () => {}); // Killed before it read everything.
    child.on('error', reject);
    child.on('close', (exit) => {
      const ended = { exit, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
      void groupEnded(child.pid ?? 0).then(() => resolve(ended));
    });
    child.stdin.end(input);
  });
}

/** Git children of a killed program end by themselves. */
async function groupEnded(group: number): Promise<void> {
  for (let waits = 0; waits < 500 && isAlive(group); waits++) await sleep(10);
}

/** Tells whether somebody in the process group still runs; the dead whom nobody buries do not count. */
function isAlive(group: number): boolean {
  try {
    process.kill(-group, 0);
  } catch {
    return false;
  }
  const processes = existsSync('/proc/self/stat') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  const states = processes.map((pid) =>
    textIfThere(`/proc/${pid}/stat`)
      .replace(/^.*\) /s, '')
      .split(' '),
  );
  return processes.length === 0 || states.some(([state, , its]) => Number(its) === group && state !== 'Z');
}

function textIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // Never written, or its process ended meanwhile.
  }
}
