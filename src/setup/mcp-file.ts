import type { McpShape } from '../capture/agents/host-facts.ts';
import { append, badSettings, member, type Node, parseObject, printed, removeNode } from './json-edit.ts';
import { indented, keepingMark, nativeLines, type SetupFile } from './setup-file.ts';

/** Our server's name, which identifies its entry even after people changed it. */
const NAME = 'git-mem';

/** The hosts' JSON formats for a server: the key that contains all servers, and our entry. */
const NOTATIONS = {
  claude: { key: 'mcpServers', entry: { command: 'git-mem', args: ['mcp'] } },
  vscode: { key: 'servers', entry: { type: 'stdio', command: 'git-mem', args: ['mcp'] } },
  opencode: { key: 'mcp', entry: { type: 'local', command: ['git-mem', 'mcp'] } },
} satisfies Partial<Record<McpShape, unknown>>;
type Notation = (typeof NOTATIONS)[keyof typeof NOTATIONS];

/** A file that tells hosts which MCP servers to start. */
export function mcpFile(path: string, shape: McpShape, hosts: HostsOwn = {}): SetupFile {
  return shape === 'codex' ? tomlServerFile(path) : jsonServerFile(path, NOTATIONS[shape], hosts);
}

/** What a host adds to a file of its settings where it is missing. */
type HostsOwn = Record<string, string | number>;

function jsonServerFile(path: string, notation: Notation, hosts: HostsOwn): SetupFile {
  return {
    path,
    add: (current = '', _, indent) =>
      keepingMark(current, (text) =>
        indented(addHostsOwn(addServer(text, path, notation), path, hosts, notation), text, indent),
      ),
    remove(current) {
      const left = keepingMark(current, (text) => removeServer(text, path, notation));
      // A file with nothing else is deleted.
      return left !== current && /^\ufeff?\s*\{\s*(?:"\$(?:schema|version)":\s*(?:"[^"]*"|\d+)\s*)?\}\s*$/.test(left)
        ? undefined
        : left;
    },
    missing: (current) => (keepingMark(current, (text) => addServer(text, path, notation)) === current ? [] : [NAME]),
    isForeign(current) {
      const text = current.replace(/^\ufeff/, '');
      const entry = text.trim() === '' ? undefined : member(member(parseObject(text, path), notation.key), NAME);
      return entry !== undefined && !startsOurs(entry);
    },
  };
}

/** Whether an entry starts git-mem, at whatever path and by whatever program; else only its name is ours. */
function startsOurs(entry: Node): boolean {
  const words = ['command', 'args'].flatMap((key) => {
    const node = member(entry, key);
    return node?.type === 'array' ? (node.children ?? []).map(({ value }) => String(value)) : [String(node?.value)];
  });
  return words.includes('mcp') && words.some((word) => /(?:^|[\\/])git-mem(?:[\\/@.]|$)/.test(word));
}

/** An existing entry is kept: some need another command, such as a path, or `cmd` on Windows. */
function addServer(text: string, path: string, { key, entry }: Notation): string {
  if (text.trim() === '') return `${printed({ [key]: { [NAME]: entry } }, '  ')}\n`;
  const root = parseObject(text, path);
  const servers = member(root, key);
  if (servers === undefined) return append(text, root, { [NAME]: entry }, key);
  if (servers.type !== 'object') {
    throw badSettings(`${path}: "${key}" is not an object.`, `Expected "${key}": { "${NAME}": {...} }.`);
  }
  return member(servers, NAME) === undefined ? append(text, servers, entry, NAME) : text;
}

/** Adds what the host would add at its first start, changing the file in every clone. Other people's files have it already. */
function addHostsOwn(text: string, path: string, hosts: HostsOwn, { key: ours }: Notation): string {
  const keys = parseObject(text, path).children?.map(({ children }) => children?.[0]?.value);
  if (!keys?.every((key) => key === ours || key === 'hooks')) return text;
  const added = (before: string, [key, value]: [string, unknown]) =>
    append(before, parseObject(before, path), value, key);
  return Object.entries(hosts).reduce(added, text);
}

/** The text without our entry, and without its container if that has no other entries. */
function removeServer(text: string, path: string, { key }: Notation): string {
  if (text.trim() === '') return text;
  // Our entry with its key.
  const value = member(member(parseObject(text, path), key), NAME);
  const own = value?.parent;
  if (own === undefined || value === undefined || !startsOurs(value)) return text;
  const isAll = own.parent?.children?.length === 1;
  return removeNode(text, (isAll && own.parent?.parent) || own);
}

/** TOML is never parsed: a new table may follow any content, unless all servers are written as one value. */
function tomlServerFile(path: string): SetupFile {
  const table = `[mcp_servers.${NAME}]\ncommand = "git-mem"\nargs = ["mcp"]\n`;
  const header = new RegExp(`^[ \\t]*\\[[ \\t]*mcp_servers[ \\t]*\\.[ \\t]*["']?${NAME}["']?[ \\t]*\\]`, 'm');
  const inline = new RegExp(`^[ \\t]*\\[[ \\t]*mcp_servers[ \\t]*\\][^[]*^[ \\t]*["']?${NAME}["']?[ \\t]*[.=]`, 'm');
  const isThere = (text: string) => header.test(text) || inline.test(text);
  return {
    path,
    add: (current = '') =>
      keepingMark(current, (text) => {
        // An existing entry is kept: some need another command, such as a path.
        if (isThere(text)) return text;
        if (/^[ \t]*mcp_servers[ \t]*[.=]/m.test(text)) {
          const message = `Write each as a table, such as [mcp_servers.${NAME}], and run the command again.`;
          throw badSettings(`${path} spells its MCP servers in a way that cannot be added to.`, message);
        }
        const gap = text.trim() === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n';
        return text + nativeLines(gap + table, text);
      }),
    remove(current) {
      const text = current.replaceAll('\r\n', '\n');
      const at = text.indexOf(table);
      if (at < 0) return current;
      const before = text.slice(0, at).replace(/\n$/, '');
      const rest = before + text.slice(at + table.length);
      return rest.trim() === '' ? undefined : nativeLines(rest, current);
    },
    missing: (current) => (isThere(current) ? [] : [NAME]),
    isForeign(current) {
      const [, ours] = current.split(header);
      return ours !== undefined && !ours.split(/^[ \t]*\[/m, 1)[0]?.includes(NAME);
    },
  };
}
