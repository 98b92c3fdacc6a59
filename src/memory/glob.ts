/** A wildcard that took as little as it could so far, and where it would go on to take more. */
interface Choice {
  pattern: number;
  text: number;
  /** It takes whole folders only. */
  folders?: boolean;
}

/** Longer texts are no path on any system, and fit nothing: https://man7.org/linux/man-pages/man0/limits.h.0p.html */
const LONGEST = 4096;

/**
 * Tells whether a glob fits a whole path: `*` stands for anything but a slash, `**` for anything, `**` as a whole folder
 * also for none, `?` for one character. Only the last `*` and the last `**` are ever widened, so that no pattern takes
 * exponential time.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  if (text.length > LONGEST) return false;
  let p = 0;
  let t = 0;
  let shallow: Choice | undefined;
  let deep: Choice | undefined;
  while (t < text.length || p < pattern.length) {
    if (pattern.startsWith('**', p)) {
      const folders = pattern[p + 2] === '/' && (p === 0 || pattern[p - 1] === '/');
      p += 2;
      deep = { pattern: p, text: folders ? t - 1 : t, folders };
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
      const later = deep.folders ? text.indexOf('/', deep.text + 1) : deep.text + 1;
      if (later < 0) return false;
      shallow = undefined;
      p = deep.pattern;
      t = deep.text = later;
    } else return false;
  }
  return true;
}
