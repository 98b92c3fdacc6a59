import { type Finding, lastAtMost, matchesOf } from './findings.ts';
import { looksRandom } from './randomness.ts';
import { isMask, isSequence } from './stand-ins.ts';
import { TOKEN_TABLE } from './token-table.ts';

/** A row of the table of tokens. */
export interface KnownToken {
  kind: string;
  source: string;
  example: string;
  hints: readonly string[];
  /** Every match starts with one of the hints, so they are looked for first. */
  starts: boolean;
  pattern: RegExp;
  /** The same without its right edge, for texts whose line breaks were removed. */
  unbroken: RegExp;
  random: boolean;
}

/** Not inside a longer word. A diff's `-` or a percent escape such as %3D may come directly before. */
const EDGE = '(?:(?<![A-Za-z0-9_])(?<![A-Za-z0-9_-]-)|(?<=%[0-9A-Fa-f]{2}))';

/** Every token whose issuer marks it with a prefix or a fixed shape. */
export const KNOWN_TOKENS: readonly KnownToken[] = TOKEN_TABLE.trim().split('\n').map(toRow);

function toRow(line: string): KnownToken {
  const [kind = '', flags = '', source = '', hints = '', example = '', shape = ''] = line.split(/ {2,}/);
  const starts = flags.startsWith('starts');
  const pattern = `${flags.includes('+edge') ? EDGE : ''}${shape}`;
  return {
    kind,
    source,
    example,
    starts,
    hints: hints.split(' '),
    pattern: new RegExp(pattern, starts ? 'y' : 'g'),
    unbroken: new RegExp(pattern.replaceAll('(?![A-Za-z0-9])', ''), starts ? 'y' : 'g'),
    random: flags.includes('+random'),
  };
}

/** Runs without white space that are as long as the shortest token. */
const RUN = /\S{15,}/g;
/** A digit, or capitals elsewhere than at the beginning of a word: prose and most paths have neither. */
const MIXED = /\d|[a-z][A-Z]|[A-Z]{8}/;

/**
 * Finds tokens that their issuers mark; `unbroken` is for texts whose line breaks were removed, so that the next line's
 * text follows directly. Only the runs that could hold one are searched: most texts have none.
 */
export function findKnown(text: string, shape: 'pattern' | 'unbroken' = 'pattern'): Finding[] {
  const runs = matchesOf(text, RUN).filter(([run]) => MIXED.test(run));
  if (runs.length === 0) return [];
  const dense = runs.map(([run]) => run).join('\n');
  const starts: number[] = [];
  for (let at = 0, i = 0; i < runs.length; at += (runs[i]?.[0].length ?? 0) + 1, i++) starts.push(at);
  return KNOWN_TOKENS.flatMap((token) =>
    ranges(token, token[shape], dense)
      .filter(({ start, end }) => isGenuine(dense.slice(start, end), token.random) && !isInside(dense, start, end))
      .map(({ start, end }) => {
        const i = lastAtMost(starts, start);
        const moved = (runs[i]?.index ?? 0) - (starts[i] ?? 0);
        return { start: start + moved, end: end + moved, kind: token.kind };
      }),
  );
}

/** Looking for the literal prefix first is what makes a hundred patterns affordable. */
function ranges({ hints, starts }: KnownToken, pattern: RegExp, text: string): { start: number; end: number }[] {
  if (!starts) {
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

/** Whether a match is part of a run of base64, or of a file name. */
function isInside(text: string, start: number, end: number): boolean {
  return (
    (/[+/]/u.test(text.charAt(start - 1)) && /[+/]/u.test(text.charAt(end)) && text.charAt(start - 2) !== '/') ||
    /^\.(?:png|jpe?g|gif|svg|webp|css)\b/u.test(text.slice(end, end + 6))
  );
}

/** Whether a value is not a documentation example: not a mask, not `your-key-here`, not Amazon's own example. */
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
