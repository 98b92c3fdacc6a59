import { CLOUD, FILES } from './printed-by-clouds.ts';
import { UNSEEN } from './printed-by-others.ts';
import { TALK } from './printed-by-programs.ts';
import { KEYS, SHELL, WRAPPED } from './printed-by-shells.ts';
import { PRINTED_KINDS } from './printed-kinds.ts';
import type { Dice, Kind, Sample } from './secret-corpus.ts';
import { needlesOf, type Shape } from './secret-shapes.ts';
import { base64 } from './shape-parts.ts';

const SEEN = { ...SHELL, ...CLOUD, ...FILES, ...TALK, ...WRAPPED, ...KEYS };
const PRINTED_SHAPES: Shape[] = Object.entries({ ...SEEN, ...UNSEEN }).map(([shape, [families, write]]) => {
  return { shape, families, write };
});

/**
 * Rules were tuned on one half of the second set. The other half was measured then, and its misses mended afterwards. The
 * unseen shapes were written last: no rule was changed for them.
 */
export const HALVES = ['tuned', 'held out', 'unseen'] as const;

export interface PrintedSample extends Sample {
  half: (typeof HALVES)[number];
}

/** Every kind of the second set in every shape that is real for it; `share` below 1 takes that part of them. */
export function printedSamples(dice: Dice, share = 1): PrintedSample[] {
  return PRINTED_KINDS.flatMap((kind, k) =>
    PRINTED_SHAPES.flatMap((shape, s): PrintedSample[] => {
      if (!shape.families.includes(kind.family) || (share < 1 && dice.below(1000) >= share * 1000)) return [];
      const half = shape.shape in UNSEEN ? 'unseen' : k % 2 === 0 && s % 2 === 0 ? 'tuned' : 'held out';
      return [{ ...sampleOf(kind, shape, dice), half }];
    }),
  );
}

function sampleOf({ kind, name, family, value: make }: Kind, { shape, write }: Shape, dice: Dice): Sample {
  const value = make(dice);
  const text = write({ name, value, dice });
  const encoded = base64(value);
  const needles =
    family === 'block' ? keyLines(value, text) : text.includes(encoded) ? [encoded] : needlesOf(value, family, text);
  return { kind, shape, family, text, needles };
}

/** The lines of a private key as they stand in the text: as they are, or what encodes them. A public half is none. */
function keyLines(value: string, text: string): string[] {
  const rows = value.split('\n');
  const lines = rows.slice(rows.findIndex((row) => /^Private-Lines/.test(row)) + 1);
  const own = lines.filter((line) => /^[\w+/=]{40,}$/.test(line) && text.includes(line));
  return own.length > 0 ? own : (text.match(/[A-Za-z0-9+/=]{20,}/g) ?? []);
}
