import { isObject } from './json.ts';

/** Settings as a file nests them, by section and name; dotted keys name a place in the tree. */
export type Tree = { [key: string]: unknown };

/** Every value with its dotted key. */
export function leaves(tree: Tree, prefix = ''): [string, unknown][] {
  return Object.entries(tree).flatMap(([key, value]): [string, unknown][] =>
    isObject(value) ? leaves(value, `${prefix}${key}.`) : [[prefix + key, value]],
  );
}

/** The value at a dotted key; undefined if there is none. */
export function get(tree: Tree, key: string): unknown {
  return key.split('.').reduce<unknown>((at, part) => (isObject(at) ? at[part] : undefined), tree);
}

/** Sets the value at a dotted key, in place. */
export function set(tree: Tree, key: string, value: unknown): void {
  const parts = key.split('.');
  const last = parts.pop() ?? '';
  let at = tree;
  for (const part of parts) {
    const next = at[part];
    at[part] = isObject(next) ? next : {};
    at = at[part] as Tree;
  }
  at[last] = value;
}

/** A copy with a new value at a dotted key. */
export function changed(tree: Tree, key: string, value: unknown): Tree {
  const copy = structuredClone(tree);
  set(copy, key, value);
  return copy;
}
