import { FORGES } from '../forge/forge.ts';
import { readWebhook } from '../forge/webhook.ts';
import { json, Refusal } from './refusal.ts';
import type { Serving } from './serving.ts';
import { secretIn } from './settings.ts';

/** Largest webhook that is read, in bytes: GitHub sends 25 MB at most, and what is needed comes in all of them. */
export const LONGEST_WEBHOOK = 25_000_000;

/** Takes webhooks of the configured code hosts: each with a valid signature asks for a sync or for a round of rights. */
export function openWebhooks(
  { hub, settings, env, now, log }: Serving,
  wantRights: () => void,
): (kind: string, request: Request) => Promise<Response> {
  const secrets = new Map(settings.forges.map((one) => [one.kind, secretIn(env, one.webhook_secret_env)]));
  return async (kind, request) => {
    const forge = FORGES.find((one) => one === kind);
    const secret = forge && secrets.get(forge);
    if (forge === undefined || secret === undefined) throw new Refusal(404, 'There is nothing at this address.');
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
