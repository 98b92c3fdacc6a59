import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/** The end of a bundle's name in a frame, before line and column. */
const BUNDLE = '.cjs:';

/** A stack whose frames name files of `src/`, by the source maps beside the bundles; other frames stay unchanged. */
export function sourceStack(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack
    .split('\n')
    .map((frame) => inSource(frame, maps))
    .join('\n');
}

/** A frame is `    at NAME (FILE:LINE:COLUMN)`, or without name and parentheses. */
function inSource(frame: string, maps: Map<string, SourceMap | undefined>): string {
  const end = frame.lastIndexOf(BUNDLE) + BUNDLE.length - 1;
  if (end < BUNDLE.length || !frame.startsWith('    at ')) return frame;
  const begin = Math.max(frame.lastIndexOf(' (', end) + 2, frame.startsWith('    at async ') ? 13 : 7);
  const file = frame.slice(begin, end).replace(/^file:\/\//, '');
  const [place, line, column] = /^:(\d+):(\d+)/.exec(frame.slice(end)) ?? [];
  if (place === undefined) return frame;
  if (!maps.has(file)) maps.set(file, readMap(`${file}.map`));
  const entry = maps.get(file)?.findEntry(Number(line) - 1, Number(column) - 1);
  if (entry === undefined || !('originalSource' in entry)) return frame;
  const source = entry.originalSource.replace(/^(?:\.\.\/)+/, '');
  if (!source.startsWith('src/')) return frame;
  const now = `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  return `${frame.slice(0, begin)}${now}${frame.slice(end + place.length)}`;
}

function readMap(path: string): SourceMap | undefined {
  try {
    return existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
  } catch {
    return undefined; // The stack is shown unchanged.
  }
}
