import { type Finding, matchesOf } from './findings.ts';
import { isMask, isSequence, looksRandom } from './secret-values.ts';
import type { KnownToken } from './token-row.ts';
import { TOKEN_TABLE } from './token-table.ts';

/**
 * Finds tokens that their issuers mark with a prefix or a fixed shape; `unbroken` is for texts whose line breaks were
 * removed, so that the next line's text follows directly.
 */
export function findKnown(text: string, shape: 'pattern' | 'unbroken' = 'pattern'): Finding[] {
  if (!SHORTEST.test(text)) return [];
  return TOKEN_TABLE.flatMap((token) =>
    ranges(token, token[shape], text)
      .filter(({ start, end }) => isGenuine(text.slice(start, end), token.random) && !isInside(text, start, end))
      .map(({ start, end }) => ({ start, end, kind: token.kind })),
  );
}

/** No pattern below matches white space, nor fewer characters. */
const SHORTEST = /\S{15}/;

/** Looking for the literal prefix first is what makes a hundred patterns affordable. */
function ranges({ hints, leads }: KnownToken, pattern: RegExp, text: string): { start: number; end: number }[] {
  if (!leads) {
    if (!hints.some((hint) => text.includes(hint))) return [];
    return matchesOf(text, pattern).map(({ index, 0: match }) => ({ start: index, end: index + match.length }));
  }
  const found: { start: number; end: number }[] = [];
  for (const hint of hints) {
    for (let at = text.indexOf(hint); at >= 0; at = text.indexOf(hint, at)) {
      pattern.lastIndex = at;
      const matches = pattern.test(text);
      if (matches) found.push({ start: at, end: pattern.lastIndex });
      at = matches ? pattern.lastIndex : at + 1;
    }
  }
  return found;
}

/** Tells whether a match is a stretch of base64, or of the name of a file. */
function isInside(text: string, start: number, end: number): boolean {
  return (
    (/[+/]/u.test(text.charAt(start - 1)) && /[+/]/u.test(text.charAt(end)) && text.charAt(start - 2) !== '/') ||
    /^\.(?:png|jpe?g|gif|svg|webp|css)\b/u.test(text.slice(end, end + 6))
  );
}

/** Tells whether a value is no documentation example: no mask, no `your-key-here`, not Amazon's own example. */
export function isGenuine(value: string, random: boolean): boolean {
  const secret = value.replace(
    /^(?:GR1348941|[A-Za-z0-9]{2,12}[-_.])(?:(?:live|test|proj|ant|api\d\d|pat|v1)[-_])*/u,
    '',
  );
  if (
    isMask(secret) ||
    isMask(secret.replace(/^.*\/(?=\w{16,}$)/u, '')) ||
    isSequence(secret) ||
    /EXAMPLE|example|(?<![A-Za-z0-9])(?:your|my)[-_]|placeholder|redacted|(?:[Tt]oken|[Kk]ey|[Ss]ecret|STRING)(?:Here|HERE)$/u.test(
      value,
    )
  )
    return false;
  return !random || looksRandom(secret);
}
