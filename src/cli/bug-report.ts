import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { packageManifest } from '../templates.ts';

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

/** Where to report a bug, with what the maintainers ask first filled in; undefined where the package names no address. */
export function reportAddress(error: unknown, { bugs, version } = packageManifest()): string | undefined {
  if (bugs === undefined) return undefined;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'none';
  const title = error instanceof Error ? `${error.name}: ${error.message}`.split('\n')[0] : String(error);
  const body = `git-mem ${version}, Node ${process.versions.node}, ${process.platform} ${process.arch}, code ${code}\n\nWhat I did:\n`;
  return `${bugs}/new?${new URLSearchParams({ title: title?.slice(0, 120) ?? '', body })}`;
}

function readMap(path: string): SourceMap | undefined {
  try {
    return existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
  } catch {
    return undefined; // The stack is shown as it is.
  }
}
