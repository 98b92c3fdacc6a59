/**
 * Most records in the lists beside a record, on either side in time, of its session, and that mention it: each is read
 * from its file, and a longer list is what the feed is for.
 */
export const MOST = { around: 5, session: 200, cited: 50 };

/** A record between those before and after it, oldest first; `all` is newest first, and only what is shown counts. */
export function neighbours<T>(own: T, all: T[], isShown: (one: T) => boolean): T[] {
  const shown = all.filter((one) => one === own || isShown(one));
  const at = shown.indexOf(own);
  return shown.slice(Math.max(0, at - MOST.around), at + MOST.around + 1).reverse();
}
