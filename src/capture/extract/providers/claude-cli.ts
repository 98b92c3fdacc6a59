import * as z from 'zod/mini';
import { jsonIn } from '../../../json.ts';
import { given, looseCounts } from '../loose-values.ts';
import { classOfStatus, instructionsOf, type ProviderReply, type ProviderRequest } from '../provider.ts';
import type { ProviderErrorClass } from '../reactions.ts';
import type { Outcome } from './child.ts';
import { type Call, failed, type HostProgram, shielded, unshielded } from './host-program.ts';

/** Claude Code's own `claude -p`, on the user's subscription. */
export const CLAUDE: HostProgram = {
  name: 'claude-cli',
  program: 'claude',
  product: 'Claude Code',
  // A claude inside a running session would refuse to start.
  withheld: /^(?:CLAUDECODE|CLAUDE_CODE_(?:ENTRYPOINT|SSE_PORT|SESSION_ID|CHILD_SESSION)|ANTHROPIC_API_KEY)$/,
  call,
  read: toReply,
};

function call(request: ProviderRequest, model: string): Call {
  const args = [
    '-p',
    ...['--output-format', 'json'],
    ...['--model', model],
    ...['--system-prompt', shielded(instructionsOf(request))],
    // Captured text could talk a model into using tools.
    ...['--tools', ''],
    '--strict-mcp-config',
    '--no-session-persistence',
    ...['--settings', JSON.stringify({ disableAllHooks: true })],
  ];
  const env = {
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(request.maxTokens),
    MAX_THINKING_TOKENS: '0',
    DISABLE_AUTOUPDATER: '1',
  };
  return { args, input: shielded(request.user), env };
}

const resultShape = z.object({
  type: z.literal('result'),
  is_error: z.catch(z.boolean(), false),
  api_error_status: z.optional(z.unknown()),
  result: given,
  stop_reason: given,
  usage: looseCounts('input_tokens', 'output_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'),
});

function toReply({ code, stdout, stderr }: Outcome): ProviderReply {
  const result = resultIn(stdout);
  if (result === undefined) throw trouble(code, stderr || stdout, undefined);
  if (result.is_error || code !== 0) throw trouble(code, result.result || stderr, Number(result.api_error_status));
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
  const value = jsonIn(stdout);
  return resultShape.safeParse(Array.isArray(value) ? value.at(-1) : value).data;
}

function trouble(code: number | null, said: string, status: number | undefined): ReturnType<typeof failed> {
  const wait = resetIn(said);
  return failed(CLAUDE, classOf(said, status), {
    code,
    said,
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...(/unknown option/.test(said) && { hint: 'Update Claude Code: `claude update`.' }),
  });
}

/** By status if the program reports one; older versions only write text for people. */
function classOf(said: string, status: number | undefined): ProviderErrorClass {
  if (/limit reached|hit your\b.*\blimit|out of (?:extra )?usage|credit balance/i.test(said)) return 'quota';
  if (status !== undefined && status >= 400) return classOfStatus(status);
  if (/\/login|not logged in|invalid api key|authenticat|oauth/i.test(said)) return 'auth';
  return /overloaded|\b529\b/i.test(said) ? 'overloaded' : 'transient';
}

/** Milliseconds until the limit is lifted, from `usage limit reached|1754395200`; other versions name only an hour. */
function resetIn(said: string): number | undefined {
  const seconds = /limit reached\|(\d{9,11})\b/i.exec(said)?.[1];
  return seconds === undefined ? undefined : Math.max(0, Number(seconds) * 1000 - Date.now());
}
