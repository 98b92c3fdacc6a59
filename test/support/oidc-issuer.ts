import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { AtEnd } from './set-up.ts';

/** An issuer of OpenID Connect on loopback: discovery, the code flow with PKCE, signed tokens, keys and sign-out. */
export interface Issuer {
  url: string;
  /** Who signs in next, without being asked; without a name the issuer shows a page with a button for each person. */
  person?: string | undefined;
  people: Record<string, Record<string, unknown>>;
  /** What the next ID token says otherwise. */
  lie?: Record<string, unknown> | undefined;
  /** Signs the next tokens with a key that is not published. */
  forges?: boolean;
  /** An access token as the issuer makes it for a resource. */
  accessToken(person: string, claims?: Record<string, unknown>): string;
  /** Addresses that were asked for. */
  calls: string[];
}

interface Code {
  person: string;
  nonce: string;
  challenge: string;
  redirect: string;
  resource: string | null;
}

export const CLIENT = { id: 'git-mem-hub', secret: 'the secret of the hub' };

export async function startIssuer(
  people: Record<string, Record<string, unknown>>,
  atEnd: AtEnd = onTestFinished,
): Promise<Issuer> {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const codes = new Map<string, Code>();
  const calls: string[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', issuer.url);
    calls.push(url.pathname);
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const query = url.searchParams;
    if (url.pathname === '/.well-known/openid-configuration') return send(200, metadata(issuer.url));
    if (url.pathname === '/keys') {
      return send(200, {
        keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' }],
      });
    }
    if (url.pathname === '/authorize') {
      const person = query.get('person') ?? issuer.person;
      if (query.get('client_id') !== CLIENT.id || query.get('code_challenge_method') !== 'S256') return send(400, {});
      if (person === undefined) {
        const links = Object.keys(issuer.people).map(
          (name) => `<a href="${url.pathname}${url.search}&person=${name}">${name}</a>`,
        );
        return void response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(`<title>Issuer</title><link rel="icon" href="data:,">${links.join(' ')}`);
      }
      const code = randomBytes(16).toString('hex');
      const redirect = query.get('redirect_uri') ?? '';
      codes.set(code, {
        person,
        nonce: query.get('nonce') ?? '',
        challenge: query.get('code_challenge') ?? '',
        redirect,
        resource: query.get('resource'),
      });
      const back = new URL(redirect);
      back.searchParams.set('code', code);
      back.searchParams.set('state', query.get('state') ?? '');
      back.searchParams.set('iss', issuer.url);
      return void response.writeHead(302, { location: back.href }).end();
    }
    if (url.pathname === '/token') {
      const form = new URLSearchParams(await bodyOf(request));
      const code = codes.get(form.get('code') ?? '');
      codes.delete(form.get('code') ?? '');
      const [id, secret] = Buffer.from(request.headers.authorization?.slice('Basic '.length) ?? '', 'base64')
        .toString('utf8')
        .split(':')
        .map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
      const isClient = id === CLIENT.id && secret === CLIENT.secret;
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      if (!isClient) return send(401, { error: 'invalid_client' });
      if (code === undefined || challenge !== code.challenge || form.get('redirect_uri') !== code.redirect) {
        return send(400, { error: 'invalid_grant' });
      }
      const claims = { ...claimsOf(code.person, CLIENT.id), nonce: code.nonce, ...issuer.lie };
      const id_token = signed(claims, 'JWT');
      return send(200, {
        // An agent asks for a resource, https://www.rfc-editor.org/rfc/rfc8707.
        access_token: code.resource
          ? issuer.accessToken(code.person, { aud: code.resource })
          : randomBytes(16).toString('hex'),
        token_type: 'Bearer',
        expires_in: 600,
        id_token,
      });
    }
    if (url.pathname === '/sign-out') {
      return void response.writeHead(302, { location: query.get('post_logout_redirect_uri') ?? '/' }).end();
    }
    send(404, {});
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function claimsOf(person: string, audience: string) {
    const seconds = Math.floor(Date.now() / 1000);
    return {
      iss: url,
      sub: `sub-${person}`,
      aud: audience,
      iat: seconds,
      exp: seconds + 600,
      ...issuer.people[person],
    };
  }

  function signed(claims: object, typ: string): string {
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const text = `${encode({ alg: 'ES256', kid: 'one', typ })}.${encode(claims)}`;
    const key = issuer.forges ? other.privateKey : keys.privateKey;
    return `${text}.${createSign('sha256').update(text).sign({ key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
  }

  const issuer: Issuer = {
    url,
    people,
    calls,
    accessToken: (person, claims) => signed({ ...claimsOf(person, ''), ...claims }, 'at+jwt'),
  };
  return issuer;
}

function metadata(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    end_session_endpoint: `${issuer}/sign-out`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
