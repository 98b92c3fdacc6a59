import { append, badSettings, member, type Node, parseObject, removeNode } from './json-edit.ts';
import { keepingMark, type SetupFile } from './setup-file.ts';

/** Our server's name, by which its entry is known again whatever people made of it. */
const NAME = 'git-mem';

const ENTRY = { command: 'git-mem', args: ['mcp'] };

/** A file that tells hosts which MCP servers to start: `{"mcpServers": {NAME: {command, args}}}`. */
export function mcpFile(path: string): SetupFile {
  return {
    path,
    executable: false,
    isShared: true,
    add: (current = '') => keepingMark(current, (text) => addServer(text, path)),
    remove(current) {
      const left = keepingMark(current, (text) => removeServer(text, path));
      return left !== current && /^\ufeff?\s*\{\s*\}\s*$/.test(left) ? undefined : left;
    },
    missing: (current) => (keepingMark(current, (text) => addServer(text, path)) === current ? [] : [NAME]),
  };
}

/** An entry that is there stays as it is: some need another command, such as a path, or `cmd` on Windows. */
function addServer(text: string, path: string): string {
  if (text.trim() === '') return `${JSON.stringify({ mcpServers: { [NAME]: ENTRY } }, null, 2)}\n`;
  const root = parseObject(text, path);
  const servers = member(root, 'mcpServers');
  if (servers === undefined) return append(text, root, { [NAME]: ENTRY }, 'mcpServers');
  if (servers.type !== 'object') {
    throw badSettings(`${path}: "mcpServers" is not an object.`, `Expected "mcpServers": { "${NAME}": {...} }.`);
  }
  return member(servers, NAME) === undefined ? append(text, servers, ENTRY, NAME) : text;
}

/** The text without our entry, and without `mcpServers` where that holds nothing else. */
function removeServer(text: string, path: string): string {
  if (text.trim() === '') return text;
  const entry = propertyOf(member(parseObject(text, path), 'mcpServers'));
  if (entry === undefined) return text;
  const isAll = entry.parent?.children?.length === 1;
  return removeNode(text, (isAll && entry.parent?.parent) || entry);
}

/** Our entry with its key. */
function propertyOf(servers: Node | undefined): Node | undefined {
  return member(servers, NAME)?.parent;
}
