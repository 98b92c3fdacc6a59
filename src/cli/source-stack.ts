import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/** A stack whose frames name files of `src/`, by the source maps that lie beside the bundles; other frames stay as they are. */
export function sourceStack(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack.replace(
    /((?:file:\/\/)?(\/|[A-Za-z]:\\)[^\s()]*?\.cjs):(\d+):(\d+)/g,
    (frame, file: string, ...rest) => {
      const [line, column] = [Number(rest[1]), Number(rest[2])];
      if (!maps.has(file)) maps.set(file, readMap(`${file}.map`));
      const entry = maps.get(file)?.findEntry(line - 1, column - 1);
      if (entry === undefined || !('originalSource' in entry)) return frame;
      const source = entry.originalSource.replace(/^(?:\.\.\/)+/, '');
      return source.startsWith('src/') ? `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}` : frame;
    },
  );
}

function readMap(path: string): SourceMap | undefined {
  try {
    return existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
  } catch {
    return undefined; // The stack is shown as it is.
  }
}
