import { pathToFileURL } from 'node:url';
import { type CallToolResult, Client, InMemoryTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { serveOver } from '../../src/surfaces/mcp/server.ts';
import { PROGRAM } from './program.ts';

/** Where a server runs, and what its client supports. */
export interface McpOptions {
  cwd: string;
  env: Record<string, string | undefined>;
  /** Folders that the client names; without it the client knows no roots. May change between calls. */
  roots?: () => string[];
  /** `2026` negotiates the newest protocol, `2025` opens with the older handshake. */
  era?: '2025' | '2026';
  /** Who the client says that it is. */
  clientInfo?: { name: string; version: string };
}

export interface McpProgramOptions extends McpOptions {
  args?: string[];
  /** Is told what the server says on standard error, which otherwise goes to our own. */
  onTalk?: (text: string) => void;
}

/** A server of this memory, talked to by the official client library. */
export interface McpConnection {
  client: Client;
  call(tool: string, given?: Record<string, unknown>, meta?: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

export interface ToolAnswer {
  text: string;
  isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever a tool answered
  data: any;
}

/** Connects to a server within this process, until the test ends: the real protocol and tools, without pipes. */
export async function connectMcpHere(options: McpOptions): Promise<McpConnection> {
  const { cwd, env } = options;
  const [near, far] = InMemoryTransport.createLinkedPair();
  serveOver({ cwd, env, log: (line) => console.error(line) }, far);
  const connection = await connected(near, options);
  onTestFinished(connection.close);
  return connection;
}

/** Starts the built program and connects to it over stdio. */
export async function connectMcp(options: McpProgramOptions): Promise<McpConnection & { pid: number }> {
  const { cwd, env, args = ['mcp'], onTalk } = options;
  const defined = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, ...args],
    cwd,
    env: Object.fromEntries(defined),
    stderr: onTalk ? 'pipe' : 'inherit',
  });
  transport.stderr?.on('data', (chunk) => onTalk?.(String(chunk)));
  const connection = await connected(transport, options);
  return { ...connection, pid: transport.pid ?? 0 };
}

async function connected(
  transport: Transport,
  { roots, era = '2026', clientInfo = { name: 'test', version: '1.0.0' } }: McpOptions,
): Promise<McpConnection> {
  const client = new Client(clientInfo, {
    capabilities: roots ? { roots: {} } : {},
    versionNegotiation: { mode: era === '2026' ? { pin: '2026-07-28' } : 'legacy' },
  });
  if (roots) {
    client.setRequestHandler('roots/list', () => ({
      roots: roots().map((folder) => ({ uri: pathToFileURL(folder).href })),
    }));
  }
  await client.connect(transport);
  return {
    client,
    call: async (name, given = {}, meta) =>
      answerOf(await client.callTool({ name, arguments: given, ...(meta && { _meta: meta }) })),
    close: () => client.close(),
  };
}

function answerOf({ content, structuredContent, isError }: CallToolResult): ToolAnswer {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return { text, isError: isError === true, data: structuredContent };
}
