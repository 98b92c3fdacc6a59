import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSystemError } from '../../../errors.ts';
import { idOf } from '../../../memory/id.ts';
import type { Environment } from '../../../user-folders.ts';
import {
  classOfStatus,
  type Limits,
  type Provider,
  ProviderError,
  type ProviderErrorClass,
  type ProviderReply,
  type ProviderRequest,
} from '../provider.ts';
import { MAX_BYTES, printable, withLimits } from './connection.ts';

/** An agent's own command line, which uses the subscription of the user who is logged in. */
export interface HostProgram {
  /** On PATH. */
  program: string;
  /** The product that has to be installed. */
  product: string;
  /** The command that updates it. */
  update: string;
  /** Variables that are withheld from it: signs of a surrounding session, and keys that would be billed instead. */
  withheld: RegExp;
  /** It inserts the file named after an `@`, even in captured text. */
  insertsFiles: boolean;
  /**
   * The arguments of one run, and what is added to its environment. The question is written to its standard input,
   * because every user of the machine can read a process's arguments.
   */
  call(request: ProviderRequest, model: string, folder: string): { args: string[]; env: Environment };
  read(outcome: Outcome): Said;
}

/** What a program printed. */
export interface Said {
  /** undefined where it gave no answer. */
  text?: string;
  /** Its own words about a failure. */
  trouble: string;
  /** The HTTP status of a failure, if it names one. */
  status?: number;
  stopReason?: string;
  tokens?: ProviderReply['tokens'];
}

export interface ProgramOptions extends Limits {
  /** As in the settings: `claude-cli`. */
  name: string;
  model: string;
  /** A separate folder outside any repository, created if missing, so that no project's files reach the answer. */
  cwd: string;
  env: Environment;
}

/** Makes a provider of a host's program. */
export function createProgramProvider(host: HostProgram, options: ProgramOptions): Provider {
  const { name, model, cwd, env } = options;
  // Twice that of an API: the program has to start first.
  const timeoutMs = options.timeoutMs ?? 120_000;
  const ask = async (request: ProviderRequest, signal: AbortSignal): Promise<ProviderReply> => {
    mkdirSync(cwd, { recursive: true, mode: 0o700 });
    const shield = host.insertsFiles ? shielded : (text: string) => text;
    const asked = { ...request, system: shield(request.system), user: shield(request.user) };
    const call = host.call(asked, model, cwd);
    // Hooks that a machine's policy enforces must not capture this, or it would never end.
    const environment = { ...handedOn(env, host.withheld), ...call.env, GIT_MEM: '0' };
    const run = { cwd, env: environment, input: asked.user, signal };
    const outcome = await runProgram(host.program, call.args, run);
    const { text, stopReason = '', tokens = { input: 0, output: 0 }, ...said } = host.read(outcome);
    if (text === undefined || outcome.code !== 0) throw failed(host, outcome.code, said);
    return { output: undefined, text: host.insertsFiles ? unshielded(text) : text, stopReason, tokens };
  };
  const toError = (error: unknown) => notRun(host, error);
  return withLimits({ name, model, label: host.program, ask, toError }, timeoutMs);
}

function handedOn(env: Environment, withheld: RegExp): Environment {
  const kept = Object.entries(env).filter(([name]) => !withheld.test(name) && !/^GIT_(?!CONFIG_GLOBAL)/.test(name));
  return Object.fromEntries(kept);
}

