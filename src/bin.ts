#!/usr/bin/env node
/** The program: hooks and the MCP server first, because agents wait for them; the rest loads the command line. */
import { readFileSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Loaded, loadBundle } from './surfaces/hook/compiled.ts';
import { GREETING, packageVersion } from './templates.ts';

/** The commands of the `quick` bundle, repeated here so as not to load it. */
type Quick = keyof typeof import('./surfaces/cli/quick.ts').COMMANDS;
const QUICK: Quick[] = ['status', 'list', 'search', 'show', 'pre-commit'];

/** Identifies this build: a hash of its bundles, injected by the bundler. */
declare const BUILD: string;

const args = process.argv.slice(2);
const [command, ...rest] = args;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  const sentence = `git-mem needs Node 20.19 or later: this is ${process.versions.node}. Put a newer one first on PATH.\n`;
  // The host is told nothing; the launcher counts it.
  if (command !== 'hook') writeSync(2, sentence);
  else if (process.env.GIT_MEM_REPLY) writeSync(1, sentence);
  process.exit(command === 'hook' ? 0 : 1);
}

function load<T>(name: string, purpose?: string): Loaded<T> {
  return loadBundle<T>(name, BUILD, process.env, purpose);
}

async function hook(): Promise<void> {
  // Whatever goes wrong from here on, the host sees success and silence.
  process.on('uncaughtException', () => process.exit(0));
  // Other programs are called git-mem too: this line tells the launcher that the rest of the output is ours.
  if (process.env.GIT_MEM_REPLY) writeSync(1, `${GREETING}\n`);
  // This is how `doctor` asks which program answers.
  if (process.env.GIT_MEM_REPLY && rest.length === 0) return;
  // An event's name comes from a command line, and becomes part of a file's name.
  const event = /^\w{1,40}$/.test(rest[1] ?? '') ? rest[1] : undefined;
  const { exports, keep } = load<typeof import('./surfaces/hook/hook.ts')>('hook', event);
  await exports.hook({ args: rest, process, load: { brief: () => load('brief'), reply: () => load('reply', event) } });
  keep();
  // All output is written; exiting is faster than tearing down heap and streams.
  process.exit();
}

async function mcp(cwd: string): Promise<void> {
  // Before anything large is loaded: a heap that has grown keeps its nursery of twice 16 MB. A server lives as long as
  // an agent's session, and what a tool call leaves behind is garbage at once.
  const { setFlagsFromString } = await import('node:v8');
  for (const flag of ['--semi-space-growth-factor=1', '--optimize-for-size']) setFlagsFromString(flag);
  const { stderr, env } = process;
  stderr.on('error', () => {}); // A host that does not read it may close it.
  const { exports, keep } = load<typeof import('./surfaces/mcp/server.ts')>('mcp');
  keep();
  exports.serve({ cwd, env, log: (line) => void stderr.write(`${line}\n`) });
}

async function quickCommand(): Promise<void> {
  const { exports, keep } = load<typeof import('./surfaces/cli/quick.ts')>('quick', name);
  const { code, isWritten } = await exports.quick(args, process);
  process.exitCode = code;
  keep();
  // On some systems, writes to pipes finish later.
  if (isWritten) process.exit();
}

async function commandLine(): Promise<void> {
  const { exports, keep } = load<typeof import('./program.ts')>('main');
  process.exitCode = await exports.main(args, process);
  keep();
}

// With any other argument, such as --help, the full command line answers.
const hasDirectory = args.length === 3 && command === '-C';
const alone = args.length === 1 || hasDirectory ? args.at(-1) : undefined;
const name = command === '-C' ? args[2] : command;
// Only the whole program has the hub.
const isQuick = QUICK.some((quick) => quick === name) && !args.includes('--hub');
const directory = hasDirectory ? resolve(args[1] ?? '.') : undefined;
if (command === 'hook') void hook();
else if (alone === 'mcp') void mcp(directory ?? process.cwd());
// Written by the build: the most common request should not load every command.
else if (alone === '--help' || alone === '-h') process.stdout.write(readFileSync(join(__dirname, 'help.txt')));
else if (alone === '--version' || alone === '-V') process.stdout.write(`${packageVersion()}\n`);
else if (isQuick) void quickCommand();
else void commandLine();
