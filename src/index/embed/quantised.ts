/** Vectors as the cache stores them. A byte per dimension is enough where vectors only break ties between words. */

/** A vector as one signed byte per dimension; only its direction survives. */
export function toBytes(vector: Float32Array): Uint8Array {
  const largest = largestIn(vector);
  const scale = largest > 0 ? 127 / largest : 0;
  return new Uint8Array(Int8Array.from(vector, (value) => Math.round(value * scale)).buffer);
}

/** The signed bytes of a stored vector. */
export function fromBytes(bytes: Uint8Array): Int8Array {
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A vector as four bits per dimension, two dimensions in a byte; its direction survives roughly. */
export function toNibbles(vector: Float32Array): Uint8Array {
  const largest = largestIn(vector);
  const scale = largest > 0 ? 7 / largest : 0;
  const nibble = (d: number) => Math.round((vector[d] ?? 0) * scale) + 8;
  return Uint8Array.from({ length: vector.length >> 1 }, (_, i) => (nibble(2 * i) << 4) | nibble(2 * i + 1));
}

export function fromNibbles(bytes: Uint8Array): Int8Array {
  const vector = new Int8Array(bytes.length * 2);
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    vector[2 * i] = (byte >> 4) - 8;
    vector[2 * i + 1] = (byte & 15) - 8;
  }
  return vector;
}

/** A vector as its scale and one signed byte per dimension, where length matters too. */
export function toScaledBytes(vector: Float32Array): Uint8Array {
  const bytes = new Uint8Array(4 + vector.length);
  new DataView(bytes.buffer).setFloat32(0, largestIn(vector) / 127);
  bytes.set(toBytes(vector), 4);
  return bytes;
}

export function fromScaledBytes(bytes: Uint8Array): Float32Array {
  const scale = new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0);
  return Float32Array.from(fromBytes(bytes.subarray(4)), (value) => value * scale);
}

/** A vector at full precision, for models whose ranking depends on the last digits. */
export function toFloatBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** Copies, because a database's bytes need not be aligned for floats. */
export function fromFloatBytes(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer, 0, Math.floor(bytes.byteLength / 4));
}

function largestIn(vector: Float32Array): number {
  return vector.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
}
