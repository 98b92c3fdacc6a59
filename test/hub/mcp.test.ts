import {
  Client,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BATCH, PROXY, SALARY, startTestHub, type TestHub } from '../support/hub-server.ts';
import { connectMcpHere } from '../support/mcp-client.ts';
import { CLIENT, startIssuer } from '../support/oidc-issuer.ts';
import { createRepository } from '../support/repository.ts';
import { forAllTests } from '../support/set-up.ts';

/** The official client, with a token; `era` as in the checkout's tests. */
async function connect(hub: TestHub, token: string, era: '2025' | '2026' = '2026') {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: era === '2026' ? { pin: '2026-07-28' } : 'legacy' } },
  );
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${hub.url}/mcp`), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return {
    client,
    async call(name: string, given: Record<string, unknown>) {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: given });
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
      return { text, data: structuredContent as Record<string, unknown>, isError: isError === true };
    },
  };
}

/** What a client with a browser keeps; `open` stands for that browser. */
function keyring(open: (address: URL) => Promise<void>): OAuthClientProvider {
  let tokens: OAuthTokens | undefined;
  let verifier = '';
  return {
    redirectUrl: 'http://127.0.0.1:1/callback',
    clientMetadata: {
      redirect_uris: ['http://127.0.0.1:1/callback'],
      token_endpoint_auth_method: 'client_secret_basic',
    },
    clientInformation: () => ({ client_id: CLIENT.id, client_secret: CLIENT.secret }),
    tokens: () => tokens,
    saveTokens: (given) => {
      tokens = given;
    },
    redirectToAuthorization: open,
    saveCodeVerifier: (given) => {
      verifier = given;
    },
    codeVerifier: () => verifier,
  };
}

describe('the hub as a server of MCP', () => {
  const hub = forAllTests((atEnd) => startTestHub({}, atEnd));

  it.each(['2026', '2025'] as const)('answers the three steps to the official client of %s', async (era) => {
    const { call } = await connect(hub(), await hub().token('service:ci'), era);
    const found = await call('search', { query: 'proxy' });
    expect(found.text).toContain(`acme/platform:${PROXY.id} 2026-11-03 bugfix: ${PROXY.title}`);
    expect(found.text).toContain(`acme/importer:${BATCH.id}`);
    expect(found.text).not.toContain(SALARY.id);
    const around = await call('timeline', { anchor: `acme/platform:${PROXY.id}` });
    expect(around.text).toContain(`> acme/platform:${PROXY.id}`);
    const whole = await call('get_observations', { ids: [`acme/platform:${PROXY.id}`, `acme/payroll:${SALARY.id}`] });
    expect(whole.text).toContain(PROXY.narrative);
    expect(whole.text).toContain(`No such record, or not for you: acme/payroll:${SALARY.id}.`);
    expect(whole.text).not.toContain(SALARY.title);
  });

  it('has the tools of a checkout, with the same arguments', async () => {
    const { client } = await connect(hub(), await hub().token('service:ci'));
    const repository = createRepository();
    repository.write('.memory/config.yaml', '');
    const here = await connectMcpHere({ cwd: repository.root, env: repository.env });
    const [theirs, own] = [(await client.listTools()).tools, (await here.client.listTools()).tools];
    expect(theirs.map(({ name, inputSchema }) => ({ name, inputSchema }))).toEqual(
      own.map(({ name, inputSchema }) => ({ name, inputSchema })),
    );
  });

  it.each(['save_observation', 'save_summary', 'mark'])('refuses %s, and says how it is done', async (name) => {
    const { call } = await connect(hub(), await hub().token('service:all'));
    const { text, isError } = await call(name, { title: 'A thing', type: 'pin', ids: [PROXY.id] });
    expect(isError).toBe(true);
    expect(text).toContain('The hub writes nothing');
    expect(text).toContain('commit the record there');
  });

  it('says what is wrong with a call', async () => {
    const { call } = await connect(hub(), await hub().token('service:ci'));
    expect((await call('search', { limit: 'many' })).text).toContain('limit');
    expect((await call('timeline', { anchor: `acme/payroll:${SALARY.id}` })).text).toContain('not for you');
    expect((await call('timeline', {})).text).toContain('needs a centre');
    expect((await call('timeline', { query: 'salaries' })).text).toContain('Nothing found for the centre');
  });

  it('refuses a client without a token, and tells it where to ask', async () => {
    const response = await hub().get('/mcp', undefined, { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
    const at = /resource_metadata="([^"]+)"/.exec(response.headers.get('www-authenticate') ?? '')?.[1] ?? '';
    expect(await (await fetch(at)).json()).toMatchObject({
      resource: `${hub().url}/mcp`,
      bearer_methods_supported: ['header'],
    });
  });
});

describe('an access token of the issuer', () => {
  it('is what the official client gets by itself, from the address of the hub alone', async () => {
    const issuer = await startIssuer({ ada: { preferred_username: 'ada' } });
    issuer.person = 'ada';
    const access = [{ subject: `oidc:${issuer.url}#sub-ada`, repositories: ['acme/platform'], teams: [], all: false }];
    const hub = await startTestHub({ issuer, access });
    const back: string[] = [];
    const authProvider = keyring(async (address) => {
      const response = await fetch(address, { redirect: 'manual' });
      back.push(response.headers.get('location') ?? '');
    });
    const connecting = () => new StreamableHTTPClientTransport(new URL(`${hub.url}/mcp`), { authProvider });
    const client = () => new Client({ name: 'test', version: '1.0.0' });
    const first = connecting();
    await expect(client().connect(first)).rejects.toBeInstanceOf(UnauthorizedError);
    await first.finishAuth(new URL(back[0] ?? '').searchParams);
    const second = client();
    onTestFinished(() => second.close());
    await second.connect(connecting());
    const { content } = await second.callTool({ name: 'search', arguments: { query: 'proxy' } });
    expect(JSON.stringify(content)).toContain(PROXY.id);
    expect(JSON.stringify(content)).not.toContain(BATCH.id);
  });

  it('opens the hub for its person, if it was made for this hub', async () => {
    const issuer = await startIssuer({ ada: { preferred_username: 'ada' } });
    const access = [{ subject: `oidc:${issuer.url}#sub-ada`, repositories: ['acme/platform'], teams: [], all: false }];
    const hub = await startTestHub({ issuer, access });
    const metadata = await (await hub.get('/.well-known/oauth-protected-resource/mcp')).json();
    expect(metadata).toMatchObject({ authorization_servers: [issuer.url] });
    const made = (claims: Record<string, unknown>) => issuer.accessToken('ada', { aud: `${hub.url}/mcp`, ...claims });
    const { call } = await connect(hub, made({}));
    const { text } = await call('search', { query: 'proxy' });
    expect(text).toContain(PROXY.title);
    expect(text).not.toContain(BATCH.title);

    const status = async (token: string) => (await hub.get('/api/v1/me', token)).status;
    expect(await status(made({}))).toBe(200);
    expect(await status(made({ aud: 'another-client' }))).toBe(401);
    expect(await status(made({ aud: 'git-mem-hub' }))).toBe(401);
    expect(await status(made({ iss: 'https://other.example' }))).toBe(401);
    expect(await status(made({ exp: Math.floor(Date.now() / 1000) - 10 }))).toBe(401);
    expect(await status(made({ exp: undefined }))).toBe(401);
    const [header, payload] = made({}).split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    expect(await status(`${none}.${payload}.x`)).toBe(401);
    expect(await status(`${header}.${payload}.AAAA`)).toBe(401);
    issuer.forges = true;
    expect(await status(made({}))).toBe(401);
  });
});
