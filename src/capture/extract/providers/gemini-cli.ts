import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { jsonIn } from '../../../json.ts';
import { given, looseCounts } from '../loose-values.ts';
import { classOfStatus, instructionsOf, type ProviderReply, type ProviderRequest } from '../provider.ts';
import type { ProviderErrorClass } from '../reactions.ts';
import type { Outcome } from './child.ts';
import { type Call, failed, type HostProgram, keepText, OWN_MODEL, shielded, unshielded } from './host-program.ts';

/** Gemini CLI's own `gemini -p`, on the account that the user is logged in with. */
export const GEMINI: HostProgram = {
  name: 'gemini-cli',
  program: 'gemini',
  product: 'Gemini CLI',
  withheld: /^(?:GEMINI_API_KEY|GOOGLE_API_KEY|GEMINI_CLI|GEMINI_SYSTEM_MD)$/,
  call,
  read: toReply,
};

/** No tools: captured text could talk a model into using them. */
const NO_TOOLS = '[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 999\n';

/** No hooks and no instruction file, not even the user's own: no file has this name. */
const SETTINGS = JSON.stringify({ hooksConfig: { enabled: false }, context: { fileName: 'none-of-these.md' } });

function call(request: ProviderRequest, model: string, folder: string): Call {
  mkdirSync(join(folder, '.gemini'), { recursive: true });
  writeFileSync(join(folder, '.gemini', 'settings.json'), SETTINGS);
  const args = [
    // The question comes on standard input; this is appended to it.
    ...['-p', ''],
    ...['--output-format', 'json'],
    ...(model === OWN_MODEL ? [] : ['--model', model]),
    ...['--extensions', 'none'],
    ...['--allowed-mcp-server-names', 'none'],
    ...['--policy', keepText(folder, NO_TOOLS, 'toml')],
  ];
  const env = {
    GEMINI_SYSTEM_MD: keepText(folder, instructionsOf(request), 'md'),
    // The settings of an untrusted folder would not be read.
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    NO_COLOR: '1',
  };
  return { args, input: shielded(request.user), env };
}

const answerShape = z.object({
  response: z.optional(z.string()),
  error: z.optional(z.object({ message: given, code: z.catch(z.union([z.number(), z.string()]), '') })),
  stats: z.optional(
    z.object({
      models: z.catch(z.record(z.string(), z.object({ tokens: looseCounts('prompt', 'candidates', 'thoughts') })), {}),
    }),
  ),
});

/** Answers are on standard output; errors have the same shape on standard error, after warnings. */
function toReply({ code, stdout, stderr }: Outcome): ProviderReply {
  const answer = objectIn(stdout);
  if (answer?.response === undefined || answer.error !== undefined || code !== 0) {
    const error = answer?.error ?? objectIn(stderr)?.error;
    const said = error?.message || stderr || stdout;
    throw failed(GEMINI, classOf(said, Number(error?.code || code)), {
      code,
      said,
      ...(/Unknown arguments?:/.test(said) && { hint: 'Update Gemini CLI: `npm install -g @google/gemini-cli`.' }),
    });
  }
  const used = Object.values(answer.stats?.models ?? {}).map(({ tokens }) => tokens);
  const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
  return {
    output: undefined,
    text: unshielded(answer.response),
    stopReason: '',
    tokens: {
      input: sum(used.map(({ prompt }) => prompt)),
      output: sum(used.map(({ candidates, thoughts }) => candidates + thoughts)),
    },
  };
}

function objectIn(text: string): z.infer<typeof answerShape> | undefined {
  const start = text.search(/^\{/m);
  // Text instead of JSON is reported.
  return start < 0 ? undefined : answerShape.safeParse(jsonIn(text.slice(start))).data;
}

/** Its exit code for login problems. */
const NOT_LOGGED_IN = 41;

function classOf(said: string, code: number): ProviderErrorClass {
  if (code === NOT_LOGGED_IN || /auth method|not authenticated|log ?in again|API key/i.test(said)) return 'auth';
  if (/quota|daily limit|usage limit|exhausted/i.test(said)) return 'quota';
  const status = code >= 400 ? code : Number(/\b(?:status|code)"?:? ?(\d{3})\b/.exec(said)?.[1]);
  return status >= 400 ? classOfStatus(status) : /overloaded/i.test(said) ? 'overloaded' : 'transient';
}
