import {
  type CallToolResult,
  type InputRequiredResult,
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Transport,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { GitMemError, messageOf } from '../../errors.ts';
import { personalCheckout } from '../../memory/store/personal.ts';
import { packageVersion, readTemplate } from '../../templates.ts';
import type { Environment } from '../../user-folders.ts';
import { failureOf, NO_VALIDATOR } from './answer.ts';
import { isToolName } from './arguments.ts';
import { boundedLines, tooLong } from './bounded-lines.ts';
import { type Engine, openEngine } from './engine.ts';
import { clientRoots, startOf } from './root.ts';
import { listTools } from './tools.ts';

/** Where the server runs and which parts of its environment it may read. */
export interface Surroundings {
  cwd: string;
  env: Environment;
  /** For people: standard output belongs to the protocol. */
  log: (line: string) => void;
}

/** Serves the memory over standard input and output until the client closes them. */
export function serve(surroundings: Surroundings): void {
  const { log } = surroundings;
  // Tools handle their own errors; any other error is reported and does not end the server.
  process.on('uncaughtException', (error) => log(`git-mem mcp: ${error.stack ?? error.message}`));
  const { stdin, stdout } = process;
  const input = stdin.pipe(boundedLines((start, end) => void stdout.write(tooLong(start, end))));
  // The transport pauses its input when it closes; a process that still listens would not end.
  input.on('pause', () => stdin.pause());
  serveOver(surroundings, new StdioServerTransport(input, stdout));
}

/** Serves over a transport until it closes. Does not change the process. */
export function serveOver(surroundings: Surroundings, transport: Transport): void {
  const { env, log } = surroundings;
  const engine = openEngine(env, log);
  serveStdio(({ era }) => createServer(era, engine, surroundings), {
    onerror: (error) => log(`git-mem mcp: ${isSchemaError(error) ? NO_MESSAGE : messageOf(error)}`),
    transport,
  });
}

const NO_MESSAGE = 'Skipped a line from the client that is not a JSON-RPC message.';

/** The SDK's schemas refused a line: the error's own message is a page of JSON about unions. */
function isSchemaError(error: Error): boolean {
  return 'issues' in error;
}

function createServer(era: 'legacy' | 'modern', engine: Engine, { cwd, env, log }: Surroundings): Server {
  const isOff = env.GIT_MEM === '0';
  const server = new Server(
    { name: 'git-mem', version: packageVersion() },
    {
      capabilities: { tools: {}, ...(!isOff && { prompts: {} }) },
      ...(!isOff && { instructions: readTemplate('mcp/instructions.md').trim() }),
      jsonSchemaValidator: NO_VALIDATOR,
    },
  );
  server.setRequestHandler('tools/list', async () => {
    if (isOff) return { tools: [] };
    return { tools: listTools({ hasPersonal: personalCheckout(env) !== undefined }) };
  });
  if (!isOff) offerBootstrap(server);
  server.setRequestHandler('tools/call', async ({ params }, context): Promise<CallToolResult | InputRequiredResult> => {
    const { name } = params;
    if (isOff || !isToolName(name)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
    try {
      const roots = await clientRoots(server, context, era);
      if (isInputRequiredResult(roots)) return roots;
      const caller = { client: server.getClientVersion(), session: sessionIn(params._meta) };
      return await engine({ folder: startOf(roots, cwd), tool: name, given: params.arguments, caller });
    } catch (error) {
      if (!(error instanceof GitMemError)) log(error instanceof Error && error.stack ? error.stack : messageOf(error));
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

/** The session in a call's metadata: Codex sends it as `sessionId`. */
function sessionIn(meta: object | undefined): string | undefined {
  const session: unknown = new Map(Object.entries(meta ?? {})).get('sessionId');
  return typeof session === 'string' && session !== '' ? session : undefined;
}
