/**
 * Where a value stands in a line of a log: `message.content[].text`. A name, then `[]` for every element of a list or
 * `[2]` for one of them; `@json` reads the text found so far as JSON; a path that begins with `@` starts at the element
 * that a rule's `each` is at.
 */
export interface DottedPath {
  fromElement: boolean;
  steps: Step[];
}

type Step = { kind: 'name'; name: string } | { kind: 'all' } | { kind: 'at'; index: number } | { kind: 'json' };

/** A line, and the element of it that a rule is at. */
export interface Scope {
  line: unknown;
  element?: unknown;
}

const PART = /^([^[\].@]*)((?:\[\d*\])*)$/;

/** Reads a path; undefined when the text is none. */
export function parsePath(text: string): DottedPath | undefined {
  const parts = text.split('.');
  const fromElement = parts[0] === '@';
  const steps: Step[] = [];
  for (const part of fromElement ? parts.slice(1) : parts) {
    const [isPart, name = '', lists = ''] = PART.exec(part) ?? [];
    if (part === '@json') steps.push({ kind: 'json' });
    else if (isPart === undefined || name === '') return undefined;
    else {
      steps.push({ kind: 'name', name });
      for (const [, index] of lists.matchAll(/\[(\d*)\]/g))
        steps.push(index === '' ? { kind: 'all' } : { kind: 'at', index: Number(index) });
    }
  }
  return { fromElement, steps };
}

/** Every value that a path leads to, none where it leads nowhere. Never throws. */
export function valuesAt({ fromElement, steps }: DottedPath, { line, element }: Scope): unknown[] {
  let values: unknown[] = [fromElement ? element : line];
  for (const step of steps) values = values.flatMap((value) => next(step, value));
  return values.filter((value) => value !== undefined);
}

function next(step: Step, value: unknown): unknown[] {
  switch (step.kind) {
    case 'name':
      return isObject(value) && Object.hasOwn(value, step.name) ? [value[step.name]] : [];
    case 'all':
      return Array.isArray(value) ? value : [];
    case 'at':
      return Array.isArray(value) ? [value[step.index]] : [];
    case 'json':
      return typeof value === 'string' ? parsed(value) : [];
    default:
      return step satisfies never;
  }
}

function parsed(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return []; // A text that is no JSON holds nothing that a path could lead to.
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
