/** Fewer texts are simply sorted: choosing a pivot takes nine of them. */
const FEW = 64;

/** After this many splits the rest is sorted, as texts may be chosen so that all splits are lopsided; a million need fourteen. */
const MOST_SPLITS = 24;

/**
 * Texts from the greatest to the least, sorted only as far as they are read: reading the first of twenty thousand takes
 * a few comparisons per text, where sorting all would take fifteen.
 */
export function* greatestFirst(texts: string[]): Generator<string> {
  const parts = [{ texts, splits: 0 }];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const { greater, rest } =
      part.texts.length <= FEW || part.splits >= MOST_SPLITS ? { greater: [], rest: part.texts } : split(part.texts);
    // Few texts, too many splits, or none greater than the pivot: sorted.
    if (greater.length === 0) {
      yield* rest.sort().reverse();
      continue;
    }
    const splits = part.splits + 1;
    parts.push({ texts: rest, splits }, { texts: greater, splits });
  }
}

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

/** A text from about the middle: the median of nine that are far apart. */
function middleOf(texts: string[]): string {
  const step = Math.floor(texts.length / 9);
  const some = Array.from({ length: 9 }, (_, i) => texts[i * step] ?? '').sort();
  return some[4] ?? '';
}
