import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { load } from 'js-yaml';
import * as z from 'zod/mini';
import { GitMemError, messageOf } from '../errors.ts';
import { packageRoot } from '../templates.ts';
import { dataFolder, type Environment } from '../user-folders.ts';

/** Far longer than any address or path; bounds what an error quotes. */
const text = () => z.string().check(z.minLength(1), z.maxLength(2000));
const NAME = /^[A-Za-z0-9][\w.-]*(\/[A-Za-z0-9][\w.-]*)*$/;
const name = () => z.string().check(z.regex(NAME, 'expected letters, digits, . - _ and /'), z.maxLength(200));
/** A positive integer; `most` is far above what a hub can use, and catches typos. */
const count = (most: number) => z.int().check(z.positive(), z.maximum(most));

const repository = () =>
  z
    .strictObject({
      /** Its name in the hub, such as payments/api. */
      id: name(),
      /** Where it is cloned from: https, ssh, git or file. */
      url: z.optional(text()),
      /** Or a folder on this machine. */
      path: z.optional(text()),
      teams: z._default(z.array(name()), []),
    })
    .check(z.refine(({ url, path }) => (url === undefined) !== (path === undefined), 'expected either url or path'));

const access = () =>
  z.strictObject({
    /** Who: `oidc:ISSUER#SUBJECT`, `github:ID`, `service:NAME`. */
    subject: text(),
    name: z.optional(text()),
    repositories: z._default(z.array(name()), []),
    /** All repositories of these teams. */
    teams: z._default(z.array(name()), []),
    /** Everything, for operators. */
    all: z._default(z.boolean(), false),
  });

/** What `hub.yaml` says. */
const schema = z.strictObject({
  /** postgres://USER@HOST/DATABASE; without it, PGlite in the folder. GIT_MEM_HUB_DATABASE wins. */
  database: z.optional(text()),
  /** Connections per process for readers' questions, and as many again for everything else; 10 is the driver's default. */
  connections: z._default(count(1000), 10),
  /** Holds the repositories being synced, and PGlite's database; relative to this file. */
  folder: z.optional(text()),
  repositories: z._default(z.array(repository()), []),
  /** Rights granted by this file; the server synchronises those of a forge. */
  access: z._default(z.array(access()), []),
  /** Keep one repository from filling the database or holding up the workers of the others. */
  limits: z.prefault(
    z.strictObject({
      records: z._default(count(1_000_000), 20_000),
      /** Megabytes of records in one repository; by default 5 KB per record. */
      megabytes: z._default(count(10_000), 100),
      /** Seconds that one sync of a repository may take, including its remote. */
      seconds: z._default(count(3600), 300),
    }),
    {},
  ),
  /** The model whose vectors find records by meaning, like the section of the same name in a user's settings. */
  embed: z.prefault(
    z.strictObject({
      provider: z._default(z.enum(['local', 'ollama', 'lmstudio', 'openai', 'voyage']), 'local'),
      model: z._default(z.string(), ''),
      base_url: z._default(z.string(), ''),
      api_key_env: z._default(z.string(), ''),
    }),
    {},
  ),
  /** Days that lines of the audit log are kept: a quarter of a year by default, ten years at most. */
  audit: z.prefault(z.strictObject({ days: z._default(count(3650), 90) }), {}),
  /** Seconds between polls of a repository that no webhook reports; each is one request to its remote. */
  poll_seconds: z._default(count(86_400), 600),
  /** Repositories that one worker syncs at once; a sync mostly waits for its remote. */
  concurrency: z._default(count(64), 4),
  /** The server's sections, for which it has its own schemas. */
  server: z.optional(z.record(z.string(), z.unknown())),
});

export type HubConfig = z.infer<typeof schema> & { folder: string };
export type HubLimits = HubConfig['limits'];

/** Largest configuration file that is read, in bytes: tens of thousands of repositories at a few hundred bytes each. */
const MAX_BYTES = 10_000_000;

/** Reads the configuration; its relative paths start at its folder. Throws bad-config with the first problem. */
export function readHubConfig(path: string, env: Environment): HubConfig {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    throw new GitMemError('bad-config', `The hub's configuration cannot be read: ${messageOf(error)}.`, {
      hint: `Name it with --config hub.yaml; ${join(packageRoot(), 'templates/hub/hub.yaml')} is an example.`,
    });
  }

  if (content.length > MAX_BYTES) throw new GitMemError('bad-config', `${path} is too large.`);
  const wrong = (problem: string) => new GitMemError('bad-config', `${path}: ${problem}.`);
  let tree: unknown;
  try {
    tree = load(content);
  } catch (error) {
    throw wrong(messageOf(error).split('\n')[0] ?? '');
  }
  const parsed = schema.safeParse(tree ?? {});
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw wrong(`${issue?.path.join('.') || 'the file'}: ${issue?.message}`);
  }
  const base = dirname(resolve(path));
  const { data } = parsed;
  const repeated = data.repositories.find(({ id }, i) => data.repositories.findIndex((one) => one.id === id) < i);
  if (repeated !== undefined) throw wrong(`the repository ${repeated.id} is named twice`);
  const database = env.GIT_MEM_HUB_DATABASE || data.database;
  return {
    ...data,
    ...(database !== undefined && { database }),
    folder: data.folder === undefined ? usualFolder(env) : resolve(base, data.folder),
    repositories: data.repositories.map(({ path, ...one }) => ({ ...one, ...(path && { path: resolve(base, path) }) })),
  };
}

function usualFolder(env: Environment): string {
  const data = dataFolder(env);
  if (data !== undefined) return join(data, 'hub');
  throw new GitMemError('bad-config', 'There is no home to keep the hub in.', { hint: 'Set "folder" in hub.yaml.' });
}
