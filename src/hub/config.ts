import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { load } from 'js-yaml';
import * as z from 'zod/mini';
import { GitMemError, messageOf } from '../errors.ts';
import { packageRoot } from '../templates.ts';
import { dataFolder, type Environment } from '../user-folders.ts';

/** Far longer than any address or path: it bounds what an error repeats. */
const text = () => z.string().check(z.minLength(1), z.maxLength(2000));
const NAME = /^[A-Za-z0-9][\w.-]*(\/[A-Za-z0-9][\w.-]*)*$/;
const name = () => z.string().check(z.regex(NAME, 'expected letters, digits, . - _ and /'), z.maxLength(200));
/** A whole number; `most` is far above what a hub can use, and catches slips of the keyboard. */
const count = (most: number) => z.int().check(z.positive(), z.maximum(most));

const repository = () =>
  z
    .strictObject({
      /** Its name in the hub, such as payments/api. */
      id: name(),
      /** Where it is cloned from: https, ssh, git or file. */
      url: z.optional(text()),
      /** Or a folder of this machine. */
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
    /** Everything, as operators see it. */
    all: z._default(z.boolean(), false),
  });

/** What `hub.yaml` says. */
const schema = z.strictObject({
  /** postgres://USER@HOST/DATABASE; without it, PGlite in the folder. GIT_MEM_HUB_DATABASE wins. */
  database: z.optional(text()),
  /** Connections of one process for questions, and as many for all else: the driver's own default. */
  connections: z._default(count(1000), 10),
  /** What is being synced, and the database without a server; relative to the file. */
  folder: z.optional(text()),
  repositories: z._default(z.array(repository()), []),
  /** Rights from this file; those of a forge are synchronised by the server. */
  access: z._default(z.array(access()), []),
  /** So that one repository can neither fill the database nor hold up the workers of the others. */
  limits: z.prefault(
    z.strictObject({
      records: z._default(count(1_000_000), 20_000),
      /** Megabytes of records in one repository: 5 KB for each of them by default. */
      megabytes: z._default(count(10_000), 100),
      /** Seconds that one sync of a repository may take, its remote included. */
      seconds: z._default(count(3600), 300),
    }),
    {},
  ),
  /** The model whose vectors find records by meaning, as the section of the same name in a user's settings. */
  embed: z.prefault(
    z.strictObject({
      provider: z._default(z.enum(['local', 'ollama', 'lmstudio', 'openai', 'voyage']), 'local'),
      model: z._default(z.string(), ''),
      base_url: z._default(z.string(), ''),
      api_key_env: z._default(z.string(), ''),
    }),
    {},
  ),
  /** Days that lines of the audit log are stored: a quarter of a year, or up to ten years. */
  audit: z.prefault(z.strictObject({ days: z._default(count(3650), 90) }), {}),
  /** Seconds between two looks at a repository that no webhook reports: each is one request to its remote. */
  poll_seconds: z._default(count(86_400), 600),
  /** Repositories that one worker syncs at once: most of a sync is waiting for a remote. */
  concurrency: z._default(count(64), 4),
  /** Sections of the server, which has schemas of its own. */
  server: z.optional(z.record(z.string(), z.unknown())),
});

export type HubConfig = z.infer<typeof schema> & { folder: string };
export type HubLimits = HubConfig['limits'];

/** Largest configuration file that is read, in bytes: tens of thousands of repositories, at some hundred bytes each. */
const MAX_BYTES = 10_000_000;

/** Reads the configuration, in which relative paths begin at the file. Throws bad-config with the first thing that is wrong. */
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
