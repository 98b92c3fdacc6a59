/** Fewer are sorted at once. */
const FEW = 64;

/** Texts that were split so often without coming apart are sorted: somebody may have named them so that every split goes wrong. */
const MOST_SPLITS = 24;

/**
 * Texts from the greatest to the least, put in order no further than somebody asks: the first of twenty thousand cost a
 * few looks at each, where sorting them all would cost fifteen.
 */
export function* greatestFirst(texts: string[]): Generator<string> {
  const parts = [{ texts, splits: 0 }];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const { greater, rest } =
      part.texts.length <= FEW || part.splits >= MOST_SPLITS ? { greater: [], rest: part.texts } : split(part.texts);
    // Nothing is greater than a pivot that all others equal.
    if (greater.length === 0) {
      yield* rest.sort().reverse();
      continue;
    }
    const splits = part.splits + 1;
    parts.push({ texts: rest, splits }, { texts: greater, splits });
  }
}

/** The greatest of some texts, the greatest first. */
export function greatest(texts: string[], most: number): string[] {
  const found: string[] = [];
  for (const text of greatestFirst(texts)) if (found.push(text) >= most) break;
  return found;
}

function split(texts: string[]): { greater: string[]; rest: string[] } {
  const pivot = middleOf(texts);
  const greater: string[] = [];
  const rest: string[] = [];
  for (const text of texts) (text > pivot ? greater : rest).push(text);
  return { greater, rest };
}

/** A text from about the middle: the median of some that lie far apart. */
function middleOf(texts: string[]): string {
  const step = Math.floor(texts.length / 9);
  const some = Array.from({ length: 9 }, (_, i) => texts[i * step] ?? '').sort();
  return some[4] ?? '';
}
