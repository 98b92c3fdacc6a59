/**
 * Reads the body of a request or response. Returns undefined, leaving the rest unread, if it exceeds `most` bytes: the other
 * side may never stop sending.
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
