/** Whether a value is the full id of a git object, in either of its hash formats. */
export function isObjectId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{40,64}$/.test(value);
}

/** An object's id; undefined for git's id of zeros, which means none. */
export function objectOrNone(id: string): string | undefined {
  return /^0+$/.test(id) ? undefined : id;
}
