import { pathToFileURL } from 'node:url';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { PROGRAM } from './program.ts';

export interface McpOptions {
  cwd: string;
  env: Record<string, string | undefined>;
  /** Folders that the client names; without it the client knows no roots. May change between calls. */
  roots?: () => string[];
  /** `2026` negotiates the newest protocol, `2025` opens with the older handshake. */
  era?: '2025' | '2026';
  args?: string[];
  /** Is told what the server says on standard error, which otherwise goes to our own. */
  onTalk?: (text: string) => void;
}

/** A running `git-mem mcp`, talked to by the official client library. */
export interface McpConnection {
  client: Client;
  pid: number;
  call(tool: string, given?: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

export interface ToolAnswer {
  text: string;
  isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever a tool answered
  data: any;
}

/** Starts the built program and connects to it over stdio. */
export async function connectMcp(options: McpOptions): Promise<McpConnection> {
  const { cwd, env, roots, era = '2026', args = ['mcp'], onTalk } = options;
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      capabilities: roots ? { roots: {} } : {},
      versionNegotiation: { mode: era === '2026' ? { pin: '2026-07-28' } : 'legacy' },
    },
  );
  if (roots) {
    client.setRequestHandler('roots/list', () => ({
      roots: roots().map((folder) => ({ uri: pathToFileURL(folder).href })),
    }));
  }
  const defined = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, ...args],
    cwd,
    env: Object.fromEntries(defined),
    stderr: onTalk ? 'pipe' : 'inherit',
  });
  transport.stderr?.on('data', (chunk) => onTalk?.(String(chunk)));
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    call: async (name, given = {}) => answerOf(await client.callTool({ name, arguments: given })),
    close: () => client.close(),
  };
}

function answerOf({ content, structuredContent, isError }: CallToolResult): ToolAnswer {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return { text, isError: isError === true, data: structuredContent };
}
