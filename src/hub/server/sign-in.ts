import type * as OpenId from 'openid-client';
import { GitMemError, messageOf } from '../../errors.ts';
import { Refusal } from './refusal.ts';
import { isLoopback, type Serving, type SignInSettings, secretIn } from './serving.ts';

/** Sign-in by OpenID Connect: the authorization code flow with PKCE. */
export interface SignIn {
  issuer: string;
  /** Sends a browser to the issuer. */
  begin(): Promise<Response>;
  /** Takes it back: the session's cookie, and the way to the pages. Throws Refusal. */
  complete(request: Request): Promise<Response>;
  /** Where a browser goes after signing out. */
  farewell(): Promise<string>;
  /** The person of an access token that the issuer made for this hub; undefined for any other. */
  ofAccessToken(token: string): Promise<{ principal: number; expires: number } | undefined>;
}

/** How long signing in at the issuer may take, in seconds: a person may have to fetch a second factor. */
const PATIENCE_S = 600;

/** Where the issuer sends browsers back to. */
export const CALLBACK = '/sign-in/callback';

/** Long because the flow is: each of its steps asks the issuer, which is discovered once for all. */
export function openSignIn(serving: Serving, settings: SignInSettings, session: Cookie): SignIn {
  const { hub, origin, env, now } = serving;
  const secret = secretIn(env, settings.client_secret_env);
  const attempt = cookieNamed('git-mem-sign-in', origin);
  const issuer = new URL(settings.issuer);
  const audience = settings.audience.length > 0 ? settings.audience : [new URL('/mcp', origin).href, origin.origin];
  const redirect_uri = new URL(CALLBACK, origin).href;
  let known: Promise<Known> | undefined;

  /** The issuer may be down when the hub starts: it is asked when first needed, and again after a failure. */
  function discovered(): Promise<Known> {
    known ??= discover(settings, secret).catch((error: unknown) => {
      known = undefined;
      throw new GitMemError('provider', `${issuer.host} does not answer: ${messageOf(error)}.`);
    });
    return known;
  }

  return {
    issuer: settings.issuer,
    async begin() {
      const { client, configuration } = await discovered();
      const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
      const target = client.buildAuthorizationUrl(configuration, {
        redirect_uri,
        scope: settings.scopes.join(' '),
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      });
      const cookie = attempt.set([state, nonce, verifier].join('.'), PATIENCE_S);
      return new Response(null, { status: 302, headers: { location: target.href, 'set-cookie': cookie } });
    },
    async complete(request) {
      const [expectedState, expectedNonce, pkceCodeVerifier] = attempt.read(request)?.split('.') ?? [];
      if (!expectedState || !expectedNonce || !pkceCodeVerifier) {
        throw new Refusal(400, 'This browser did not begin to sign in, or too long ago.', {
          hint: 'Open /sign-in again.',
        });
      }
      const { client, configuration } = await discovered();
      // Behind a proxy the request has another host; the issuer compares with the address that it was given.
      const current = new URL(`${CALLBACK}${new URL(request.url).search}`, origin);
      const checks = { expectedState, expectedNonce, pkceCodeVerifier, idTokenExpected: true };
      const tokens = await client
        .authorizationCodeGrant(configuration, current, checks)
        .catch((error: unknown) => unconfirmed(serving, error));
      const claims = tokens.claims();
      if (claims === undefined) throw new Refusal(401, 'The issuer named nobody.');
      const principal = await principalOf(serving, settings, claims);
      const seconds = serving.settings.session_hours * 3600;
      const value = await hub.createSession(principal, new Date(now().getTime() + seconds * 1000));
      await hub.note({ principal, action: 'sign-in', subject: settings.issuer });
      const headers = new Headers({ location: '/' });
      headers.append('set-cookie', session.set(value, seconds));
      headers.append('set-cookie', attempt.set('', 0));
      return new Response(null, { status: 303, headers });
    },
    async farewell() {
      const { client, configuration } = await discovered();
      const signedOut = new URL('/signed-out', origin).href;
      if (configuration.serverMetadata().end_session_endpoint === undefined) return signedOut;
      return client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: signedOut }).href;
    },
    async ofAccessToken(token) {
      if (token.split('.').length !== 3) return undefined;
      const { verify, configuration } = await discovered();
      try {
        const options = { issuer: configuration.serverMetadata().issuer, audience, currentDate: now() };
        const verified = await verify(token, { ...options, requiredClaims: ['exp', 'sub'] });
        if (verified === undefined) return undefined;
        // An ID token of this hub says who signed in, not what its bearer may do.
        if (verified.payload.nonce !== undefined) return undefined;
        return {
          principal: await principalOf(serving, settings, verified.payload),
          expires: (verified.payload.exp ?? 0) * 1000,
        };
      } catch (error) {
        if (error instanceof Refusal) throw error;
        return undefined; // Its signature, issuer, audience or time is wrong: a token like any unknown one.
      }
    },
  };
}

