import { isObject, jsonIn } from '../../json.ts';
/**
 * What a host sent: the bytes, and the JSON object in them, if there is one. `isSpooled` says that the input is a spool
 * file, whose head comes first.
 */
export function readPayload(
  input: Buffer,
  isSpooled = false,
): { bytes: Buffer; payload: Record<string, unknown> | undefined } {
  const bytes = isSpooled ? input.subarray(input.indexOf('\n\n') + 2) : input;
  const value = jsonIn(bytes.toString('utf8'));
  return { bytes, payload: isObject(value) ? value : undefined };
}
