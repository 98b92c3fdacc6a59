import { Transform } from 'node:stream';

/** Longest message accepted, in bytes: a record may have half of it. */
export const LONGEST_MESSAGE = 4_000_000;

/** Bytes kept at both ends of a longer message, enough to find out which request it was: the id is near one of them. */
const KEPT = 4096;

/**
 * Passes lines up to a length, and calls `onTooLong` with the kept ends of a longer one: the transport after it would
 * end the server.
 */
export function boundedLines(onTooLong: (start: string, end: string) => void, longest = LONGEST_MESSAGE): Transform {
  let parts: Buffer[] = [];
  let length = 0;
  let tail = Buffer.alloc(0);

  function take(part: Buffer): void {
    length += part.length;
    if (length <= longest) return void parts.push(part);
    if (tail.length === 0) parts = [Buffer.concat(parts).subarray(0, KEPT)];
    tail = Buffer.concat([tail, part]).subarray(-KEPT);
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        take(chunk.subarray(from, end + 1));
        const line = Buffer.concat(parts);
        if (length <= longest) this.push(line);
        else onTooLong(line.toString('utf8'), tail.toString('utf8'));
        [parts, length, tail] = [[], 0, Buffer.alloc(0)];
        from = end + 1;
      }
      if (from < chunk.length) take(chunk.subarray(from));
      done();
    },
  });
}

/** The JSON-RPC answer to a request that was too long, by its id if that is before or after the parameters. */
export function tooLong(start: string, end: string): string {
  const before = start.slice(0, Math.max(0, start.indexOf('"params"')) || KEPT);
  const id = /^\{[^{}[\]]*?"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)/.exec(before)?.[1];
  const behind = id === undefined ? /\}[^{}]*"id"\s*:\s*("[^"\\]*"|-?\d+)[^{}]*\}\s*$/.exec(end)?.[1] : undefined;
  const message = `The message is longer than ${LONGEST_MESSAGE / 1_000_000} MB.`;
  return `{"jsonrpc":"2.0","id":${id ?? behind ?? 'null'},"error":{"code":-32600,"message":"${message}"}}\n`;
}
