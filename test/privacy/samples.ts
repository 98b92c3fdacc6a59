import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unescaped, written } from './made-values.ts';
import { redactSecrets } from './redact-secrets.ts';
import { createDice, KINDS } from './secret-corpus.ts';

/** A text with secrets, or what resembles them. */
export interface Sample {
  set: string;
  /** Where it stands, or what it is. */
  place: string;
  kind: string;
  /** The value shows what it is. */
  isKnown: boolean;
  text: string;
  /** What must not be left of it; empty for a look-alike, of which all must be. */
  needles: string[];
}

/** From the root of the repository: the bench is a bundle elsewhere. */
const FOLDER = 'test/fixtures/secrets';
const SETS: Record<string, string> = { o: 'blind, ordinary', h: 'blind, hard', l: 'look-alikes' };

/** Every kind in every place that is real for it: one table, from two lists. */
export function placedSamples(seed: number): Sample[] {
  const dice = createDice(seed);
  return rowsOf('places.txt').flatMap(([set = '', families = '', place = '', ...rest]) =>
    KINDS.filter(({ family }) => families.includes(family.charAt(0))).map((kind): Sample => {
      const value = kind.value(dice);
      const text = filled(rest.join('|'), kind.name, value);
      return {
        set,
        place,
        kind: kind.kind,
        isKnown: kind.family === 'known',
        text,
        needles: needlesOf(value, kind.family, text),
      };
    }),
  );
}

/** The sets that were written before any rule had seen them, and everything that only resembles secrets. */
export function blindSamples(seed: number, rounds = 2): Sample[] {
  return ['kinds-1.txt', 'kinds-2.txt', 'kinds-3.txt', 'look-alikes.txt']
    .flatMap(rowsOf)
    .flatMap(([part = '', place = '', ...rest]) =>
      Array.from({ length: rounds }, (_, i): Sample => {
        const template = rest.join('|');
        const { text, needles } = written(template, seed + i * 31 + template.length, i + template.length);
        const set = SETS[part] ?? part;
        return { set, place, kind: part, isKnown: false, text, needles: part === 'l' ? [] : needles };
      }).filter(({ needles }) => part === 'l' || needles.length > 0),
    );
}

/** Tells whether a sample is treated as it should be. */
export function isRight({ text, needles }: Sample): boolean {
  const { text: left } = redactSecrets(text);
  return needles.length === 0 ? left === text : !needles.some((needle) => left.includes(needle));
}

function rowsOf(file: string): string[][] {
  return readFileSync(join(FOLDER, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('|'));
}

const json = (text: string) => JSON.stringify(text).slice(1, -1);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const snake = (name: string) => name.toLowerCase();
const camel = (name: string) => snake(name).replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const lines = (value: string) => value.split('\n');

/** How a template writes a value. */
const VALUES: Record<string, (value: string) => string> = {
  v: (value) => value,
  json,
  json2: (value) => json(json(value)),
  json3: (value) => json(json(json(value))),
  uri: encodeURIComponent,
  uri2: (value) => encodeURIComponent(encodeURIComponent(value)),
  xml: (value) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  quot: (value) => value.replaceAll('"', '&quot;'),
  b64: base64,
  b64n: (value) => base64(value).replace(/=+$/, ''),
  crlf: (value) => value.replaceAll('\n', '\r\n'),
  head: (value) => lines(value).slice(0, -2).join('\n'),
  tail: (value) => lines(value).slice(-4).join('\n'),
};
/** How a template writes a name. */
const NAMES: Record<string, (name: string) => string> = {
  NAME: (name) => name,
  name: snake,
  camel,
  Pascal: (name) => camel(name).replace(/^./, (letter) => letter.toUpperCase()),
  kebab: (name) => snake(name).replaceAll('_', '-'),
  dots: (name) => snake(name).replaceAll('_', '.'),
  words: (name) => snake(name).replaceAll('_', ' '),
  last: (name) => snake(name).split('_').at(-1) ?? '',
};

/** A template with a name and a value in it; `{b64:...}` encodes what it holds, `{lines:X}` puts X before each line. */
function filled(template: string, name: string, value: string): string {
  const simple = (text: string) =>
    text.replace(/\{(\w+)\}/g, (whole, key: string) => NAMES[key]?.(name) ?? VALUES[key]?.(value) ?? whole);
  const text = unescaped(template);
  const parts = text.split(/\{((?:b64w?|lines|cut):(?:[^{}]|\{\w+\})*)\}/g);
  return parts.map((part, i) => (i % 2 === 0 ? simple(part) : composed(part, value, simple))).join('');
}

function composed(part: string, value: string, simple: (text: string) => string): string {
  const [, form = '', content = ''] = /^(\w+):(.*)$/s.exec(part) ?? [];
  switch (form) {
    case 'lines':
      return lines(value)
        .map((line) => content + line)
        .join('\n');
    case 'cut': {
      const half = Math.ceil(value.length / 2);
      return value.slice(0, half) + content + value.slice(half);
    }
    case 'b64w':
      return base64(simple(content)).replace(/.{76}(?=.)/g, '$&\n');
    default:
      return base64(simple(content));
  }
}

/** What of a value must not be left in a text that holds it. */
function needlesOf(value: string, family: string, text: string): string[] {
  if (family === 'block') {
    // The public half of a PuTTY key is no secret.
    const body = lines(value.replace(/^.*Private-Lines/s, '')).slice(1, -1);
    const own = body.filter((line) => /^[\w+/=]{40,}$/.test(line) && text.includes(line));
    return own.length > 0 ? own : (text.match(/[A-Za-z0-9+/=]{20,}/g) ?? []);
  }
  const half = Math.ceil(value.length / 2);
  const halves = value.length >= 24 ? [value.slice(0, half), value.slice(half)] : [];
  const forms = [value, json(value), encodeURIComponent(value), base64(value), ...halves].filter((form) =>
    text.includes(form),
  );
  // Behind an encoding the value itself is not in the text; then what encodes it must be gone.
  return forms.length > 0 ? forms : (text.match(/[A-Za-z0-9+/=]{20,}/g) ?? []);
}
