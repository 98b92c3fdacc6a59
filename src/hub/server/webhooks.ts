import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { GitMemError } from '../../errors.ts';
import { isEqual } from '../../surfaces/viewer/guard.ts';
import { FORGES, type ForgeKind } from '../forge/open.ts';
import { json, nothing, Refusal } from './refusal.ts';
import { type Serving, secretIn } from './serving.ts';

/** Largest webhook that is read, in bytes: GitHub sends 25 MB at most, and even the largest may ask for a sync. */
export const LONGEST_WEBHOOK = 25_000_000;

/** Receives webhooks of the configured code hosts: one with a valid signature may ask for a sync or a round of rights. */
export function openWebhooks({ hub, settings, env, now, log, wantRights }: Serving) {
  const secrets = new Map(settings.forges.map((one) => [one.kind, secretIn(env, one.webhook_secret_env)]));
  return async (kind: string, request: Request): Promise<Response> => {
    const forge = FORGES.find((one) => one === kind);
    const secret = forge && secrets.get(forge);
    if (forge === undefined || secret === undefined) throw nothing();
    const delivery = {
      header: (name: string) => request.headers.get(name) ?? undefined,
      body: new Uint8Array(await request.arrayBuffer()),
    };
    const asked = readWebhook(forge, secret, delivery, now());
    if (asked === undefined) throw new Refusal(401, 'The webhook is not signed with the secret of this hub.');
    if (asked.wants === 'rights') wantRights();
    let requested = false;
    for (const name of asked.wants === 'nothing' ? [] : asked.repository) {
      requested ||= await hub.requestSync(name);
    }
    log.info('webhook', { forge, wants: asked.wants, repository: asked.repository[0], requested });
    return json(202, { wants: asked.wants, requested });
  };
}

/** A webhook as it arrived. */
interface Delivery {
  /** A header by its name in lower case. */
  header(name: string): string | undefined;
  /** The bytes that were signed. */
  body: Uint8Array;
}

/** What a webhook asks for: to sync a repository, or to confirm who may read. */
interface WebhookRequest {
  /** Names and addresses of the repository, any of which may be the configured one; empty if none is named. */
  repository: string[];
  wants: 'sync' | 'rights' | 'nothing';
}

/** Maximum age of a signed time, in seconds, as in the libraries of Standard Webhooks: limits replay of a recorded delivery. */
const TOLERANCE = 300;

/** Events after which other people may read, or the repository has another name. */
const OF_RIGHTS =
  /^(?:member|membership|team|team_add|organization|repository|public|installation_repositories|subgroup|user_|project_|group_)/;

/** Events after which a repository may hold other records. */
const OF_RECORDS = /^(?:push|create|delete|push hook|tag push hook)$/;

/** What a webhook with a valid signature asks for; undefined for any other. Throws bad-input if it is not JSON. */
export function readWebhook(
  forge: ForgeKind,
  secret: string,
  delivery: Delivery,
  now: Date,
): WebhookRequest | undefined {
  if (secret === '' || !isGenuine[forge](secret, delivery, now)) return undefined;
  const payload = parsed(delivery.body);
  const named = delivery.header(`x-${forge}-event`) ?? delivery.header('x-gitea-event') ?? '';
  // All system hooks of GitLab have the same header.
  const event = (named === 'System Hook' ? (payload.event_name ?? payload.object_kind ?? '') : named).toLowerCase();
  const wants = OF_RECORDS.test(event) ? 'sync' : OF_RIGHTS.test(event) ? 'rights' : 'nothing';
  const names = [payload.project, payload.repository].flatMap((one) => Object.values(one ?? {}));
  return { repository: [...new Set(names.filter((name) => typeof name === 'string'))], wants };
}

const isGenuine: Record<ForgeKind, (secret: string, delivery: Delivery, now: Date) => boolean> = {
  github: (secret, { header, body }) =>
    isEqual(header('x-hub-signature-256') ?? '', `sha256=${hmac(secret, body).toString('hex')}`),
  gitea: (secret, { header, body }) => isEqual(header('x-gitea-signature') ?? '', hmac(secret, body).toString('hex')),
  gitlab(secret, { header, body }, now) {
    const signatures = header('webhook-signature');
    if (signatures === undefined) return isEqual(header('x-gitlab-token') ?? '', secret);
    // https://www.standardwebhooks.com
    const [id, at] = [header('webhook-id') ?? '', header('webhook-timestamp') ?? ''];
    if (!(Math.abs(now.getTime() / 1000 - Number(at)) <= TOLERANCE)) return false;
    const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : secret;
    const expected = `v1,${hmac(key, Buffer.concat([Buffer.from(`${id}.${at}.`), body])).toString('base64')}`;
    return signatures.split(' ').some((one) => isEqual(one, expected));
  },
};

function hmac(key: string | Buffer, body: Uint8Array): Buffer {
  return createHmac('sha256', key).update(body).digest();
}

const address = z.optional(z.nullable(z.string()));
const payloadOf = z.object({
  event_name: z.optional(z.string()),
  object_kind: z.optional(z.string()),
  repository: z.optional(
    z.object({ full_name: address, clone_url: address, ssh_url: address, html_url: address, git_http_url: address }),
  ),
  project: z.optional(z.object({ path_with_namespace: address, git_http_url: address, git_ssh_url: address })),
});

function parsed(body: Uint8Array): z.infer<typeof payloadOf> {
  try {
    return payloadOf.parse(JSON.parse(Buffer.from(body).toString('utf8')));
  } catch {
    throw new GitMemError('bad-input', 'The webhook is not JSON of a known shape.', {
      hint: 'Choose application/json as its content type.',
    });
  }
}
