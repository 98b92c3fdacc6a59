import { elide } from '../../../memory/clamp.ts';
import {
  classOfStatus,
  type Provider,
  ProviderError,
  type ProviderErrorClass,
  type ProviderReply,
  type ProviderRequest,
} from '../provider.ts';

/** Longest answer that is read, in bytes: hundreds of times the expected size, and still little memory for a drain. */
export const MAX_BYTES = 4_000_000;

/** `fetch` that bounds answers and follows no redirect, which would lead where the user did not point it. */
export const guardedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'error' });
  if (response.body === null) return response;
  let size = 0;
  const cap = new TransformStream<Uint8Array, Uint8Array>({
    // Node's fetch loses an abort once its response object is collected, although the body is still being read.
    start(controller) {
      init?.signal?.addEventListener('abort', () => controller.error(new Error('it was aborted')), { once: true });
    },
    transform(chunk, controller) {
      size += chunk.length;
      if (size > MAX_BYTES) controller.error(new Error(`its answer is longer than ${MAX_BYTES} bytes`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(cap), { status, statusText, headers });
};

/** A provider before its limits: `label` is its name for people, `toError` reads what `ask` threw. */
interface Unguarded extends Pick<Provider, 'name' | 'model'> {
  label: string;
  ask: (request: ProviderRequest, signal: AbortSignal) => Promise<ProviderReply>;
  toError: (error: unknown) => ProviderError;
}

/** A provider that answers within `timeoutMs`, from the first byte sent to the last one read. */
export function withLimits({ name, model, label, ask, toError }: Unguarded, timeoutMs: number): Provider {
  const complete = async (request: ProviderRequest): Promise<ProviderReply> => {
    // The timeout of an SDK or socket stops at the headers; this one also covers a body that never ends.
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      return await ask(request, AbortSignal.any([request.signal, deadline]));
    } catch (error) {
      if (error instanceof ProviderError) throw error;
      const late = `${label} gave no whole answer within ${timeoutMs} ms.`;
      if (deadline.aborted) throw new ProviderError('transient', late);
      if (request.signal.aborted) throw new ProviderError('transient', `The request to ${label} was interrupted.`);
      throw toError(error);
    }
  };
  return { name, model, complete };
}

/** What an error response says. */
export interface Refusal {
  said: string;
  /** If the body is more specific than the status. */
  class?: ProviderErrorClass | undefined;
  retryAfterMs?: number | undefined;
}

/** The error for an answer with such a status; `keyHint` is what to do about a refused key. */
export function refused(
  { label, apiKey, keyHint }: { label: string; apiKey: string; keyHint: string },
  status: number,
  { said, retryAfterMs, class: errorClass = classOfStatus(status) }: Refusal,
): ProviderError {
  // An API's message about a refused key may quote the key, whole or masked.
  if (errorClass === 'auth')
    return new ProviderError('auth', `${label} refused the key (${status}).`, { hint: keyHint });
  const words = printable(said, apiKey);
  return new ProviderError(errorClass, `${label} answered ${status} (${errorClass})${words ? `: ${words}` : '.'}`, {
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(errorClass === 'quota' && { hint: 'Check the credit and the spend limits of the account.' }),
  });
}

/** The error for a failed connection, without the key. */
export function unreached(label: string, error: unknown, { apiKey, hint }: { apiKey: string; hint: string }) {
  const why = printable(reasons(error).join(': '), apiKey);
  return new ProviderError('transient', `${label} was not reached: ${why}.`, { hint });
}

/** One short line without the key and without credentials in a URL; errors carry no cause, which could hold both. */
export function printable(text: string, apiKey: string): string {
  const clean = (apiKey === '' ? text : text.replaceAll(apiKey, '[key]')).replace(/\/\/[^/\s]*@/g, '//[credentials]@');
  // Enough for a sentence of an API; some servers answer with a whole page of HTML.
  return elide(clean.replace(/\s+/g, ' ').trim(), 300);
}

/** The message and its causes: fetch says only "fetch failed", its cause names the refused connection. */
function reasons(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  return [error.message.replace(/\.$/, ''), ...reasons(error.cause)].filter(Boolean);
}
