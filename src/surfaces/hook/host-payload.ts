/**
 * What a host sent: the bytes, and the JSON object in them, if there is one. `isSpooled` says that the input is a spool
 * file, whose head comes first.
 */
export function readPayload(
  input: Buffer,
  isSpooled = false,
): { bytes: Buffer; payload: Record<string, unknown> | undefined } {
  const bytes = isSpooled ? input.subarray(input.indexOf('\n\n') + 2) : input;
  return { bytes, payload: parse(bytes) };
}

function parse(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined; // The caller logs that it was unreadable.
  }
}
