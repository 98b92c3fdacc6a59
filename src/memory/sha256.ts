/** The first words of the fractional parts of the square roots of the first eight primes (FIPS 180-4, 5.3.3). */
const START = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19] as const;

/** Those of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2). */
const ROUNDS = new Uint32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
]);

const BLOCK = 64;

/**
 * The SHA-256 of a short text, as `node:crypto` makes it: that module takes a tenth of what Node takes to start, and
 * hooks and the status line need nothing else of it.
 */
export function sha256(text: string): Buffer {
  const message = padded(Buffer.from(text));
  const state = Int32Array.from(START);
  for (let at = 0; at < message.length; at += BLOCK) compress(state, message, at);
  const digest = Buffer.alloc(32);
  for (const [i, word] of state.entries()) digest.writeInt32BE(word, i * 4);
  return digest;
}

/** A one bit behind the bytes, and at the end of the last block how many bits they are. */
function padded(bytes: Buffer): Buffer {
  const message = Buffer.alloc(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  bytes.copy(message);
  message[bytes.length] = 0x80;
  message.writeBigUInt64BE(BigInt(bytes.length) * 8n, message.length - 8);
  return message;
}

const schedule = new Int32Array(BLOCK);

function compress(state: Int32Array, message: Buffer, at: number): void {
  for (let i = 0; i < 16; i++) schedule[i] = message.readInt32BE(at + i * 4);
  for (let i = 16; i < BLOCK; i++) {
    const [early, late] = [word(schedule, i - 15), word(schedule, i - 2)];
    const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    schedule[i] = word(schedule, i - 16) + first + word(schedule, i - 7) + second;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < BLOCK; i++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + word(ROUNDS, i) + word(schedule, i);
    const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority;
    [h, g, f, e] = [g, f, e, (d + one) | 0];
    [d, c, b, a] = [c, b, a, (one + two) | 0];
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) state[i] = word(state, i) + value;
}

function word(words: Int32Array | Uint32Array, i: number): number {
  return words[i] ?? 0;
}

function turned(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by));
}
