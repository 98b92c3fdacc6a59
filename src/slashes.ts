/** A path, pattern or address without slashes at its end. */
export function withoutEndSlashes(text: string): string {
  // The look-behind lets the expression start only once in a run of slashes, which keeps a long run linear.
  return text.replace(/(?<!\/)\/+$/, '');
}

/** A file, folder or glob that somebody names, without `./` before and slashes behind it. */
export function bareName(given: string): string {
  return withoutEndSlashes(given.replace(/^(?:\.\/)+/, ''));
}
