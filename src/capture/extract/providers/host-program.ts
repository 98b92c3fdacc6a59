import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSystemError } from '../../../errors.ts';
import { idOf } from '../../../memory/id.ts';
import type { Environment } from '../../../user-folders.ts';
import {
  type Limits,
  type Provider,
  ProviderError,
  type ProviderReply,
  type ProviderRequest,
  withRetries,
} from '../provider.ts';
import type { ProviderErrorClass } from '../reactions.ts';
import { type Outcome, runProgram } from './child.ts';
import { printable, withinDeadline } from './connection.ts';

export interface HostProgramOptions extends Limits {
  model: string;
  /** A separate folder outside any repository, created if missing, so that no project's files reach the answer. */
  cwd: string;
  env: Environment;
}

/** One run of the program. */
export interface Call {
  args: string[];
  /** All captured text goes here, because every user of the machine can read a process's arguments. */
  input: string;
  /** Added to the part of the user's environment that is passed on. */
  env: Environment;
}

/** An agent's own command line, which uses the logged-in user's subscription. */
export interface HostProgram {
  /** Its name in the settings, and on PATH. */
  name: string;
  program: string;
  /** The product that has to be installed. */
  product: string;
  /** Variables that are withheld from it: signs of a surrounding session, and keys that would be billed instead. */
  withheld: RegExp;
  call(request: ProviderRequest, model: string, folder: string): Call;
  /** Throws a ProviderError on failure. */
  read(outcome: Outcome): ProviderReply;
}

/** The model setting that leaves the choice to the program. */
export const OWN_MODEL = 'default';

/** Makes a provider of a host's program. */
export function createHostProvider(host: HostProgram, options: HostProgramOptions): Provider {
  const { model, cwd, env } = options;
  // Twice that of an API: the program has to start first.
  const timeoutMs = options.timeoutMs ?? 120_000;
  const ask = async (request: ProviderRequest, signal: AbortSignal): Promise<ProviderReply> => {
    mkdirSync(cwd, { recursive: true, mode: 0o700 });
    const call = host.call(request, model, cwd);
    // Hooks that a machine's policy enforces must not capture this, or it would never end.
    const environment = { ...handedOn(env, host.withheld), ...call.env, GIT_MEM: '0' };
    return host.read(await runProgram(host.program, call.args, { cwd, env: environment, input: call.input, signal }));
  };
  const single: Provider = {
    name: host.name,
    model,
    complete: (request) => {
      const toError = (error: unknown) => notRun(host, error);
      const deadline = { label: host.program, timeoutMs, signal: request.signal, toError };
      return withinDeadline(deadline, (signal) => ask(request, signal));
    },
  };
  return withRetries(single, options);
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

/** Some hosts insert the file named after an `@`, even in captured text: a full-width `@` has no such effect. */
export function shielded(text: string): string {
  return text.replaceAll('@', '＠');
}

export function unshielded(text: string): string {
  return text.replaceAll('＠', '@');
}

/** The error of a program that ended without an answer; `said` is its own message. */
export function failed(
  { program, product }: Pick<HostProgram, 'program' | 'product'>,
  errorClass: ProviderErrorClass,
  { code, said, ...options }: { code: number | null; said: string; hint?: string; retryAfterMs?: number },
): ProviderError {
  if (errorClass === 'auth') {
    const hint = `Run \`${program}\` once and log in.`;
    return new ProviderError('auth', `${program} is not logged in to ${product}.`, { hint });
  }
  const words = printable(said, '');
  const how = code === 0 ? 'gave no answer' : code === null ? 'was ended by a signal' : `ended with ${code}`;
  return new ProviderError(errorClass, `${program} ${how} (${errorClass})${words ? `: ${words}` : '.'}`, options);
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
