import type { Context } from 'hono';
import { Refusal } from './refusal.ts';
import { isLoopback } from './serving.ts';

/**
 * Refuses requests that another site made a browser send, and those by another name of this server: a page may point its
 * own host name here. A program with a token is no browser.
 */
export function refuseForeign({ req }: Context, origin: URL): void {
  const host = req.header('host') ?? '';
  const isOurs = host === origin.host || (isLoopback(origin) && isLoopbackHost(host));
  if (!isOurs) throw new Refusal(403, 'This address is not the hub’s.', { hint: 'hub.yaml names it: server.url.' });
  const given = req.header('origin');
  const own = isLoopback(origin) ? `${origin.protocol}//${host}` : origin.origin;
  const isForeign = given !== undefined && given !== own;
  const site = req.header('sec-fetch-site');
  const isCrossPost = req.method !== 'GET' && site !== undefined && site !== 'same-origin';
  if (isForeign || isCrossPost) throw new Refusal(403, 'Requests of other sites are not answered.');
  const hasProof = req.header('authorization') !== undefined;
  // With a session alone, every request that changes something says where it comes from.
  if (req.method !== 'GET' && req.method !== 'HEAD' && !hasProof && req.header('cookie') && given === undefined) {
    throw new Refusal(403, 'Requests of other sites are not answered.');
  }
}

function isLoopbackHost(host: string): boolean {
  return URL.canParse(`http://${host}`) && isLoopback(new URL(`http://${host}`));
}
