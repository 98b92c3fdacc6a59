import type { Writable } from 'node:stream';
import type { Context } from 'hono';
import * as z from 'zod/mini';
import { GitMemError } from '../../errors.ts';
import type { Environment } from '../../user-folders.ts';
import { FORGES, type ForgeKind } from '../forge/open.ts';
import type { Hub } from '../open.ts';
import type { Metrics } from './metrics.ts';

/** What every part of the server works with. */
export interface Serving {
  hub: Hub;
  settings: ServerSettings;
  env: Environment;
  /** The address that people and agents use, without a path. */
  origin: URL;
  now: () => Date;
  log: Log;
  metrics: Metrics;
  /** False while the server ends: it takes no new work. */
  isOpen(): boolean;
  /** The address that a request comes from. */
  peerOf(context: Context): string;
  /** Asks for a round of rights soon. */
  wantRights(): void;
}

/** Tells whether the address is on this machine only: there is no https then. */
export function isLoopback({ hostname }: URL): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
}

export type Log = ReturnType<typeof openLog>;

/** Writes JSON lines for programs to read. */
export function openLog(stream: Writable, now: () => Date) {
  const write =
    (level: string) =>
    (event: string, fields: Record<string, string | number | boolean | undefined> = {}) =>
      void stream.write(`${JSON.stringify({ at: now().toISOString(), level, event, ...fields })}\n`);
  return { info: write('info'), error: write('error') };
}

const text = () => z.string().check(z.minLength(1));
const variable = () => z.string().check(z.regex(/^[A-Za-z_]\w*$/, 'expected the name of an environment variable'));
const address = () => z.url('expected an address');

const SIGN_IN = z.strictObject({
  /** The issuer of OpenID Connect. */
  issuer: address(),
  client_id: text(),
  client_secret_env: z.optional(variable()),
  scopes: z._default(z.array(text()), ['openid', 'profile']),
  /** The claim with the login name on the code host. People must not be able to choose it. */
  login_claim: z._default(text(), 'preferred_username'),
  /** Audiences of access tokens that agents bring; by default the address of /mcp and the origin. */
  audience: z._default(z.array(text()), []),
});

const FORGE = z.strictObject({
  kind: z.enum(FORGES),
  /** The API's address; by default that of github.com or gitlab.com. */
  api: z.optional(address()),
  /** The host in the addresses of its repositories; by default that of the API. */
  host: z.optional(text()),
  /** Holds a token that may read the members of every repository. */
  token_env: z.optional(variable()),
  webhook_secret_env: z.optional(variable()),
  /** Whether repositories that it calls internal are open to everybody signed in. */
  internal_for_all: z._default(z.boolean(), false),
});

/** The section `server` of hub.yaml. Secrets are in the environment; the file names the variables. */
export const SERVER_SCHEMA = z.strictObject({
  /** The address that people and agents use; by default that of this machine. */
  url: z.optional(address()),
  host: z._default(text(), '127.0.0.1'),
  /** 8080 is the usual port of a server behind a proxy. */
  port: z._default(z.int().check(z.gte(0), z.lte(65_535)), 8080),
  /** Requests per minute for one token or person: four a second, which no person and few agents reach. */
  requests_per_minute: z._default(z.int().check(z.positive()), 240),
  /** Addresses of the proxies in front; limits count the address that their X-Forwarded-For names. */
  proxies: z._default(z.array(text()), []),
  /** How long a person stays signed in: a working day, at most a month. */
  session_hours: z._default(z.int().check(z.gte(1), z.lte(720)), 12),
  sign_in: z.optional(SIGN_IN),
  /** Code hosts that say who may read what. */
  forges: z._default(z.array(FORGE), []),
  /**
   * Minutes between two rounds that ask who may read what; 0 on servers that leave it to another one. A confirmation counts
   * for an hour, so at most 30: one round may fail.
   */
  rights_minutes: z._default(z.int().check(z.gte(0), z.lte(30)), 10),
});

export type ServerSettings = z.infer<typeof SERVER_SCHEMA>;
export type SignInSettings = z.infer<typeof SIGN_IN>;

/** Reads the section; throws bad-config with the first problem. */
export function readServerSettings(section: unknown): ServerSettings {
  const result = SERVER_SCHEMA.safeParse(section ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new GitMemError('bad-config', `server.${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}.`, {
    hint: 'docs/hub.md lists every setting.',
  });
}

/** Reads a secret from the variable that the settings name; throws bad-config if it is not set. */
export function secretIn(env: Environment, name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const value = env[name];
  if (value) return value;
  throw new GitMemError('bad-config', `The environment variable ${name} is not set.`, { hint: 'hub.yaml names it.' });
}

/** Default API address of each kind of code host. */
export const FORGE_API: Record<ForgeKind, string | undefined> = {
  github: 'https://api.github.com',
  gitlab: 'https://gitlab.com/api/v4',
  gitea: undefined,
};