/** Writes a text into the folder under a unique name, so that drains never overwrite each other's; returns the path. */
export function keepText(folder: string, text: string, extension: string): string {
  const path = join(folder, `${idOf(text)}.${extension}`);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

/** A full-width `@` inserts no file. */
function shielded(text: string): string {
  return text.replaceAll('@', '＠');
}

function unshielded(text: string): string {
  return text.replaceAll('＠', '@');
}

function failed(host: HostProgram, code: number | null, { trouble, status }: Said): ProviderError {
  const { program, product, update } = host;
  const errorClass = classOf(trouble, status);
  if (errorClass === 'auth') {
    const hint = `Run \`${program}\` once and log in.`;
    return new ProviderError('auth', `${program} is not logged in to ${product}.`, { hint });
  }
  const words = printable(trouble, '');
  const how = code === 0 ? 'gave no answer' : code === null ? 'was ended by a signal' : `ended with ${code}`;
  const wait = resetIn(trouble);
  return new ProviderError(errorClass, `${program} ${how} (${errorClass})${words ? `: ${words}` : '.'}`, {
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...(UNKNOWN_OPTION.test(trouble) && { hint: `Update ${product}: \`${update}\`.` }),
  });
}

const UNKNOWN_OPTION = /unknown (?:option|arguments?)|unexpected argument/i;
const USED_UP =
  /limit reached|(?:usage|daily) limit|hit your\b.*\blimit|out of (?:extra )?(?:usage|credits)|credit balance|quota|exhausted/i;
const LOGGED_OUT =
  /\/login|not logged in|log ?in again|sign in again|api key|authenticat|oauth|auth method|refresh token|unauthorized/i;

/** By the status where the program names one; some only write text for people. */
function classOf(said: string, status = 0): ProviderErrorClass {
  if (USED_UP.test(said)) return 'quota';
  const named = status >= 400 ? status : Number(/\b(?:status|code)"?:? ?(\d{3})\b/.exec(said)?.[1]);
  if (named >= 400) return classOfStatus(named);
  if (LOGGED_OUT.test(said)) return 'auth';
  return /overloaded|at capacity|\b529\b/i.test(said) ? 'overloaded' : 'transient';
}

/** Milliseconds until a limit is lifted, from `usage limit reached|1754395200`; others name only an hour. */
function resetIn(said: string): number | undefined {
  const seconds = /limit reached\|(\d{9,11})\b/i.exec(said)?.[1];
  return seconds === undefined ? undefined : Math.max(0, Number(seconds) * 1000 - Date.now());
}

function notRun({ program, product }: HostProgram, error: unknown): ProviderError {
  if (isSystemError(error, 'ENOENT', 'EACCES', 'ENOTDIR')) {
    return new ProviderError('auth', `${program} cannot be run: it is not on PATH, or its folder cannot be made.`, {
      hint: `Install ${product} and log in, or set extract.provider to another.`,
    });
  }
  const why = printable(error instanceof Error ? error.message : String(error), '');
  return new ProviderError('transient', `${program} gave no answer: ${why}.`);
}

/** The result of a program that ran to its end. */
interface Outcome {
  /** Null where a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

interface Run {
  cwd: string;
  env: Environment;
  input: string;
  /** Ends the program and everything that it started. */
  signal: AbortSignal;
}

/** Runs a program without a shell. Rejects with a system error if it cannot be started, and when `signal` ends it. */
function runProgram(program: string, args: string[], { cwd, env, input, signal }: Run): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    // Its own process group, so that its children can be ended with it.
    const child = spawn(program, args, { cwd, env, detached: process.platform !== 'win32', windowsHide: true });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let size = 0;
    const collect = (chunks: Buffer[]) => (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BYTES) chunks.push(chunk);
      else fail(new Error(`its answer is longer than ${MAX_BYTES} bytes`));
    };
    const fail = (error: unknown) => {
      signal.removeEventListener('abort', abort);
      end(child);
      reject(error);
    };
    const abort = () => fail(new Error('it was ended'));
    signal.addEventListener('abort', abort, { once: true });
    child.stdout.on('data', collect(stdout));
    child.stderr.on('data', collect(stderr));
    child.stdin.on('error', () => {}); // A program that ends early: its exit code says so.
    child.on('error', fail);
    child.on('close', (code) => {
      signal.removeEventListener('abort', abort);
      resolve({ code, stdout: Buffer.concat(stdout).toString('utf8'), stderr: Buffer.concat(stderr).toString('utf8') });
    });
    child.stdin.end(input);
    if (signal.aborted) abort();
  });
}

function end(child: ChildProcessWithoutNullStreams): void {
  // Anything that still holds the pipes would keep this process waiting.
  child.stdout.destroy();
  child.stderr.destroy();
  try {
    if (child.pid !== undefined && process.platform !== 'win32') process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It has already ended.
  }
}
