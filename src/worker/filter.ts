import type { AgentEvent } from '../agents/event.ts';
import type { Config } from '../config.ts';

/** Tells whether an event may be remembered: `capture.skip_tools` and `capture.ignore_paths` say what may not. */
export function isWanted(event: AgentEvent, { capture }: Config): boolean {
  if (event.kind !== 'tool') return true;
  const { tool, paths } = event.call;
  if (capture.skip_tools.some((pattern) => matches(pattern, tool))) return false;
  const ignored = (path: string) => capture.ignore_paths.some((pattern) => matchesPath(pattern, path));
  return paths.length === 0 || !paths.every(ignored);
}

/**
 * A glob against the end of a path: `secrets/**` matches `/home/u/repo/secrets/a.txt` and `secrets/a.txt`, and so does
 * `secrets/`.
 */
function matchesPath(pattern: string, path: string): boolean {
  const whole = pattern.endsWith('/') ? `${pattern}**` : pattern;
  const parts = path.replaceAll('\\', '/').split('/');
  return parts.some((_, i) => matches(whole, parts.slice(i).join('/')));
}

/** A wildcard that took as little as it could so far, and where it would go on to take more. */
interface Choice {
  pattern: number;
  text: number;
}

/**
 * `*` stands for anything but a slash, `**` for anything, `**` as a whole folder also for none, `?` for one character.
 * Only the last `*` and the last `**` are ever widened, so that no pattern takes exponential time.
 */
function matches(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let shallow: Choice | undefined;
  let deep: Choice | undefined;
  while (t < text.length || p < pattern.length) {
    if (pattern.startsWith('**', p)) {
      const folders = pattern[p + 2] === '/' && (p === 0 || pattern[p - 1] === '/');
      p += 2;
      deep = { pattern: p, text: folders ? t - 1 : t };
      shallow = undefined;
      if (folders) p++;
    } else if (pattern[p] === '*') {
      p++;
      shallow = { pattern: p, text: t };
    } else if (t < text.length && (pattern[p] === text[t] || (pattern[p] === '?' && text[t] !== '/'))) {
      p++;
      t++;
    } else if (shallow && shallow.text < text.length && text[shallow.text] !== '/') {
      p = shallow.pattern;
      t = ++shallow.text;
    } else if (deep && deep.text < text.length) {
      shallow = undefined;
      p = deep.pattern;
      t = ++deep.text;
    } else return false;
  }
  return true;
}
