import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  type InputRequiredResult,
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Transport,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { hooklessWords, type McpCaller, sessionBehindCall } from '../../capture/by-hand/saving-agent.ts';
import { GitMemError, messageOf } from '../../errors.ts';
import { isObject } from '../../json.ts';
import { personalCheckout } from '../../memory/store/personal.ts';
import { packageVersion, readTemplate } from '../../templates.ts';
import type { Environment } from '../../user-folders.ts';
import { failureOf, NO_VALIDATOR, noted, resultOf } from './answer.ts';
import { isToolName, type ToolName } from './arguments.ts';
import type { Repositories } from './repositories.ts';
import { clientRoots, isUninvited, startOf } from './root.ts';
import { listTools } from './tools.ts';

/** Where the server runs and which parts of its environment it may read. */
export interface Surroundings {
  cwd: string;
  env: Environment;
  /** For people: standard output belongs to the protocol. */
  log: (line: string) => void;
}

/** Longest message, in bytes: a longer one makes the transport end the server. No record is a thirtieth as long. */
const LONGEST_MESSAGE = 64_000_000;

/** Serves the memory over standard input and output until the client closes them. */
export function serve(surroundings: Surroundings): void {
  const { log } = surroundings;
  // Tools handle their own errors; any other error is reported and does not end the server.
  process.on('uncaughtException', (error) => log(`git-mem mcp: ${error.stack ?? error.message}`));
  serveOver(surroundings, new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: LONGEST_MESSAGE }));
}

/** Serves over a transport until it closes. Does not change the process. */
export function serveOver(surroundings: Surroundings, transport: Transport): void {
  const { env, log } = surroundings;
  const engine = openEngine(env);
  serveStdio(({ era }) => createServer(era, engine, surroundings), {
    // The SDK's schemas refused a line: the error's own message is a page of JSON about unions.
    onerror: (error) => log(`git-mem mcp: ${'issues' in error ? NO_MESSAGE : messageOf(error)}`),
    transport,
  });
}

const NO_MESSAGE = 'Skipped a line from the client that is not a JSON-RPC message.';

function createServer(
  era: 'legacy' | 'modern',
  engine: ReturnType<typeof openEngine>,
  { cwd, env, log }: Surroundings,
): Server {
  const isOff = env.GIT_MEM === '0';
  // A plugin's server runs in every repository that its user opens: where nobody set up a memory it costs nothing.
  const isSilent = isOff || isUninvited(cwd, env);
  const server = new Server(
    { name: 'git-mem', version: packageVersion() },
    {
      capabilities: { tools: {}, ...(!isSilent && { prompts: {} }) },
      ...(!isSilent && { instructions: readTemplate('mcp/instructions.md').trim() }),
      jsonSchemaValidator: NO_VALIDATOR,
    },
  );
  server.setRequestHandler('tools/list', async () => {
    if (isOff || isUninvited(cwd, env)) return { tools: [] };
    return { tools: listTools({ hasPersonal: personalCheckout(env) !== undefined }) };
  });
  if (!isSilent) offerBootstrap(server);
  server.setRequestHandler('tools/call', async ({ params }, context): Promise<CallToolResult | InputRequiredResult> => {
    const { name } = params;
    if (isOff || !isToolName(name)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
    try {
      const roots = await clientRoots(server, context, era);
      if (isInputRequiredResult(roots)) return roots;
      const caller = { client: clientOf(server, context), session: sessionIn(params._meta) };
      return await engine({ folder: startOf(roots, cwd), tool: name, given: params.arguments, caller });
    } catch (error) {
      const stack = (error instanceof Error && error.stack) || messageOf(error);
      if (!(error instanceof GitMemError)) log(`git-mem mcp: ${stack}`);
      return failureOf(error);
    }
  });
  return server;
}

/** Offers the brief of `git mem bootstrap --agent`, which hosts show people as a command. */
function offerBootstrap(server: Server): void {
  const prompt = { name: 'bootstrap', description: 'Read this repository and save a first memory of it' };
  server.setRequestHandler('prompts/list', () => ({ prompts: [prompt] }));
  server.setRequestHandler('prompts/get', ({ params: { name } }) => {
    if (name !== prompt.name) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name}`);
    const text = readTemplate('prompts/bootstrap.md');
    return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
}

/** Since protocol 2026-07-28 a client says who it is with each call; before, only when it connects. */
function clientOf(server: Server, { mcpReq: { envelope } }: ServerContext): McpCaller['client'] {
  const said: unknown = new Map(Object.entries(envelope ?? {})).get(CLIENT_INFO_META_KEY);
  const { name, version } = isObject(said) ? said : {};
  return typeof name === 'string' ? { name, version: String(version) } : server.getClientVersion();
}

/** The session in a call's metadata: Codex sends it as `sessionId`, Droid as `assemblySessionId`. */
function sessionIn(meta: object | undefined): string | undefined {
  const said = new Map<string, unknown>(Object.entries(meta ?? {}));
  const session = said.get('sessionId') ?? said.get('assemblySessionId');
  return typeof session === 'string' && session !== '' ? session : undefined;
}

/** A tool call. `folder`: where to look for the repository. */
type Ask = { folder: string; tool: ToolName; given: unknown; caller: McpCaller };

/** How long the caches stay open for another call, in milliseconds: agents call in bursts, then pause for hours. */
const IDLE_MS = 10_000;

/** Tools whose records belong where the work is done. */
const WRITES: ReadonlySet<ToolName> = new Set(['save_observation', 'save_summary', 'mark']);

/** Prepares an engine; its parts are loaded with the first call, because many sessions make none. */
function openEngine(env: Environment) {
  let repositories: Repositories | undefined;
  let isFirst = true;
  let open = 0;
  let idle: NodeJS.Timeout | undefined;

  function rest(): void {
    repositories?.close();
    repositories = undefined;
  }

  return async ({ folder, tool, given, caller }: Ask): Promise<CallToolResult> => {
    clearTimeout(idle);
    open++;
    try {
      const { openRepositories } = await import('./repositories.ts');
      const { runTool } = await import('./tools.ts');
      repositories ??= openRepositories(env);
      const started = repositories.at(folder);
      const { workspace } = started.project;
      const at = WRITES.has(tool) ? sessionBehindCall(workspace, caller) : undefined;
      const repository = at && at.root !== workspace.checkout.root ? repositories.at(at.root) : started;
      const answer = await runTool(tool, given, repository, { now: new Date(), caller: { ...caller, ...at } });
      const words = isFirst ? hooklessWords(workspace, caller, folder) : '';
      isFirst = false;
      return resultOf(noted(answer, words));
    } finally {
      // Unreferenced: the timer must not keep the server alive once the client has closed standard input.
      if (--open === 0) idle = setTimeout(rest, IDLE_MS).unref();
    }
  };
}
