import { type Finding, matchesOf } from './findings.ts';
import { hintsIn } from './hints.ts';
import { CLOUDS } from './lines/clouds.ts';
import { CODE } from './lines/code.ts';
import { DATABASES } from './lines/databases.ts';
import { DEVICES } from './lines/devices.ts';
import { KEYS } from './lines/keys.ts';
import { MAIL_AND_CHAT } from './lines/mail-and-chat.ts';
import { NETWORK } from './lines/network.ts';
import { SYSTEMS } from './lines/systems.ts';
import { isStandIn } from './secret-values.ts';
import { SLOTS, type Slot } from './slots.ts';

/** A line of a program with a secret in it. */
export interface Template {
  /** The program, device or format that has such lines. */
  source: string;
  line: string;
  /** In lower case; every match contains it. */
  hint: string;
}

/** A template as an expression, and what each of its groups holds. */
export interface Compiled {
  pattern: RegExp;
  slots: readonly Slot[];
}

const SLOT = `\\{(${Object.keys(SLOTS).join('|')})\\}`;
const ANY_SLOT = new RegExp(SLOT, 'gu');
const PART = new RegExp(`${SLOT}|\\\\\\*|(\\*)|(…)|(\\n)|([ ]+)|(["'])|((?:[^{*…\\n "'\\\\]|\\\\(?!\\*))+|\\{)`, 'gu');

/** Every line of the tables. Their expressions are made when a text has the hint: most are never needed. */
export const TEMPLATES: readonly Template[] = [
  ...[NETWORK, DEVICES, MAIL_AND_CHAT, DATABASES],
  ...[SYSTEMS, CLOUDS, KEYS, CODE],
].flatMap(readTable);
const compiled = new Map<Template, Compiled>();

/** Finds secrets in lines that programs read or print. */
export function findInTemplates(text: string): Finding[] {
  const holds = hintsIn(text);
  return TEMPLATES.filter(({ hint }) => holds(hint)).flatMap((template) => findBy(template, text));
}

function findBy(template: Template, text: string): Finding[] {
  const { pattern, slots } = compiled.get(template) ?? compile(template.line);
  compiled.set(template, { pattern, slots });
  return matchesOf(text, pattern).flatMap(({ indices }) =>
    slots.flatMap((slot, at): Finding[] => {
      const [start, last] = indices?.[at + 1] ?? [0, 0];
      const end = last - (/[,.;]$/u.test(text.slice(start, last)) ? 1 : 0);
      const value = text.slice(start, end);
      const { kind, accepts } = SLOTS[slot];
      return value !== '' && (slot === 'pin' || !isStandIn(value)) && accepts(value) ? [{ start, end, kind }] : [];
    }),
  );
}

/** A table: a source on a line of its own, and below it, indented, what it has; `↵` breaks a line, `·` is a blank. */
function readTable(table: string): Template[] {
  let source = '';
  return table.split('\n').flatMap((row) => {
    if (!row.startsWith('  ')) source = row || source;
    const line = row.slice(2).replaceAll('↵', '\n').replaceAll('·', ' ');
    return row.startsWith('  ') ? [{ source, line, hint: hintOf(line) }] : [];
  });
}

/** The longest word of a line. */
function hintOf(line: string): string {
  const words = bare(line)
    .replace(ANY_SLOT, ' ')
    .split(/[\s*…"'\\]+/u);
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest)).toLowerCase();
}

/** A line without what ties it to the line's ends. */
function bare(line: string): string {
  return line.replace(/^\^|\$$/gu, '');
}

/**
 * The expression of a line: `{slot}` is the secret, `*` any word (`\*` is a star), `…` some of the line; blanks and breaks
 * of lines may be of any length, and single quotes may be left out. It begins at the edge of a word; `^` is the begin of a
 * line, `$` its end.
 */
export function compile(line: string): Compiled {
  const slots: Slot[] = [];
  const inner = bare(line);
  const pattern = Array.from(inner.matchAll(PART), ({ 0: part, 1: slot, index }) => {
    // A word ends before the mark that follows it in the template.
    const stop = /^[^\w\s"'{*…\\\]^-]/u.exec(inner.slice(index + part.length))?.[0] ?? '';
    if (slot !== undefined) {
      slots.push(slot as Slot);
      return `["']?(${SLOTS[slot as Slot].shape.replace('[^', `[^${stop}`)})["']?`;
    }
    switch (part === '\\*' ? part : part.charAt(0)) {
      case '*':
        return `["']?[^\\s"'${stop}]{1,100}["']?`;
      case '…':
        return '[^\\n]{0,200}?';
      case '\n':
        return '[ \\t]{0,8}\\r?\\n[ \\t]{0,60}';
      case ' ':
        return '[ \\t]{1,60}';
      case '"':
        return '["\']';
      case "'":
        return '["\']?';
      case '\\*':
        return part;
      default:
        return part.replace(/[.+?^$()|[\]\\/{}]/gu, '\\$&');
    }
  }).join('');
  const begin = line.startsWith('^') ? '^[ \\t]{0,20}' : /^["']?\w/u.test(line) ? '(?<![\\w-])' : '';
  const end = line.endsWith('$') ? '["\']?[ \\t]{0,20}\\r?$' : '';
  // Short options mean something else as capitals.
  return { pattern: new RegExp(begin + pattern + end, /-[A-Za-z] /u.test(line) ? 'dgm' : 'dgim'), slots };
}
