import { withoutBullet } from '../../capture/extract/loose-values.ts';
import { isObject, jsonIn } from '../../json.ts';
import { ARGUMENTS, type Argument, type Shape, type ToolName } from './arguments.ts';

// Models send what a name suggests to them: `tags`, `content`, a string where a list is meant. A refusal costs them a second
// call, so anything with a plain meaning is accepted, and one line of the answer says how.

/** Arguments under their own names and in their own shapes, and which of them were sent otherwise. */
export interface Understood {
  given: Record<string, unknown>;
  /** `tags` as `concepts`, in the order in which they were sent. */
  renamed: string[];
  ignored: string[];
}

/** Reads what a model sent as the arguments of a tool. Values without a plain meaning are left for the schema to refuse. */
export function understand(tool: ToolName, sent: unknown): Understood {
  const known: Record<string, Argument> = ARGUMENTS[tool];
  const given: Record<string, unknown> = {};
  const renamed: string[] = [];
  const ignored: string[] = [];
  // Some hosts send all arguments as one JSON text, and null for those that are left out.
  const all = typeof sent === 'string' ? jsonIn(sent) : sent;
  const entries = Object.entries(isObject(all) ? all : {}).filter(([, value]) => value !== null && value !== undefined);
  // An argument's own name first, so that values under other names are appended.
  const isOwn = ([key]: [string, unknown]) => Object.hasOwn(known, key);
  for (const [key, value] of entries.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)))) {
    const [name, argument] = argumentFor(key, known) ?? [];
    if (name === undefined || argument === undefined) ignored.push(key);
    else {
      if (name !== key) renamed.push(`\`${key}\` as \`${name}\``);
      given[name] = joined(given[name], read(value, argument.shape));
    }
  }
  return { given, renamed, ignored };
}

function argumentFor(key: string, known: Record<string, Argument>): [name: string, argument: Argument] | undefined {
  const snaked = key.replace(/([a-z])([A-Z])/g, '$1_$2').replaceAll('-', '_');
  const plain = snaked.toLowerCase();
  // The names of other arguments are never an argument's own, so that the order does not matter.
  return Object.entries(known).find(([name, { names }]) => name === plain || names.includes(plain));
}

function read(value: unknown, shape: Shape): unknown {
  switch (shape) {
    case 'text':
      return Array.isArray(value) && value.every(isPlain) ? value.join('\n') : isPlain(value) ? String(value) : value;
    case 'count':
      return typeof value === 'string' && /^\d{1,9}$/.test(value.trim()) ? Number(value) : value;
    case 'lines':
      return listOf(value, { separator: /\n/, inItems: false });
    case 'words':
      return listOf(value, { separator: /[\n,]/, inItems: true });
    default:
      return shape satisfies never;
  }
}

/** A list, from a list, from one as JSON text, or from a text with separators; bullets and numbers are removed. */
function listOf(value: unknown, { separator, inItems }: { separator: RegExp; inItems: boolean }): unknown {
  const whole = typeof value === 'string' && value.trim().startsWith('[') ? (jsonIn(value) ?? value) : value;
  const items = Array.isArray(whole) ? whole : [whole];
  if (!items.every(isPlain)) return value;
  const isSplit = inItems || !Array.isArray(whole);
  return items
    .flatMap((item) => (isSplit ? String(item).split(separator) : [String(item)]))
    .map(withoutBullet)
    .filter(Boolean);
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function joined(before: unknown, more: unknown): unknown {
  if (before === undefined) return more;
  if (Array.isArray(before) && Array.isArray(more)) return [...new Set([...before, ...more])];
  if (typeof before === 'string' && typeof more === 'string') return before === more ? before : `${before}\n\n${more}`;
  return before;
}

/** One line on how arguments were read; empty where all were sent under their own names. */
export function readingLine({ renamed, ignored }: Pick<Understood, 'renamed' | 'ignored'>): string {
  const taken = renamed.length > 0 && `Taken: ${renamed.join(', ')}.`;
  const left = ignored.length > 0 && `Ignored: ${ignored.map((key) => `\`${key.slice(0, 40)}\``).join(', ')}.`;
  return [taken, left].filter(Boolean).join(' ');
}
