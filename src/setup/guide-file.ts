import { readTemplate } from '../templates.ts';
import type { SetupFile } from './setup-file.ts';

const BLOCK = readTemplate('hosts/guide.md');
const MARKED = /(?:^|\n)<!-- >>> git-mem >>> -->\n[\s\S]*?<!-- <<< git-mem <<< -->(?:\n|$)/;

/** A team's instructions file with our block in it, which says where the memory is. */
export function guideFile(path: string): SetupFile {
  return {
    path,
    add(current = '') {
      const text = current.replaceAll('\r\n', '\n');
      // With the line ends of the rest of the file.
      const native = (lines: string) => (current.includes('\r\n') ? lines.replaceAll('\n', '\r\n') : lines);
      if (MARKED.test(text)) {
        const updated = text.replace(MARKED, (old) => `${old.startsWith('\n') ? '\n' : ''}${BLOCK}`);
        return updated === text ? current : native(updated);
      }
      if (text.trim() === '') return native(BLOCK);
      return `${current}${native(`${text.endsWith('\n') ? '' : '\n'}\n${BLOCK}`)}`;
    },
    remove(current) {
      const text = current.replaceAll('\r\n', '\n');
      if (!MARKED.test(text)) return current;
      const rest = text.replace(MARKED, '');
      if (rest.trim() === '') return undefined;
      return current.includes('\r\n') ? rest.replaceAll('\n', '\r\n') : rest;
    },
    missing: (current) => (current.replaceAll('\r\n', '\n').includes(BLOCK) ? [] : ['the note on git-mem']),
  };
}
