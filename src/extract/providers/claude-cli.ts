import { mkdirSync } from 'node:fs';
import * as z from 'zod/mini';
import { isSystemError } from '../../errors.ts';
import {
  classOfStatus,
  type Provider,
  ProviderError,
  type ProviderReply,
  type ProviderRequest,
  withRetries,
} from '../provider.ts';
import type { ProviderErrorClass } from '../reactions.ts';
import { type Outcome, runProgram } from './child.ts';
import { printable, withinDeadline } from './connection.ts';

export interface ClaudeCliOptions {
  model: string;
  /** An empty folder outside any repository, made where it is missing: nothing of a project's reaches the answer. */
  cwd: string;
  env: Record<string, string | undefined>;
  timeoutMs?: number | undefined;
  retries?: number | undefined;
  retryDelayMs?: number | undefined;
}

const LABEL = 'claude';

/** Claude Code's own `claude -p`, on the user's subscription. */
export function createClaudeCliProvider({ model, cwd, env, ...options }: ClaudeCliOptions): Provider {
  const timeoutMs = options.timeoutMs ?? 120_000;
  const ask = async (request: ProviderRequest, signal: AbortSignal): Promise<ProviderReply> => {
    mkdirSync(cwd, { recursive: true, mode: 0o700 });
    const input = shielded(request.user);
    const run = { cwd, env: environmentOf(env, request.maxTokens), input, signal };
    return toReply(await runProgram('claude', argumentsOf(request, model), run));
  };
  const single: Provider = {
    name: 'claude-cli',
    model,
    complete: (request) =>
      withinDeadline({ label: LABEL, timeoutMs, signal: request.signal }, (signal) => ask(request, signal), notRun),
  };
  return withRetries(single, { retries: options.retries, delayMs: options.retryDelayMs });
}

/** Only the instructions stand in the arguments, which every user of the machine can read: the turn goes to standard input. */
function argumentsOf({ system, schema }: ProviderRequest, model: string): string[] {
  const instructions = `${system}\nThe answer is one JSON object and nothing else. The schema: ${JSON.stringify(schema)}`;
  return [
    '-p',
    ...['--output-format', 'json'],
    ...['--model', model],
    ...['--system-prompt', shielded(instructions)],
    // Captured text could talk a model with tools into using them.
    ...['--tools', ''],
    '--strict-mcp-config',
    '--no-session-persistence',
    ...['--settings', JSON.stringify({ disableAllHooks: true })],
  ];
}

/** What marks a running session: a claude inside would refuse to start. */
const OF_THE_SESSION = /^CLAUDECODE$|^CLAUDE_CODE_(?:ENTRYPOINT|SSE_PORT|SESSION_ID|CHILD_SESSION)$/;

function environmentOf(env: ClaudeCliOptions['env'], maxTokens: number): ClaudeCliOptions['env'] {
  const kept = Object.entries(env).filter(
    // A key would be billed in the subscription's place.
    ([name]) => !OF_THE_SESSION.test(name) && !/^GIT_(?!CONFIG_GLOBAL)/.test(name) && name !== 'ANTHROPIC_API_KEY',
  );
  return {
    ...Object.fromEntries(kept),
    // Hooks that a policy of the machine forces on must not capture this, or it would never end.
    GIT_MEM: '0',
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(maxTokens),
    MAX_THINKING_TOKENS: '0',
    DISABLE_AUTOUPDATER: '1',
  };
}

/** Claude Code puts the file behind an `@` into the prompt, whoever wrote it: a full-width one is only a character. */
function shielded(text: string): string {
  return text.replaceAll('@', '＠');
}

function unshielded(text: string): string {
  return text.replaceAll('＠', '@');
}

const count = z.catch(z.number(), 0);

const resultShape = z.object({
  type: z.literal('result'),
  is_error: z.catch(z.boolean(), false),
  api_error_status: z.optional(z.unknown()),
  result: z.catch(z.string(), ''),
  stop_reason: z.catch(z.string(), ''),
  usage: z.catch(
    z.object({
      input_tokens: count,
      output_tokens: count,
      cache_creation_input_tokens: count,
      cache_read_input_tokens: count,
    }),
    { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  ),
});

function toReply({ code, stdout, stderr }: Outcome): ProviderReply {
  const result = resultIn(stdout);
  if (result === undefined) throw failed(code, stderr || stdout, undefined);
  if (result.is_error || code !== 0) throw failed(code, result.result || stderr, Number(result.api_error_status));
  const { usage } = result;
  return {
    output: undefined,
    text: unshielded(result.result),
    stopReason: result.stop_reason,
    tokens: {
      input: usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens,
      output: usage.output_tokens,
    },
  };
}

/** The result object, by itself or last in the list that a verbose setting makes of it. */
function resultIn(stdout: string): z.infer<typeof resultShape> | undefined {
  try {
    const value: unknown = JSON.parse(stdout);
    const parsed = resultShape.safeParse(Array.isArray(value) ? value.at(-1) : value);
    return parsed.data;
  } catch {
    return undefined; // Words instead of JSON: they are reported.
  }
}

function failed(code: number | null, said: string, status: number | undefined): ProviderError {
  const errorClass = classOf(said, status);
  if (errorClass === 'auth') {
    return new ProviderError('auth', 'claude is not logged in.', { hint: 'Run `claude` once and log in.' });
  }
  const wait = resetIn(said);
  const words = printable(said, '');
  const how = code === 0 ? 'gave no answer' : code === null ? 'was ended by a signal' : `ended with ${code}`;
  return new ProviderError(errorClass, `claude ${how} (${errorClass})${words ? `: ${words}` : '.'}`, {
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...(/unknown option/.test(said) && { hint: 'Update Claude Code: `claude update`.' }),
  });
}

/** By status where the program tells one; older ones only have words for people. */
function classOf(said: string, status: number | undefined): ProviderErrorClass {
  if (/limit reached|hit your\b.*\blimit|out of (?:extra )?usage|credit balance/i.test(said)) return 'quota';
  if (status !== undefined && status >= 400) return classOfStatus(status);
  if (/\/login|not logged in|invalid api key|authenticat|oauth/i.test(said)) return 'auth';
  return /overloaded|\b529\b/i.test(said) ? 'overloaded' : 'transient';
}

/** Milliseconds until the limit passes, from `usage limit reached|1754395200`; other versions name an hour without a day. */
function resetIn(said: string): number | undefined {
  const seconds = /limit reached\|(\d{9,11})\b/i.exec(said)?.[1];
  return seconds === undefined ? undefined : Math.max(0, Number(seconds) * 1000 - Date.now());
}

function notRun(error: unknown): ProviderError {
  if (isSystemError(error, 'ENOENT', 'EACCES', 'ENOTDIR')) {
    return new ProviderError('auth', 'claude cannot be run: it is not on PATH, or its folder cannot be made.', {
      hint: 'Install Claude Code and log in, or set extract.provider to another.',
    });
  }
  const why = printable(error instanceof Error ? error.message : String(error), '');
  return new ProviderError('transient', `claude gave no answer: ${why}.`);
}
