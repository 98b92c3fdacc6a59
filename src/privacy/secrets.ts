import { findAssigned, kindOfNamed } from './assignments.ts';
import { findInCalls } from './calls.ts';
import { decodedText, findEncoded, findKubernetesSecrets } from './encoded.ts';
import { type Finding, replaced, united } from './findings.ts';
import { findKeyBlocks } from './key-blocks.ts';
import { findKnown } from './known-tokens.ts';
import { findInPlaces } from './places.ts';
import { looksRandom } from './randomness.ts';
import { continuedReading, decodedReadings, type Reading, unbrokenReading } from './readings.ts';
import { createRecollection, isMemorable } from './recollection.ts';
import { findInSentences } from './sentences.ts';
import { isStandIn } from './stand-ins.ts';

/** Finds secrets and remembers them, so that their bare occurrences elsewhere are found too. Lives in memory only. */
export interface Redactor {
  /** Learns the secrets of all these texts, so that the order in which they are redacted does not matter. */
  prime(texts: Iterable<string>): void;
  /** Every secret of the text, sorted and without overlaps: what the rules find and what is remembered. */
  find(text: string): Finding[];
  /** The text with every secret replaced by `[redacted:<kind>]`; `name` is the key whose value the text is. */
  redact(text: string, name?: string): string;
  /** Remembers a value that another rule found. */
  remember(value: string, kind: string): void;
  /** How many values are remembered. */
  known(): number;
}

/** How much text a redactor caches findings for, in UTF-16 units. */
const KEPT_TEXT = 8_000_000;

/** A redactor for texts that belong together, such as those of one drain. */
export function createRedactor(): Redactor {
  const recollection = createRecollection();
  // `redact` soon needs again what `prime` found.
  let findings = new Map<string, Finding[]>();
  let kept = 0;

  function learn(text: string): Finding[] {
    const earlier = findings.get(text);
    if (earlier) return earlier;
    const found = findSecrets(text);
    for (const { start, end, kind } of found) {
      const value = text.slice(start, end);
      remember(value, kind);
      // An encoded file may recur decoded, with its secrets bare.
      const inside =
        value.length >= 32 && /^[\w+/=\s-]+$/u.test(value) ? decodedText(value.replace(/\s/gu, '')) : undefined;
      for (const inner of findSecrets(inside ?? '')) remember(inside?.slice(inner.start, inner.end) ?? '', inner.kind);
    }
    if (kept > KEPT_TEXT) {
      findings = new Map();
      kept = 0;
    }
    kept += text.length;
    findings.set(text, found);
    return found;
  }

  function remember(value: string, kind: string): void {
    for (const variant of variantsOf(value, kind)) if (isMemorable(variant)) recollection.add(variant, kind);
  }

  function redact(text: string, name?: string): string {
    const kind = name === undefined ? undefined : kindOfNamed(name, text);
    if (kind !== undefined) {
      remember(text, kind);
      return `[redacted:${kind}]`;
    }
    return replaced(text, find(text));
  }

  function find(text: string): Finding[] {
    const found = learn(text);
    if (recollection.size() === 0) return found;
    const bare = decodedReadings(text).flatMap((reading) => inSource(reading, recollection.find(reading.text)));
    return united([...found, ...bare]);
  }

  return {
    prime(texts) {
      for (const text of texts) learn(text);
    },
    find,
    redact,
    remember,
    known: recollection.size,
  };
}

/** Every secret of the text, in order and without overlaps. */
function findSecrets(text: string): Finding[] {
  if (text.length < 6) return [];
  return united(
    decodedReadings(text).flatMap((reading) => {
      const continued = continuedReading(reading.text);
      return inSource(reading, [
        ...findPlain(reading.text, true),
        ...(continued ? inSource(continued, findPlain(continued.text, true)) : []),
        ...findBroken(reading.text),
      ]);
    }),
  );
}

/** What all rules find, the most certain first: if findings overlap, the first one determines the kind. */
function findPlain(text: string, decode: boolean): Finding[] {
  return [
    ...findKeyBlocks(text),
    ...findKnown(text),
    ...findInPlaces(text),
    ...findKubernetesSecrets(text),
    ...findAssigned(text),
    ...findInCalls(text),
    ...findInSentences(text),
    ...(decode ? findEncoded(text, (decoded) => findPlain(decoded, false)) : []),
  ];
}

/** Known tokens that a narrow terminal, a diff or a mail split over lines. */
function findBroken(text: string): Finding[] {
  const unbroken = unbrokenReading(text);
  if (!unbroken) return [];
  return findKnown(unbroken.text, 'unbroken').flatMap((found) => {
    const { start, end } = unbroken.toSource(found);
    const lines = text.slice(start, end).split('\n');
    // The last line may be unrelated text after a token that is complete without it.
    while (lines.length > 1 && isWhole(lines.slice(0, -1)) && !isRest(lines.at(-1) ?? '', text.charAt(end)))
      lines.pop();
    return lines.length < 2 ? [] : [{ start, end: start + lines.join('\n').length, kind: found.kind }];
  });
}

function isWhole(lines: string[]): boolean {
  const joined = lines.map((line, index) => (index === 0 ? line : line.replace(/^[+\- >|\t]*/u, ''))).join('');
  return findKnown(joined).some(({ start, end }) => start === 0 && end === joined.length);
}

function isRest(line: string, next: string): boolean {
  const isMixed = /[0-9]/u.test(line) ? /[A-Za-z]/u.test(line) : line.length >= 12 && looksRandom(line);
  return line.length >= 4 && isMixed && !/[=:_/\w]/u.test(next);
}

function inSource(reading: Reading, found: Finding[]): Finding[] {
  return found.map(({ start, end, kind }) => ({ ...reading.toSource({ start, end }), kind }));
}

// The separators between the parts of a value that spans several lines. Each run of spaces is tried only once.
const JOINTS = /["'`]?(?:(?<![ \t])[ \t]+)?(?:[+.\\](?:(?<![ \t])[ \t]+)?)?\r?\n[+\- >|\t]*["'`]?/gu;

/** The forms in which a value may recur: unchanged, unescaped, joined, decoded, encoded, and the lines of a key. */
function variantsOf(value: string, kind: string): string[] {
  const unescaped = decodedReadings(value).at(-1)?.text || value;
  if (kind === 'private-key') return unescaped.split(/[\s→|:"'`,\\]+/u).filter((line) => line.length >= 32);
  const joined = unescaped.replace(JOINTS, '');
  const variants = new Set([value, unescaped, joined]);
  // People correct the first letter: "no, with a capital K".
  if (kind === 'password' && /^\p{L}/u.test(joined)) variants.add(otherCase(joined.charAt(0)) + joined.slice(1));
  if (/%[0-9a-f]{2}/iu.test(value)) variants.add(percentDecoded(value));
  if (joined.length <= 200) {
    variants.add(
      Buffer.from(joined)
        .toString('base64')
        .replace(/(?<!=)=+$/u, ''),
    );
    variants.add(encodeURIComponent(joined.toWellFormed()));
  }
  if (/^[A-Za-z0-9+/_-]{12,}={0,2}$/u.test(joined)) variants.add(decodedText(joined) ?? joined);
  return [...variants].filter((variant) => !isStandIn(variant));
}

function otherCase(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
}

function percentDecoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    // Not percent-encoded after all; the value itself is remembered.
    return value;
  }
}
