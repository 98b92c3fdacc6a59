import { badSettings } from './json-edit.ts';
import { keepingMark, type SetupFile } from './setup-file.ts';

/**
 * A TOML settings file with a table for our MCP server at its end. It is never parsed: a new table may follow any
 * content, unless all servers are written as one value.
 */
export function tomlServerFile(path: string, name: string): SetupFile {
  const table = `[mcp_servers.${name}]\ncommand = "git-mem"\nargs = ["mcp"]\n`;
  const header = new RegExp(`^[ \\t]*\\[[ \\t]*mcp_servers[ \\t]*\\.[ \\t]*["']?${name}["']?[ \\t]*\\]`, 'm');
  const inline = new RegExp(`^[ \\t]*\\[[ \\t]*mcp_servers[ \\t]*\\][^[]*^[ \\t]*["']?${name}["']?[ \\t]*[.=]`, 'm');
  const isThere = (text: string) => header.test(text) || inline.test(text);
  return {
    path,
    executable: false,
    isShared: true,
    add: (current = '') =>
      keepingMark(current, (text) => {
        // An existing entry is kept: some need another command, such as a path.
        if (isThere(text)) return text;
        if (/^[ \t]*mcp_servers[ \t]*[.=]/m.test(text)) {
          throw badSettings(
            `${path} spells its MCP servers in a way that cannot be added to.`,
            `Write each as a table, such as [mcp_servers.${name}], and run the command again.`,
          );
        }
        const native = text.includes('\r\n') ? table.replaceAll('\n', '\r\n') : table;
        const eol = text.includes('\r\n') ? '\r\n' : '\n';
        const gap = text.trim() === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
        return text + gap + native;
      }),
    remove(current) {
      const text = current.replaceAll('\r\n', '\n');
      const at = text.indexOf(table);
      if (at < 0) return current;
      const before = text.slice(0, at).replace(/\n$/, '');
      const rest = before + text.slice(at + table.length);
      if (rest.trim() === '') return undefined;
      return current.includes('\r\n') ? rest.replaceAll('\n', '\r\n') : rest;
    },
    missing: (current) => (isThere(current) ? [] : [name]),
  };
}
