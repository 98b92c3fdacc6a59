import type { JWTVerifyOptions } from 'jose';
import { GitMemError, messageOf } from '../../errors.ts';
import { cookiesOf } from '../../surfaces/viewer/guard.ts';
import { Refusal } from './refusal.ts';
import { isLoopback, type Serving, type SignInSettings, secretIn } from './serving.ts';

/** Time allowed for signing in at the issuer, in seconds: a person may have to fetch a second factor. */
const PATIENCE_S = 600;

const AGAIN = { hint: 'Open /sign-in again.' };

/** Where the issuer sends browsers back to. */
export const CALLBACK = '/sign-in/callback';

export type SignIn = ReturnType<typeof openSignIn>;

/**
 * Sign-in by OpenID Connect: the authorization code flow with PKCE. Long because the flow is: each of its steps asks the
 * issuer, which is discovered once for all of them.
 */
export function openSignIn(serving: Serving, settings: SignInSettings, session: Cookie) {
  const { hub, origin, env, now } = serving;
  const secret = secretIn(env, settings.client_secret_env);
  const attempt = cookieNamed('git-mem-sign-in', origin);
  const issuer = new URL(settings.issuer);
  const audience = settings.audience.length > 0 ? settings.audience : [new URL('/mcp', origin).href, origin.origin];
  const redirect_uri = new URL(CALLBACK, origin).href;
  let known: ReturnType<typeof discover> | undefined;

  /** The issuer may be down when the hub starts: it is discovered when first needed, and again after a failure. */
  function discovered() {
    known ??= discover(settings, secret).catch((error: unknown) => {
      known = undefined;
      throw new GitMemError('provider', `${issuer.host} does not answer: ${messageOf(error)}.`);
    });
    return known;
  }

  return {
    issuer: settings.issuer,
    /** Sends a browser to the issuer. */
    async begin(): Promise<Response> {
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
    /** Handles the browser's return: sets the session's cookie and redirects to the pages. Throws Refusal. */
    async complete(request: Request): Promise<Response> {
      const [expectedState, expectedNonce, pkceCodeVerifier] = attempt.read(request)?.split('.') ?? [];
      if (!expectedState || !expectedNonce || !pkceCodeVerifier) {
        throw new Refusal(400, 'This browser did not start the sign-in, or started it too long ago.', AGAIN);
      }
      const { client, configuration } = await discovered();
      // Behind a proxy the request has another host; the issuer compares with the address that it was given.
      const current = new URL(`${CALLBACK}${new URL(request.url).search}`, origin);
      const checks = { expectedState, expectedNonce, pkceCodeVerifier, idTokenExpected: true };
      const tokens = await client
        .authorizationCodeGrant(configuration, current, checks)
        .catch((error: unknown) => unconfirmed(serving, error));
      const claims = tokens.claims();
      if (claims === undefined) throw new Refusal(401, 'The issuer identified nobody.');
      const principal = await principalOf(serving, settings, claims);
      const seconds = serving.settings.session_hours * 3600;
      const value = await hub.createSession(principal, new Date(now().getTime() + seconds * 1000));
      await hub.note({ principal, action: 'sign-in', subject: settings.issuer });
      const headers = new Headers({ location: '/' });
      headers.append('set-cookie', session.set(value, seconds));
      headers.append('set-cookie', attempt.set('', 0));
      return new Response(null, { status: 303, headers });
    },
    /** Where a browser goes after signing out. */
    async farewell(): Promise<string> {
      const { client, configuration } = await discovered();
      const signedOut = new URL('/signed-out', origin).href;
      if (configuration.serverMetadata().end_session_endpoint === undefined) return signedOut;
      return client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: signedOut }).href;
    },
    /** The person of an access token issued for this hub; undefined for any other token. */
    async ofAccessToken(token: string): Promise<number | undefined> {
      if (token.split('.').length !== 3) return undefined;
      const { verify, configuration } = await discovered();
      try {
        const options = { issuer: configuration.serverMetadata().issuer, audience, currentDate: now() };
        const verified = await verify(token, { ...options, requiredClaims: ['exp', 'sub'] });
        // An ID token of this hub says who signed in, not what its bearer may do.
        if (verified === undefined || verified.payload.nonce !== undefined) return undefined;
        return await principalOf(serving, settings, verified.payload);
      } catch (error) {
        if (error instanceof Refusal) throw error;
        return undefined; // Wrong signature, issuer, audience or time: like any unknown token.
      }
    },
  };
}

