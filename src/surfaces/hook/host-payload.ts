/** Longest wait for a host that does not close our standard input, in milliseconds. */
const PATIENCE_MS = 4000;

/**
 * A host's standard input: the bytes, and the JSON object in them, if there is one. `isSpooled` says that the input is
 * a spool file, whose head comes first.
 */
export async function readPayload(
  stdin: NodeJS.ReadStream,
  isSpooled = false,
): Promise<{ bytes: Buffer; payload: Record<string, unknown> | undefined }> {
  const all = await readAll(stdin);
  const bytes = isSpooled ? all.subarray(all.indexOf('\n\n') + 2) : all;
  return { bytes, payload: parse(bytes) };
}

async function readAll(stdin: NodeJS.ReadStream): Promise<Buffer> {
  if (stdin.isTTY) return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  const timer = setTimeout(() => stdin.destroy(), PATIENCE_MS);
  try {
    for await (const chunk of stdin) chunks.push(chunk);
  } catch {
    // The pipe broke: the bytes received so far are used.
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks);
}

function parse(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined; // The caller logs that it was unreadable.
  }
}
