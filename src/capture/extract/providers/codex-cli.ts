import * as z from 'zod/mini';
import { jsonIn } from '../../../json.ts';
import { given, looseCounts } from '../loose-values.ts';
import { classOfStatus, instructionsOf, type ProviderReply, type ProviderRequest } from '../provider.ts';
import type { ProviderErrorClass } from '../reactions.ts';
import type { Outcome } from './child.ts';
import { type Call, failed, type HostProgram, keepText, OWN_MODEL } from './host-program.ts';

/** Codex's own `codex exec`, on the user's subscription. */
export const CODEX: HostProgram = {
  name: 'codex-cli',
  program: 'codex',
  product: 'Codex',
  withheld: /^(?:OPENAI_API_KEY|CODEX_API_KEY|CODEX_(?:THREAD_ID|SANDBOX\w*|INTERNAL_\w+))$/,
  call,
  read: toReply,
};

/**
 * Features that would let the model act: captured text could talk it into doing so. They are set one by one, because
 * `--disable` refuses names that a version does not know, while unknown settings only cause a warning.
 */
const ACTING_FEATURES =
  'shell_tool unified_exec code_mode_host multi_agent hooks apps plugins browser_use computer_use image_generation';

function call(request: ProviderRequest, model: string, folder: string): Call {
  const instructions = keepText(folder, instructionsOf(request), 'md');
  const settings = [
    // A path as a TOML string.
    `model_instructions_file=${JSON.stringify(instructions)}`,
    'web_search="disabled"',
    'project_doc_max_bytes=0',
    ...ACTING_FEATURES.split(' ').map((name) => `features.${name}=false`),
  ];
  const args = [
    'exec',
    '--json',
    // No rollout, and none of the user's MCP servers, hooks and notifications.
    ...['--ephemeral', '--ignore-user-config', '--ignore-rules', '--skip-git-repo-check'],
    ...['--sandbox', 'read-only'],
    ...(model === OWN_MODEL ? [] : ['--model', model]),
    ...settings.flatMap((setting) => ['-c', setting]),
    '-',
  ];
  return { args, input: request.user, env: {} };
}

const eventShape = z.object({
  type: z.string(),
  message: given,
  error: z.optional(z.object({ message: given })),
  item: z.optional(z.object({ type: given, text: given })),
  usage: looseCounts('input_tokens', 'output_tokens'),
});

/** It prints one event per line; an item of the type `error` is only a warning, after which it goes on. */
function toReply({ code, stdout, stderr }: Outcome): ProviderReply {
  // Text instead of an event is left out: the final event is reported.
  const events = stdout.split('\n').flatMap((line) => eventShape.safeParse(jsonIn(line)).data ?? []);
  const answer = events.findLast(({ item }) => item?.type === 'agent_message')?.item?.text;
  const end = events.findLast(({ type }) => type === 'turn.completed');
  if (answer === undefined || end === undefined || code !== 0) {
    const failure = events.findLast(({ type }) => type === 'turn.failed' || type === 'error');
    const said = failure?.error?.message || failure?.message || stderr;
    throw failed(CODEX, classOf(said), {
      code,
      said,
      ...(/unexpected argument/.test(said) && { hint: 'Update Codex: `codex update`.' }),
    });
  }
  const { input_tokens, output_tokens } = end.usage;
  return { output: undefined, text: answer, stopReason: '', tokens: { input: input_tokens, output: output_tokens } };
}

function classOf(said: string): ProviderErrorClass {
  if (/usage limit|hit your\b.*\blimit|out of credits|quota/i.test(said)) return 'quota';
  const status = /\bstatus:? (\d{3})\b/.exec(said)?.[1];
  if (status !== undefined) return classOfStatus(Number(status));
  if (/not logged in|log ?in again|sign in again|refresh token|unauthorized/i.test(said)) return 'auth';
  return /at capacity|overloaded/i.test(said) ? 'overloaded' : 'transient';
}
