import { isLoopback } from './serving.ts';

/** A cookie of this server. */
export interface Cookie {
  read(request: Request): string | undefined;
  /** The header that sets it for some seconds; for 0 seconds it removes it. */
  set(value: string, seconds: number): string;
}

/**
 * A cookie that scripts do not see, and that no other host may set: `__Host-` asks for that, and for https. Lax, because
 * a person who comes back from signing in comes from another site; requests that change something need our own origin.
 */
export function cookieNamed(name: string, origin: URL): Cookie {
  const isPlain = isLoopback(origin) && origin.protocol === 'http:';
  // Browsers send cookies to every port of a host.
  const full = isPlain ? `${name}-${origin.port}` : `__Host-${name}`;
  return {
    read(request) {
      for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
        const at = pair.indexOf('=');
        if (pair.slice(0, at).trim() === full) return pair.slice(at + 1).trim() || undefined;
      }
      return undefined;
    },
    set: (value, seconds) => {
      return `${full}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isPlain ? '' : '; Secure'}`;
    },
  };
}
