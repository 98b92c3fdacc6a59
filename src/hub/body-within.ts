/**
 * The bytes of a request or an answer; undefined, and the rest is not read, if there are more than so many: the other side
 * may send without end.
 */
export async function bodyWithin(body: Response['body'], most: number): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = [];
  let left = most;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    left -= part.length;
    if (left < 0) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