async function discover(settings: SignInSettings, secret: string | undefined): Promise<Known> {
  const issuer = new URL(settings.issuer);
  const client = await loadClient();
  // The library would trust the connection alone: it does not check the signature of a token that came directly.
  const execute = [client.enableNonRepudiationChecks, ...(isLoopback(issuer) ? [client.allowInsecureRequests] : [])];
  const authentication = secret === undefined ? client.None() : client.ClientSecretBasic(secret);
  const configuration = await client.discovery(issuer, settings.client_id, {}, authentication, { execute });
  const { jwks_uri } = configuration.serverMetadata();
  const { createRemoteJWKSet, jwtVerify } = await loadJose();
  const keys = jwks_uri === undefined ? undefined : createRemoteJWKSet(new URL(jwks_uri));
  return { client, configuration, verify: (token, options) => keys && jwtVerify(token, keys, options) };
}

async function principalOf(
  { hub, settings: { forges } }: Serving,
  settings: SignInSettings,
  claims: Record<string, unknown>,
): Promise<number> {
  const { sub } = claims;
  if (typeof sub !== 'string') throw new Refusal(401, 'The issuer named nobody.');
  const login = claims[settings.login_claim];
  const [forge] = forges;
  const name = typeof login === 'string' && login !== '' ? login : sub;
  // Where a code host says who may read, its logins are the names; nobody gets rights by a subject that looks like one.
  if (forge !== undefined && typeof login === 'string' && /^[\w.-]{1,255}$/.test(login)) {
    return hub.principal(`${forge.kind}:${login.toLowerCase()}`, name);
  }
  return hub.principal(`oidc:${settings.issuer}#${sub}`, name);
}

interface Known {
  client: typeof OpenId;
  configuration: OpenId.Configuration;
  verify: (token: string, options: VerifyOptions) => ReturnType<typeof import('jose').jwtVerify> | undefined;
}

type VerifyOptions = import('jose').JWTVerifyOptions;

function unconfirmed({ log }: Serving, error: unknown): never {
  log.error('sign-in', { problem: reasonOf(error) });
  throw new Refusal(401, 'The issuer did not confirm the sign-in.', { hint: 'Open /sign-in again.' });
}

/** An error of the library with its cause, which names what was wrong; neither holds a code or a token. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return messageOf(error);
  return [error.message, ...(error.cause instanceof Error ? [error.cause.message] : [])].join(': ');
}

function loadClient(): Promise<typeof OpenId> {
  return import('openid-client').catch(missing('openid-client'));
}

function loadJose(): Promise<typeof import('jose')> {
  return import('jose').catch(missing('jose'));
}

function missing(name: string) {
  return (cause: unknown): never => {
    throw new GitMemError('missing-package', `Signing in needs the package ${name}.`, {
      hint: `npm install ${name} beside git-mem.`,
      cause,
    });
  };
}

/** The page for somebody who has no session where nobody can sign in. */
export function noSignInPage(): Response {
  return page(
    401,
    'Nobody can sign in here',
    'This hub has no sign-in: its hub.yaml names no issuer under <code>server.sign_in</code>. Agents and programs come with a token, which <code>git mem hub token create</code> makes.',
  );
}

/** The page after signing out. */
export function signedOutPage(): Response {
  return page(200, 'You are signed out', '<a href="/sign-in">Sign in again</a>');
}

function page(status: number, title: string, text: string): Response {
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} · git-mem hub</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
<main>
<h1>${title}</h1>
<p>${text}</p>
</main>
</html>
`;
  return new Response(html, { status, headers: { 'content-type': 'text/html; charset=utf-8' } });
}

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
