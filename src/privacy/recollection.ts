import type { Finding } from './findings.ts';
import { looksChosen, looksRandom } from './randomness.ts';
import { isCode, isMeasure, isPlace, isStandIn } from './stand-ins.ts';

/** Values are found by their first characters: a search is linear in the text, however many values there are. */
const KEY = 8;
const MOST = 20_000;
const SLOTS = 1 << 16;

/** Values that were found once, to search for in other texts: at most 20,000, of at least eight characters. */
export function createRecollection() {
  const kinds = new Map<string, string>();
  // By the first eight characters: the lengths to try there, longest first.
  const lengths = new Map<string, number[]>();
  const slots = new Uint8Array(SLOTS);

  function add(value: string, kind: string): void {
    if (value.length < KEY || kinds.has(value) || kinds.size >= MOST) return;
    kinds.set(value, kind);
    const key = value.slice(0, KEY);
    const known = lengths.get(key) ?? [];
    if (!known.includes(value.length)) known.push(value.length);
    known.sort((a, b) => b - a);
    lengths.set(key, known);
    slots[hashAt(value, 0)] = 1;
  }

  function find(text: string): Finding[] {
    const found: Finding[] = [];
    if (kinds.size === 0) return found;
    for (let start = 0; start + KEY <= text.length; start++) {
      if (slots[hashAt(text, start)] === 0) continue;
      const fitting = lengths.get(text.slice(start, start + KEY));
      if (!fitting) continue;
      for (const length of fitting) {
        const kind = kinds.get(text.slice(start, start + length));
        if (kind === undefined) continue;
        found.push({ start, end: start + length, kind });
        start += length - 1;
        break;
      }
    }
    return found;
  }

  return { add, find, size: () => kinds.size };
}

function hashAt(text: string, start: number): number {
  let hash = 0;
  for (let index = start; index < start + KEY; index++) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  return (hash ^ (hash >>> 16)) & (SLOTS - 1);
}

/** Whether a found value is distinctive enough to search for it bare, in other texts of the same work. */
export function isMemorable(value: string): boolean {
  if (value.length < 8 || isPlace(value) || isMeasure(value) || isStandIn(value) || isCode(value)) return false;
  if (looksRandom(value) || looksChosen(value)) return true;
  // Words joined by a mark other than a hyphen, the first capitalised: no name in code is written so.
  if (/^\p{Lu}\p{Ll}{3,}[_!+&~#*]\p{Lu}?\p{Ll}{3,}$/u.test(value)) return true;
  return /[0-9]/u.test(value) && /[A-Za-z]{3}/u.test(value) && !/^[a-z]+[-_.]?\d{1,4}$|\.\w+\.|_/iu.test(value);
}
