import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** A regular expression in the source. */
export interface Literal {
  /** File and line, for messages. */
  place: string;
  expression: RegExp;
}

/** Every regular expression that is written as a literal in a file. */
export function literalsOf(path: string): Literal[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Literal[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      const expression = new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
      found.push({ place: `${path}:${line}`, expression });
    }
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

/** A text of any length that may cost an expression more than it is long. */
interface Attack {
  before: string;
  unit: string;
  after: string;
}

/** An attack that takes time out of proportion. */
export interface Blowup extends Attack {
  /** How often the unit stands in the text, and the CPU times of half of them and of all, in milliseconds. */
  repeats: number;
  halfMs: number;
  wholeMs: number;
}

/** Repeats at which what takes exponential time shows it before it takes hours. */
const FEW = [10, 18, 22, 26];
/** Lengths of texts in UTF-16 units: two looks, and from there on doubled as long as it is suspicious. */
const LENGTHS = { looks: [128, 1024], longest: 50_000 };
/** Twice the text may take so many times the time: four times is quadratic. */
const GROWTH = 3.5;
/** Below these times a machine's noise says more than the growth does, in milliseconds. */
const NOTICED = { few: 40, suspicion: 0.3, steady: 2, certain: 200 } as const;
/** As many doublings in proportion, one after the other, and the time is linear. */
const STEADY = 2;

/** The first text, made of what the expression is made of, on which it takes more than linear time. */
export function findBlowup(expression: RegExp): Blowup | undefined {
  for (const attack of attacksOn(expression)) {
    const blowup = blowupOf(expression, attack);
    // What a busy machine made slow once is quick when it is looked at again.
    if (blowup !== undefined && blowupOf(expression, attack) !== undefined) return blowup;
  }
  return undefined;
}

function blowupOf(expression: RegExp, attack: Attack): Blowup | undefined {
  const ms = (repeats: number) => searchMs(expression, textOf(attack, repeats));
  const looks = LENGTHS.looks.map((length) => Math.ceil(length / attack.unit.length));
  let beforeMs = 0;
  let halfMs = 0;
  for (const repeats of [...FEW, ...looks]) {
    const wholeMs = ms(repeats);
    if (wholeMs > NOTICED.few) return { ...attack, repeats, halfMs, wholeMs };
    [beforeMs, halfMs] = [halfMs, wholeMs];
  }
  // Eight times the text: many alternatives take long, and yet no more than in proportion.
  if (halfMs < NOTICED.suspicion || halfMs < beforeMs * GROWTH ** 2) return undefined;
  let linear = 0;
  for (let repeats = 2 * (looks.at(-1) ?? 1); repeats * attack.unit.length <= LENGTHS.longest; repeats *= 2) {
    const wholeMs = ms(repeats);
    if (wholeMs > NOTICED.certain && wholeMs > halfMs * GROWTH) return { ...attack, repeats, halfMs, wholeMs };
    // Quantifiers with a bound are quadratic up to it, and linear from there on.
    linear = wholeMs > NOTICED.steady && wholeMs < halfMs * GROWTH ? linear + 1 : 0;
    if (linear === STEADY) return undefined;
    halfMs = wholeMs;
  }
  return undefined;
}

function textOf({ before, unit, after }: Attack, repeats: number): string {
  return before + unit.repeat(repeats) + after;
}

/** CPU time of one search for the expression in a text, in milliseconds. */
function searchMs(expression: RegExp, text: string): number {
  expression.lastIndex = 0;
  const started = process.cpuUsage();
  expression.test(text);
  // The expressions are the program's own, and other tests of this process go on with them.
  expression.lastIndex = 0;
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

const ATOM = /\\u\{[\da-f]+\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\[pP]\{[^}]+\}|\\k<\w+>|\\.|\[(?:\\.|[^\]\\])*\]|./gis;
const CHARACTERS = [...'aA0_- \n\t\'"`./\\:,;=<>()[]{}#*@!$%&|~+?é文'];
/** Long alternatives of words are made of hundreds of atoms that are all alike. */
const MOST_UNITS = 24;

function attacksOn({ source, flags }: RegExp): Attack[] {
  const atoms = [...source.matchAll(ATOM)]
    .map(([atom]) => atom)
    .filter((atom) => !/^(?:[()|?*+^$]|\\b|\\B|\\k.*)$/s.test(atom))
    .flatMap((atom) => exampleOf(atom, flags) ?? []);
  const pairs = atoms.map((atom, i) => `${atom}${atoms[i + 1] ?? ''}`);
  const threes = pairs.map((pair, i) => `${pair}${atoms[i + 2] ?? ''}`);
  const units = [...new Set([...atoms, atoms.slice(0, 200).join(''), ...pairs, ...threes])].filter(Boolean);
  const befores = [...new Set(['', '\u0002', atoms[0] ?? ''])];
  return units
    .slice(0, MOST_UNITS)
    .flatMap((unit) => befores.flatMap((before) => ['\u0001', '\u0001\n!'].map((after) => ({ before, unit, after }))));
}

/** One character that an atom fits; undefined for what fits none that is common. */
function exampleOf(atom: string, flags: string): string | undefined {
  try {
    const one = new RegExp(`^(?:${atom})$`, flags.replace(/[gym]/g, ''));
    return CHARACTERS.find((character) => one.test(character)) ?? (atom.length === 1 ? atom : undefined);
  } catch {
    return undefined; // A part of a quantifier or of a group's head.
  }
}
