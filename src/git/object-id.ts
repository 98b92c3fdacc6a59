/** Tells whether a value is the full id of a git object, in either of its hash formats. */
export function isObjectId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{40,64}$/.test(value);
}
