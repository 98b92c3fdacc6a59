import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Why a request is rejected. */
export interface Refusal {
  status: 400 | 401 | 403 | 405;
  message: string;
}

/**
 * Decides which requests are allowed: only those of a browser opened with the address printed in the user's terminal.
 */
export interface Guard {
  /** For the printed address. */
  token: string;
  /** Returns a token that opens one page, once: others can see a browser's arguments in the process list. */
  ticket(): string;
  /** Undefined for a request that is allowed. */
  refuse(request: IncomingMessage, url: URL): Refusal | undefined;
  /** The cookie for a page that was opened with the token; undefined for any other request. */
  cookieFor(url: URL): string | undefined;
}

/** Pages of other sites cannot read, frame or script this one, and nothing is loaded from elsewhere. */
export const SECURITY_HEADERS: Record<string, string> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), clipboard-read=()',
  'cache-control': 'no-store',
};

/**
 * A guard with its own token for the server at `port`. Browsers send cookies to every port of a host, so the cookie's
 * name distinguishes viewers; its value is not the token, which may remain in a browser history.
 */
export function createGuard(port: number): Guard {
  const token = randomBytes(32).toString('base64url');
  const name = `git-mem-${port}`;
  const secret = randomBytes(32).toString('base64url');
  // Another site may point its own host name at this machine: its requests contain that name.
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];

  const tickets = new Set<string>();
  const isOpening = (url: URL) => {
    const given = url.searchParams.get('token');
    return url.pathname === '/' && given !== null && [token, ...tickets].some((one) => isEqual(given, one));
  };

  return {
    token,
    ticket() {
      const ticket = randomBytes(32).toString('base64url');
      tickets.add(ticket);
      return ticket;
    },
    refuse(request, url) {
      const { method = 'GET', headers } = request;
      if (!hosts.includes(headers.host ?? '')) return { status: 403, message: 'This address is not the viewer’s.' };
      if (!['GET', 'HEAD', 'POST'].includes(method)) return { status: 405, message: 'Only GET and POST are answered.' };
      const { origin } = headers;
      if (origin !== undefined && origin !== `http://${headers.host}`) return FOREIGN;
      const site = headers['sec-fetch-site'];
      if (method === 'POST') {
        if (origin === undefined || (site !== undefined && site !== 'same-origin')) return FOREIGN;
        if (!/^application\/json\b/.test(headers['content-type'] ?? '')) {
          return { status: 400, message: 'Only JSON is accepted.' };
        }
      }
      if (method !== 'POST' && isOpening(url)) return undefined;
      if (site !== undefined && site !== 'same-origin' && site !== 'none') return FOREIGN;
      if (cookiesOf(headers.cookie).some(([key, value]) => key === name && isEqual(value, secret))) return undefined;
      return { status: 401, message: 'Open the address that `git mem ui` printed.' };
    },
    cookieFor(url) {
      if (!isOpening(url)) return undefined;
      tickets.delete(url.searchParams.get('token') ?? '');
      return `${name}=${secret}; Path=/; HttpOnly; SameSite=Strict`;
    },
  };
}

const FOREIGN: Refusal = { status: 403, message: 'Requests of other sites are not answered.' };

/** Compares in constant time, whatever the lengths. */
export function isEqual(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

export function cookiesOf(header = ''): [name: string, value: string][] {
  return header.split(';').map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  });
}

/** The pages' files; no other file is ever read for a page's request. */
export const ASSETS: Record<string, { file: string; type: string }> = {
  '/': { file: 'index.html', type: 'text/html; charset=utf-8' },
  '/app.js': { file: 'app.js', type: 'text/javascript; charset=utf-8' },
  '/style.css': { file: 'style.css', type: 'text/css; charset=utf-8' },
};
