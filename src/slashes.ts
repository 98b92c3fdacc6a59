/** A path, pattern or address without trailing slashes. */
export function withoutEndSlashes(text: string): string {
  // The look-behind lets the expression start only once in a run of slashes, which keeps a long run linear.
  return text.replace(/(?<!\/)\/+$/, '');
}

/** A file, folder or glob as given, without a leading `./` or trailing slashes. */
export function bareName(given: string): string {
  return withoutEndSlashes(given.replace(/^(?:\.\/)+/, ''));
}
