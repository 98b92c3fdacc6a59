import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ForgeKind } from '../../src/hub/forge/open.ts';
import { readWebhook } from '../../src/hub/server/webhooks.ts';

const SECRET = 'correct horse battery staple';
const NOW = new Date('2026-11-25T12:00:00Z');

const PUSH = JSON.stringify({
  ref: 'refs/heads/main',
  repository: {
    full_name: 'acme/platform',
    clone_url: 'https://forge.example/acme/platform.git',
    ssh_url: 'git@forge.example:acme/platform.git',
  },
});
const GITLAB_PUSH = JSON.stringify({
  object_kind: 'push',
  project: { path_with_namespace: 'acme/platform', git_http_url: 'https://forge.example/acme/platform.git' },
});
const hmac = (text: string, secret: string | Buffer = SECRET) => createHmac('sha256', secret).update(text);

function read(forge: ForgeKind, headers: Record<string, string>, body: string, secret = SECRET) {
  return readWebhook(forge, secret, { header: (name) => headers[name], body: Buffer.from(body) }, NOW);
}

/** Deliveries as the hosts sign them. */
const SIGNED: Record<ForgeKind, (body: string, event?: string) => Record<string, string>> = {
  github: (body, event = 'push') => ({
    'x-github-event': event,
    'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    'x-hub-signature-256': `sha256=${hmac(body).digest('hex')}`,
  }),
  gitea: (body, event = 'push') => ({ 'x-gitea-event': event, 'x-gitea-signature': hmac(body).digest('hex') }),
  gitlab: (_, event = 'Push Hook') => ({ 'x-gitlab-event': event, 'x-gitlab-token': SECRET }),
};

/** GitLab's newer way, https://www.standardwebhooks.com. */
function standard(body: string, { at = NOW.getTime() / 1000, key = SECRET as string | Buffer } = {}) {
  const id = 'msg_1';
  return {
    'x-gitlab-event': 'Push Hook',
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,bm90IHRoaXMgb25l v1,${hmac(`${id}.${at}.${body}`, key).digest('base64')}`,
  };
}

describe('a webhook', () => {
  it.each(['github', 'gitea', 'gitlab'] as const)(
    'of %s with its signature asks for a sync of its repository',
    (forge) => {
      const body = forge === 'gitlab' ? GITLAB_PUSH : PUSH;
      const asked = read(forge, SIGNED[forge](body), body);
      expect(asked).toMatchObject({ wants: 'sync' });
      expect(asked?.repository).toContain('acme/platform');
      expect(asked?.repository).toContain('https://forge.example/acme/platform.git');
    },
  );

  it.each(['github', 'gitea', 'gitlab'] as const)(
    'of %s is refused unsigned, signed by another, and altered',
    (forge) => {
      const signed = SIGNED[forge](PUSH);
      const bare = Object.fromEntries(Object.entries(signed).filter(([name]) => /event/.test(name)));
      expect(read(forge, bare, PUSH)).toBeUndefined();
      expect(read(forge, signed, PUSH, 'another secret')).toBeUndefined();
      expect(read(forge, signed, PUSH, '')).toBeUndefined();
      if (forge !== 'gitlab') expect(read(forge, signed, PUSH.replace('platform', 'payments'))).toBeUndefined();
      for (const [name, value] of Object.entries(signed)) {
        if (!/event|delivery/.test(name)) expect(read(forge, { ...signed, [name]: `${value}0` }, PUSH)).toBeUndefined();
      }
    },
  );

  it('signed by the standard of webhooks counts for some minutes', () => {
    expect(read('gitlab', standard(GITLAB_PUSH), GITLAB_PUSH)).toMatchObject({ wants: 'sync' });
    const whsec = `whsec_${Buffer.from('0123456789abcdef').toString('base64')}`;
    const byKey = standard(GITLAB_PUSH, { key: Buffer.from('0123456789abcdef') });
    expect(read('gitlab', byKey, GITLAB_PUSH, whsec)).toMatchObject({ wants: 'sync' });
    const old = standard(GITLAB_PUSH, { at: NOW.getTime() / 1000 - 600 });
    expect(read('gitlab', old, GITLAB_PUSH)).toBeUndefined();
    const moved = { ...old, 'webhook-timestamp': String(NOW.getTime() / 1000) };
    expect(read('gitlab', moved, GITLAB_PUSH)).toBeUndefined();
    expect(read('gitlab', { ...standard(GITLAB_PUSH), 'webhook-timestamp': 'soon' }, GITLAB_PUSH)).toBeUndefined();
  });

  it('about people asks for the rights once more', () => {
    for (const event of ['member', 'membership', 'team', 'organization', 'repository', 'public']) {
      expect(read('github', SIGNED.github(PUSH, event), PUSH), event).toMatchObject({ wants: 'rights' });
    }
    const joined = JSON.stringify({
      event_name: 'user_add_to_team',
      project: { path_with_namespace: 'acme/platform' },
    });
    expect(read('gitlab', SIGNED.gitlab(joined, 'System Hook'), joined)).toMatchObject({ wants: 'rights' });
    expect(read('github', SIGNED.github(PUSH, 'star'), PUSH)).toMatchObject({ wants: 'nothing' });
  });

  it('that is signed and no JSON is an error of whoever set it up', () => {
    expect(() => read('github', SIGNED.github('payload=%7B%7D'), 'payload=%7B%7D')).toThrow('is not JSON');
  });
});
