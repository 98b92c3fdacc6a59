import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { jsonIn } from '../../../json.ts';
import { given, looseCounts } from '../loose-values.ts';
import { instructionsOf } from '../provider.ts';
import { type HostProgram, keepText } from './program.ts';

/** The model setting that leaves the choice to the program. */
export const OWN_MODEL = 'default';

const CLAUDE: HostProgram = {
  program: 'claude',
  product: 'Claude Code',
  update: 'claude update',
  // A claude inside a running session would refuse to start.
  withheld: /^(?:CLAUDECODE|CLAUDE_CODE_(?:ENTRYPOINT|SSE_PORT|SESSION_ID|CHILD_SESSION)|ANTHROPIC_API_KEY)$/,
  insertsFiles: true,
  call: (request, model) => ({
    args: [
      '-p',
      ...['--output-format', 'json'],
      ...['--model', model],
      ...['--system-prompt', instructionsOf(request)],
      // Captured text could talk a model into using tools.
      ...['--tools', ''],
      '--strict-mcp-config',
      '--no-session-persistence',
      ...['--settings', JSON.stringify({ disableAllHooks: true })],
    ],
    env: {
      CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(request.maxTokens),
      MAX_THINKING_TOKENS: '0',
      DISABLE_AUTOUPDATER: '1',
    },
  }),
  read({ stdout, stderr }) {
    // A verbose setting makes it a list, with the result last.
    const value = jsonIn(stdout);
    const result = claudeShape.safeParse(Array.isArray(value) ? value.at(-1) : value).data;
    if (result === undefined) return { trouble: stderr || stdout };
    const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = result.usage;
    const input = input_tokens + cache_creation_input_tokens + cache_read_input_tokens;
    return {
      ...(result.is_error ? {} : { text: result.result }),
      trouble: result.result || stderr,
      status: Number(result.api_error_status),
      stopReason: result.stop_reason,
      tokens: { input, output: output_tokens },
    };
  },
};

const claudeShape = z.object({
  type: z.literal('result'),
  is_error: z.catch(z.boolean(), false),
  api_error_status: z.optional(z.unknown()),
  result: given,
  stop_reason: given,
  usage: looseCounts('input_tokens', 'output_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'),
});

/**
 * Features that would let the model act: captured text could talk it into doing so. They are set one by one, because
 * `--disable` refuses names that a version does not know, while unknown settings only cause a warning.
 */
const ACTING_FEATURES =
  'shell_tool unified_exec code_mode_host multi_agent hooks apps plugins browser_use computer_use image_generation';

const CODEX: HostProgram = {
  program: 'codex',
  product: 'Codex',
  update: 'codex update',
  withheld: /^(?:OPENAI_API_KEY|CODEX_API_KEY|CODEX_(?:THREAD_ID|SANDBOX\w*|INTERNAL_\w+))$/,
  insertsFiles: false,
  call(request, model, folder) {
    const settings = [
      // A path as a TOML string.
      `model_instructions_file=${JSON.stringify(keepText(folder, instructionsOf(request), 'md'))}`,
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
    return { args, env: {} };
  },
  read({ stdout, stderr }) {
    // One event per line; an item of the type `error` is only a warning, and the run continues.
    const events = stdout.split('\n').flatMap((line) => codexShape.safeParse(jsonIn(line)).data ?? []);
    const answer = events.findLast(({ item }) => item?.type === 'agent_message')?.item?.text;
    const end = events.findLast(({ type }) => type === 'turn.completed');
    const failure = events.findLast(({ type }) => type === 'turn.failed' || type === 'error');
    return {
      ...(answer !== undefined && end !== undefined && { text: answer }),
      trouble: failure?.error?.message || failure?.message || stderr,
      tokens: { input: end?.usage.input_tokens ?? 0, output: end?.usage.output_tokens ?? 0 },
    };
  },
};

const codexShape = z.object({
  type: z.string(),
  message: given,
  error: z.optional(z.object({ message: given })),
  item: z.optional(z.object({ type: given, text: given })),
  usage: looseCounts('input_tokens', 'output_tokens'),
});

/** No tools: captured text could talk a model into using them. */
const NO_TOOLS = '[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 999\n';

/** No hooks and no instruction file, not even the user's own: no file has this name. */
const GEMINI_SETTINGS = JSON.stringify({ hooksConfig: { enabled: false }, context: { fileName: 'none-of-these.md' } });

/** Its exit code for login problems, as a status. */
const LOGIN_STATUS: Record<number, number> = { 41: 401 };

const GEMINI: HostProgram = {
  program: 'gemini',
  product: 'Gemini CLI',
  update: 'npm install -g @google/gemini-cli',
  withheld: /^(?:GEMINI_API_KEY|GOOGLE_API_KEY|GEMINI_CLI|GEMINI_SYSTEM_MD)$/,
  insertsFiles: true,
  call(request, model, folder) {
    mkdirSync(join(folder, '.gemini'), { recursive: true });
    writeFileSync(join(folder, '.gemini', 'settings.json'), GEMINI_SETTINGS);
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
    return { args, env };
  },
  read({ stdout, stderr, code }) {
    // Answers are on standard output; errors have the same shape on standard error, after warnings.
    const { response, error = geminiObject(stderr)?.error, stats } = geminiObject(stdout) ?? {};
    const status = Number(error?.code || code);
    const used = Object.values(stats?.models ?? {}).map(({ tokens }) => tokens);
    const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
    return {
      ...(response !== undefined && error === undefined && { text: response }),
      trouble: error?.message || stderr || stdout,
      status: LOGIN_STATUS[status] ?? status,
      tokens: {
        input: sum(used.map(({ prompt }) => prompt)),
        output: sum(used.map(({ candidates, thoughts }) => candidates + thoughts)),
      },
    };
  },
};

const geminiShape = z.object({
  response: z.optional(z.string()),
  error: z.optional(z.object({ message: given, code: z.catch(z.union([z.number(), z.string()]), '') })),
  stats: z.optional(
    z.object({
      models: z.catch(z.record(z.string(), z.object({ tokens: looseCounts('prompt', 'candidates', 'thoughts') })), {}),
    }),
  ),
});

function geminiObject(text: string): z.infer<typeof geminiShape> | undefined {
  const start = text.search(/^\{/m);
  return start < 0 ? undefined : geminiShape.safeParse(jsonIn(text.slice(start))).data;
}

/** The agents' own command lines, by the name of their provider in the settings. */
export const PROGRAMS = { 'claude-cli': CLAUDE, 'codex-cli': CODEX, 'gemini-cli': GEMINI };
