import { jsonIn } from '../../../json.ts';
import { withoutEndSlashes } from '../../../slashes.ts';
import {
  type Limits,
  type Provider,
  ProviderError,
  type ProviderReply,
  type ProviderRequest,
  retryAfterMs,
  withRetries,
} from '../provider.ts';
import { guardedFetch, type Refusal, refused, unreached, withinDeadline } from './connection.ts';

/** Where a model answers over HTTP, and on whose account. */
export interface RestOptions extends Limits {
  /** First half of a record's `extractor`: `ollama`. */
  name: string;
  /** Its product name: `Ollama`. */
  label: string;
  model: string;
  /** Address to which the protocol's paths are appended. */
  baseUrl: string;
  /** Empty if the server needs none. */
  apiKey: string;
}

/** One way of asking a model over HTTP. */
export interface Protocol {
  path: string;
  headers: Record<string, string>;
  toBody(request: ProviderRequest): unknown;
  /** Undefined if the body is not a reply of this protocol. */
  toReply(body: unknown): ProviderReply | undefined;
  toRefusal(status: number, body: unknown): Refusal;
  /** Adapts to this server after a refused request; false if there is nothing to change. */
  adapt?(said: string): boolean;
}

/** Longest time for one answer, twice that of Anthropic's API: models on the user's own machine are slow. */
const TIMEOUT_MS = 120_000;

/** A provider that is asked by one POST of JSON. */
export function createRestProvider(options: RestOptions, protocol: Protocol): Provider {
  const { name, label, model, apiKey } = options;
  const base = withoutEndSlashes(options.baseUrl);
  const hint = 'Check the network and extract.base_url; the events are kept and tried again later.';

  const post = async (request: ProviderRequest, signal: AbortSignal): Promise<ProviderReply> => {
    const response = await guardedFetch(base + protocol.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...protocol.headers },
      body: JSON.stringify(protocol.toBody(request)),
      signal,
    });
    const body = jsonIn(await response.text());
    const reply = response.ok ? protocol.toReply(body) : undefined;
    if (reply !== undefined) return reply;
    const refusal = protocol.toRefusal(response.status, body);
    const wait = refusal.retryAfterMs ?? retryAfterMs(response.headers.get('retry-after'), new Date());
    if (response.ok && refusal.class === undefined) throw strange(label);
    if ([400, 404, 422].includes(response.status) && protocol.adapt?.(refusal.said)) return post(request, signal);
    throw refused({ label, apiKey, keyHint: KEY_HINT }, response.status, { ...refusal, retryAfterMs: wait });
  };

  const single: Provider = {
    name,
    model,
    async complete(request) {
      assertAddress(base);
      const toError = (error: unknown) => unreached(label, error, { apiKey, hint });
      const deadline = { label, timeoutMs: options.timeoutMs ?? TIMEOUT_MS, signal: request.signal, toError };
      return withinDeadline(deadline, (signal) => post(request, signal));
    },
  };
  return withRetries(single, options);
}

const KEY_HINT =
  'Set a valid key as extract.api_key_env or extract.api_key_command says, or extract.provider to rules.';

/** What is wrong with an address, as a sentence, or empty. fetch rejects a password in it, and would print it. */
export function addressProblem(base: string, setting = 'extract.base_url'): string {
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return `${setting} is not an http or https address.`;
  return url.username + url.password === '' ? '' : `${setting} holds a password.`;
}

function assertAddress(base: string): void {
  const problem = addressProblem(base);
  if (problem === '') return;
  throw new ProviderError('auth', problem, { hint: 'Name a variable for the key in extract.api_key_env.' });
}

function strange(label: string): ProviderError {
  return new ProviderError('transient', `What answered in place of ${label} does not speak its protocol.`, {
    hint: 'Check extract.base_url and any proxy in between.',
  });
}