async function discover(settings: SignInSettings, secret: string | undefined) {
  const issuer = new URL(settings.issuer);
  const client = await needed('openid-client', import('openid-client'));
  // By default the library trusts the connection, and does not check the signature of a token that came directly.
  const execute = [client.enableNonRepudiationChecks, ...(isLoopback(issuer) ? [client.allowInsecureRequests] : [])];
  const authentication = secret === undefined ? client.None() : client.ClientSecretBasic(secret);
  const configuration = await client.discovery(issuer, settings.client_id, {}, authentication, { execute });
  const { jwks_uri } = configuration.serverMetadata();
  const { createRemoteJWKSet, jwtVerify } = await needed('jose', import('jose'));
  const keys = jwks_uri === undefined ? undefined : createRemoteJWKSet(new URL(jwks_uri));
  const verify = (token: string, options: JWTVerifyOptions) => keys && jwtVerify(token, keys, options);
  return { client, configuration, verify };
}

async function principalOf(
  { hub, settings: { forges } }: Serving,
  settings: SignInSettings,
  claims: Record<string, unknown>,
): Promise<number> {
  const { sub } = claims;
  if (typeof sub !== 'string') throw new Refusal(401, 'The issuer identified nobody.');
  const login = claims[settings.login_claim];
  const [forge] = forges;
  const name = typeof login === 'string' && login !== '' ? login : sub;
  // If a code host says who may read, its logins are the principals; a subject that looks like a login gains no rights.
  if (forge !== undefined && typeof login === 'string' && /^[\w.-]{1,255}$/.test(login)) {
    return hub.principal(`${forge.kind}:${login.toLowerCase()}`, name);
  }
  return hub.principal(`oidc:${settings.issuer}#${sub}`, name);
}

function unconfirmed({ log }: Serving, error: unknown): never {
  log.error('sign-in', { problem: reasonOf(error) });
  throw new Refusal(401, 'The issuer did not confirm the sign-in.', AGAIN);
}

/** A library error with its cause, which names what was wrong; neither holds a code or a token. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return messageOf(error);
  return [error.message, ...(error.cause instanceof Error ? [error.cause.message] : [])].join(': ');
}

function needed<T>(name: string, loading: Promise<T>): Promise<T> {
  return loading.catch((cause: unknown) => {
    const hint = `Install it beside git-mem: npm install --global ${name}`;
    throw new GitMemError('missing-package', `Signing in needs the package ${name}.`, { hint, cause });
  });
}

/** The page for somebody without a session if there is no sign-in. */
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
export type Cookie = ReturnType<typeof cookieNamed>;

/**
 * A cookie that scripts do not see and no other host can set: `__Host-` ensures that, and needs https. Lax, because a person
 * returning from the issuer comes from another site; requests that change something need our own origin.
 */
export function cookieNamed(name: string, origin: URL) {
  const isPlain = isLoopback(origin) && origin.protocol === 'http:';
  // Browsers send cookies to every port of a host.
  const full = isPlain ? `${name}-${origin.port}` : `__Host-${name}`;
  return {
    read: (request: Request) =>
      cookiesOf(request.headers.get('cookie') ?? '').find(([key]) => key === full)?.[1] || undefined,
    /** The header that sets it for `seconds`; 0 removes it. */
    set: (value: string, seconds: number) =>
      `${full}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isPlain ? '' : '; Secure'}`,
  };
}
