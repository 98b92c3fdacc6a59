/** A token that its issuer marks, so that its shape alone identifies it. */
export interface KnownToken {
  kind: string;
  /** Source: the issuer's documentation, or the standard. */
  source: string;
  /** An example; `{a36}` stands for 36 characters of an alphabet that `test/privacy/pattern-table.test.ts` defines. */
  example: string;
  /** Literal strings of which every match contains one, or begins with one if `leads` is set. */
  hints: readonly string[];
  leads: boolean;
  pattern: RegExp;
  /** The same without its right edge, for texts whose line breaks were removed. */
  unbroken: RegExp;
  /** The shape alone is weak: the part after the prefix must also look random. */
  random: boolean;
}

/** Not inside a longer word. A diff's `-` or a percent escape such as %3D may come directly before. */
export const EDGE = '(?:(?<![A-Za-z0-9_])(?<![A-Za-z0-9_-]-)|(?<=%[0-9A-Fa-f]{2}))';

/** A token that begins with one of its hints. */
export function token(
  kind: string,
  source: string,
  example: string,
  hints: string,
  pattern: string,
  random?: 'random',
) {
  return row({ kind, source, example, random: random !== undefined }, hints, pattern, 'y');
}

/** A token that has one of its hints somewhere inside. */
export function shape(
  kind: string,
  source: string,
  example: string,
  hints: string,
  pattern: string,
  random?: 'random',
) {
  return row({ kind, source, example, random: random !== undefined }, hints, pattern, 'g');
}

function row(
  about: Pick<KnownToken, 'kind' | 'source' | 'example' | 'random'>,
  hints: string,
  pattern: string,
  flags: 'y' | 'g',
): KnownToken {
  return {
    ...about,
    hints: hints.split(' '),
    leads: flags === 'y',
    pattern: new RegExp(pattern, flags),
    unbroken: new RegExp(pattern.replaceAll('(?![A-Za-z0-9])', ''), flags),
  };
}
