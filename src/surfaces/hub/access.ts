import type { Context } from 'hono';
import type { Asker, Askers } from './asker.ts';
import { createRates } from './rates.ts';
import { Refusal } from './refusal.ts';
import type { Serving } from './serving.ts';

/** What the routes note about a request. */
export type Answering = { Variables: { asker: Asker | undefined; route: string } };

/** Who asks, and how often. */
export interface Access {
  /** Counts a request against the rate of the other end of its connection; throws Refusal beyond it. */
  limitPeer(what: string, context: Context<Answering>): void;
  /** Who asks, if anybody says so; throws Refusal for a wrong token. */
  known(context: Context<Answering>): Promise<Asker | undefined>;
  /** Who asks, with the request counted; throws Refusal for nobody. */
  asked(context: Context<Answering>): Promise<Asker>;
}

export function createAccess(
  { settings, origin, now }: Serving,
  { peerOf }: { peerOf(context: Context): string },
  askers: Askers,
): Access {
  const rates = createRates(settings.requests_per_minute, () => now().getTime());

  function limit(key: string): void {
    const seconds = rates.take(key);
    if (seconds === undefined) return;
    throw new Refusal(429, `Too many requests: wait ${seconds} seconds.`, {
      headers: { 'retry-after': String(seconds) },
    });
  }

  async function known(context: Context<Answering>): Promise<Asker | undefined> {
    const asker = await askers.of(context.req.raw).catch((error: unknown) => {
      // Guessing tokens is slow.
      if (error instanceof Refusal && error.status === 401) limit(`guess ${peerOf(context)}`);
      throw error;
    });
    context.set('asker', asker);
    return asker;
  }

  async function asked(context: Context<Answering>): Promise<Asker> {
    const asker = await known(context);
    limit(asker?.key ?? `nobody ${peerOf(context)}`);
    if (asker !== undefined) return asker;
    throw new Refusal(401, 'Sign in, or bring a token.', { code: 'sign-in', hint: new URL('/sign-in', origin).href });
  }

  return { limitPeer: (what, context) => limit(`${what} ${peerOf(context)}`), known, asked };
}
