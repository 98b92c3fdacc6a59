import { describe, expect, it } from 'vitest';
import type { McpShape } from '../../src/capture/agents/host-facts.ts';
import { mcpFile } from '../../src/setup/mcp-file.ts';

const PATH = '.mcp.json';
const file = mcpFile(PATH, 'claude');
const add = (text?: string) => file.add(text, false);
const OURS = { command: 'git-mem', args: ['mcp'] };

const FILES: Record<string, string> = {
  'servers of others': '{\n  "mcpServers": {\n    "db": { "command": "db-mcp", "args": [] }\n  }\n}\n',
  'servers of others on one line': '{"mcpServers":{"db":{"command":"db-mcp"}}}',
  'servers of others with tabs and CRLF':
    '{\r\n\t"mcpServers": {\r\n\t\t"db": {\r\n\t\t\t"command": "x"\r\n\t\t}\r\n\t}\r\n}',
  'another key only': '{\n    "inputs": []\n}\n',
  'comments and trailing commas': '{\n  // ours\n  "mcpServers": {\n    "db": { "command": "x" }, // dear\n  },\n}\n',
  'a byte order mark': '\ufeff{\n  "mcpServers": {\n    "db": { "command": "x" }\n  }\n}\n',
};

describe('the MCP file', () => {
  it('is created where there is none, and removed again', () => {
    const text = add();
    expect(text).toBe(
      '{\n  "mcpServers": {\n    "git-mem": {\n      "command": "git-mem",\n      "args": ["mcp"]\n    }\n  }\n}\n',
    );
    expect(JSON.parse(text)).toEqual({ mcpServers: { 'git-mem': OURS } });
    expect(add(text)).toBe(text);
    expect(file.missing(text)).toEqual([]);
    expect(file.remove(text)).toBeUndefined();
  });

  it('begins with what its host would add, and adds nothing to a file of somebody else', () => {
    const kilo = mcpFile('kilo.json', 'opencode', { $schema: 'https://app.kilo.ai/config.json' });
    const text = kilo.add(undefined, false);
    expect(Object.keys(JSON.parse(text))).toEqual(['mcp', '$schema']);
    expect(kilo.add(text, false)).toBe(text);
    expect(kilo.remove(text)).toBeUndefined();
    expect(kilo.add('{ "model": "x" }', false)).not.toContain('$schema');
  });

  it.each(Object.entries(FILES))('keeps every other byte of a file with %s', (_, text) => {
    expect(file.missing(text)).toEqual(['git-mem']);
    expect(file.remove(text)).toBe(text);
    const merged = add(text);
    expect(merged).toContain('"git-mem"');
    expect(add(merged)).toBe(merged);
    expect(file.missing(merged)).toEqual([]);
    expect(file.remove(merged)).toBe(text);
  });

  it('keeps the command that somebody chose for it', () => {
    const text =
      '{"mcpServers": {"git-mem": {"command": "cmd", "args": ["/c", "git-mem", "mcp"]}, "db": {"command": "x"}}}';
    expect(add(text)).toBe(text);
    expect(file.missing(text)).toEqual([]);
    expect(JSON.parse(file.remove(text) ?? '')).toEqual({ mcpServers: { db: { command: 'x' } } });
  });

  const theirs: [string, string][] = [
    ['claude', '{"mcpServers": {"git-mem": {"command": "npx", "args": ["memory-server", "mcp"]}}}'],
    ['claude', '{"mcpServers": {"git-mem": {"type": "http", "url": "https://example.org/mcp"}}}'],
    ['vscode', '{"servers": {"git-mem": {"type": "stdio", "command": "git-mem-server", "args": ["mcp"]}}}'],
    ['opencode', '{"mcp": {"git-mem": {"type": "local", "command": ["uvx", "git-mem-py", "mcp"]}}}'],
    ['codex', '[mcp_servers.git-mem]\ncommand = "uvx"\nargs = ["memory"]\n\n[other]\nname = "git-mem"\n'],
  ];
  it.each(theirs)('leaves a server of our name that starts another program (%s) %s', (shape, text) => {
    const other = mcpFile(PATH, shape as McpShape);
    expect(other.isForeign?.(text)).toBe(true);
    expect(other.add(text, false)).toBe(text);
    expect(other.remove(text)).toBe(text);
    expect(other.isForeign?.(other.add(undefined, false))).toBe(false);
  });

  const texts = ['{"mcpServers": []}', '{"mcpServers": ', '[]', '{"mcpServers": "none"}'];
  it.each(texts)('refuses %s and says why', (text) => {
    expect(() => add(text)).toThrow(
      expect.objectContaining({ code: 'bad-settings', message: expect.stringContaining(PATH) }),
    );
  });
});
