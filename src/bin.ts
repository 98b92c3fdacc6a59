#!/usr/bin/env node
/** The program: hooks, the status line and the MCP server first, because agents wait for them; everything else loads the command line. */
import { readFileSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadBundle } from './compiled.ts';
import { recordEvent } from './hook/record.ts';
import { statusLine } from './hook/status-line.ts';
import { wakeDrain } from './hook/wake.ts';
import { GREETING, packageVersion } from './templates.ts';

/** Names this build: a hash of its bundles, put in by the bundler. */
declare const BUILD: string;

const args = process.argv.slice(2);
const [command, ...rest] = args;

async function hook(): Promise<void> {
  // Whatever goes wrong from here on, the host sees success and silence.
  process.on('uncaughtException', () => process.exit(0));
  process.stdout.on('error', () => {});
  const { stdin, env } = process;
  // Other programs are called git-mem, too: by this line the launcher knows that the rest is ours.
  if (env.GIT_MEM_REPLY) writeSync(1, `${GREETING}\n`);
  const outcome = await recordEvent({ args: rest, stdin, cwd: process.cwd(), env, now: new Date() });
  if (outcome === undefined) return;
  const isStart = outcome.reply?.question.kind === 'start';
  if (isStart) {
    const brief = loadBundle<typeof import('./hook/brief.ts')>('brief', BUILD, env);
    process.stdout.write(await brief.exports.sessionStartReply(outcome, env));
    brief.keep();
  }
  // An end that is answered is none: the turn goes on, and its real end wakes the drain.
  const mayGoOn = outcome.ask?.occasion.kind === 'turn-end';
  if (outcome.wake && !mayGoOn) wakeDrain(outcome.root, env);
  if (isStart || (outcome.reply ?? outcome.ask) === undefined) return;
  const { exports, keep } = loadBundle<typeof import('./hook/reply.ts')>('reply', BUILD, env);
  const reply = await exports.hookReply(outcome, env);
  if (outcome.wake && mayGoOn && reply === '') wakeDrain(outcome.root, env);
  // Whatever is still under way came too late: the agent is not kept waiting for it.
  process.stdout.write(reply, () => {
    keep();
    process.exit(0);
  });
}

/** Called again and again while an agent works: success, and a line or nothing. */
async function status(directory: string | undefined): Promise<void> {
  process.on('uncaughtException', () => process.exit(0));
  process.stdout.on('error', () => {});
  const { stdin, env } = process;
  process.stdout.write(await statusLine({ stdin, directory, cwd: process.cwd(), env }));
}

async function mcp(cwd: string): Promise<void> {
  (await import('./mcp/small-heap.ts')).keepHeapSmall();
  const { stderr, env } = process;
  stderr.on('error', () => {}); // A host that does not read it may close it.
  const { exports } = loadBundle<typeof import('./mcp/server.ts')>('mcp', BUILD, env);
  exports.serve({ cwd, env, log: (line) => void stderr.write(`${line}\n`) });
}

async function commandLine(): Promise<void> {
  const { exports, keep } = loadBundle<typeof import('./cli/main.ts')>('main', BUILD, process.env);
  process.exitCode = await exports.main(args, process);
  keep();
}

/** Answered from a file that the build wrote: what is asked most often should not load every command. */
function help(): void {
  process.stdout.write(readFileSync(join(__dirname, 'help.txt')));
}

function version(): void {
  process.stdout.write(`${packageVersion()}\n`);
}

// Whatever else follows these, such as --help, is for the command line to answer.
const hasDirectory = args.length === 3 && command === '-C';
const alone = args.length === 1 || hasDirectory ? args.at(-1) : undefined;
const directory = hasDirectory ? resolve(args[1] ?? '.') : undefined;
if (command === 'hook') void hook();
else if (alone === 'statusline') void status(directory);
else if (alone === 'mcp') void mcp(directory ?? process.cwd());
else if (alone === '--help' || alone === '-h') help();
else if (alone === '--version' || alone === '-V') version();
else void commandLine();
