import type { Viewer } from '../port.ts';
import type { TOKEN_SCOPES, TokenScope } from '../port-operation.ts';
import { confirmOpen } from '../rights/rounds.ts';
import type { Cookie } from './cookies.ts';
import { Refusal } from './refusal.ts';
import type { Serving } from './serving.ts';
import type { SignIn } from './sign-in.ts';

/** Who asks, as a token or a session proves. */
export interface Asker {
  principal: number;
  scopes: readonly TokenScope[];
  /** For rate limits. */
  key: string;
  by: 'session' | 'token' | 'access-token';
  /** Milliseconds since 1970; undefined for a session, which the hub ends by itself. */
  expires?: number;
  /** What may be read at this moment; throws refused. */
  viewer(): Promise<Viewer>;
}

/** How long what everybody may read counts as confirmed for one person, in milliseconds: not each request writes rights. */
const OPEN_MS = 60_000;

/** Most people that are remembered for that; beyond it all are forgotten, and confirmed again. */
const MOST = 10_000;

/** Finds out who asks: undefined for a request without any proof; throws Refusal for a wrong one. */
export function findAskers(
  { hub, now }: Serving,
  session: Cookie,
  signIn: SignIn | undefined,
): (request: Request) => Promise<Asker | undefined> {
  const confirmed = new Map<number, number>();

  async function viewerOf(principal: number, scopes: readonly TokenScope[], isPerson: boolean): Promise<Viewer> {
    const time = now().getTime();
    if (isPerson && !((confirmed.get(principal) ?? 0) > time - OPEN_MS)) {
      if (confirmed.size >= MOST) confirmed.clear();
      confirmed.set(principal, time);
      await confirmOpen(hub, principal);
    }
    return hub.viewerOf(principal, scopes);
  }

  const made = (one: Omit<Asker, 'viewer'>): Asker => {
    return { ...one, viewer: () => viewerOf(one.principal, one.scopes, one.by !== 'token') };
  };

  async function ofBearer(secret: string): Promise<Asker> {
    const token = await hub.tokenOf(secret);
    if (token !== undefined) {
      const { principal, scopes, id, expires } = token;
      return made({ principal, scopes, key: `token ${id}`, by: 'token', expires: expires.getTime() });
    }
    const person = await signIn?.ofAccessToken(secret);
    if (person === undefined) throw new Refusal(401, 'The token is unknown, revoked or expired.');
    const { principal, expires } = person;
    return made({ principal, scopes: ['read'], key: `person ${principal}`, by: 'access-token', expires });
  }

  return async (request) => {
    const header = request.headers.get('authorization');
    if (header !== null) {
      // No more than half of the 16 KB that Node reads of all headers.
      const secret = /^bearer +([\x21-\x7e]{1,8192})$/i.exec(header.trim())?.[1];
      if (secret === undefined) throw new Refusal(401, 'Only bearer tokens are known.');
      return ofBearer(secret);
    }
    const secret = session.read(request);
    const principal = secret === undefined ? undefined : await hub.sessionOf(secret);
    if (principal === undefined) return undefined;
    return made({ principal, scopes: ['read'], key: `person ${principal}`, by: 'session' });
  };
}

/** Throws if the caller lacks a scope. */
export function requireScope({ scopes }: Asker, scope: (typeof TOKEN_SCOPES)[number]): void {
  if (scopes.includes(scope)) return;
  throw new Refusal(403, `This token lacks the scope "${scope}".`, {
    hint: `It has ${scopes.join(', ') || 'none'}. A token is made by \`git mem hub token create\`.`,
  });
}
