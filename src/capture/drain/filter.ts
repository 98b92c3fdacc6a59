import type { Config } from '../../config.ts';
import { matchesGlob } from '../../memory/glob.ts';
import type { AgentEvent } from '../agents/event.ts';

/** Tells whether an event may be remembered: `capture.skip_tools` and `capture.ignore_paths` say what may not. */
export function isWanted(event: AgentEvent, { capture }: Config): boolean {
  if (event.kind !== 'tool') return true;
  const { tool, paths } = event.call;
  if (capture.skip_tools.some((pattern) => matchesGlob(pattern, tool))) return false;
  const ignored = (path: string) => capture.ignore_paths.some((pattern) => matchesPath(pattern, path));
  return paths.length === 0 || !paths.every(ignored);
}

/**
 * A glob against the end of a path: `secrets/**` matches `/home/u/repo/secrets/a.txt` and `secrets/a.txt`, and so does
 * `secrets/`.
 */
function matchesPath(pattern: string, path: string): boolean {
  const whole = pattern.endsWith('/') ? `${pattern}**` : pattern;
  return matchesGlob(`**/${whole}`, path.replaceAll('\\', '/'));
}
