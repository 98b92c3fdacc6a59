import { parse } from 'node:path';
import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Hub } from '../../src/hub/port.ts';
import type { RightsConfig } from '../../src/hub/rights.ts';
import { openLog } from '../../src/surfaces/hub/log.ts';
import { startHub } from '../../src/surfaces/hub/server.ts';
import { readServerSettings } from '../../src/surfaces/hub/settings.ts';
import { standIn } from './hub-stand-in.ts';
import { CLIENT, type Issuer } from './oidc-issuer.ts';
import type { AtEnd } from './set-up.ts';
import { observationOf } from './written-records.ts';

export const PROXY = observationOf({
  id: 'k3v9x2qd7m',
  type: 'bugfix',
  title: 'The proxy drops connections that idle for 60 seconds',
  narrative: 'Keep-alive of the proxy is shorter than that of the pool.',
  concepts: ['proxy'],
  generated: { by: 'claude-code/2.1.0', at: '2026-11-03T08:00:00.000Z' },
});
export const BATCH = observationOf({
  id: 'm8c4r7t2wp',
  type: 'decision',
  title: 'The importer sends rows in batches of 500',
  narrative: 'More than that and the proxy answers 413.',
  generated: { by: 'claude-code/2.1.0', at: '2026-11-05T08:00:00.000Z' },
});
export const SALARY = observationOf({
  id: 'p8w2m4ta1c',
  type: 'decision',
  title: 'Salaries are computed behind the payroll proxy',
  narrative: 'The nightly job of the payroll runs at three.',
  generated: { by: 'claude-code/2.1.0', at: '2026-11-07T08:00:00.000Z' },
});

export interface TestHub {
  hub: Hub;
  url: string;
  config: RightsConfig & { repositories: { id: string; url?: string; teams: string[] }[] };
  clock: { now: Date };
  log: () => Record<string, unknown>[];
  token(subject: string, scopes?: ('read' | 'sync' | 'metrics')[]): Promise<string>;
  get(path: string, token?: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

export const ACCESS: RightsConfig['access'] = [
  { subject: 'service:ci', repositories: ['acme/platform', 'acme/importer'], teams: [], all: false },
  { subject: 'service:all', repositories: [], teams: [], all: true },
  { subject: 'service:platform', repositories: [], teams: ['core'], all: false },
];

export async function startTestHub(
  {
    issuer,
    server = {},
    access = ACCESS,
    env = {},
  }: { issuer?: Issuer; server?: object; access?: RightsConfig['access']; env?: Record<string, string> } = {},
  atEnd: AtEnd = onTestFinished,
): Promise<TestHub> {
  const clock = { now: new Date() };
  const now = () => clock.now;
  const records = { 'acme/platform': [PROXY], 'acme/importer': [BATCH], 'acme/payroll': [SALARY] };
  const teams: Record<string, string[]> = {
    'acme/platform': ['core'],
    'acme/importer': ['core', 'data'],
    'acme/payroll': ['hr'],
  };
  const hub = standIn(
    Object.fromEntries(Object.entries(records).map(([name, records]) => [name, { teams: teams[name] ?? [], records }])),
    now,
  );
  const config = {
    repositories: Object.keys(records).map((id) => ({
      id,
      url: `https://forge.example/${id}.git`,
      teams: teams[id] ?? [],
    })),
    access,
  };
  const out = new PassThrough();
  let written = '';
  out.on('data', (chunk) => (written += chunk));
  const sign_in = issuer && { issuer: issuer.url, client_id: CLIENT.id, client_secret_env: 'HUB_CLIENT_SECRET' };
  const started = await startHub({
    hub,
    settings: readServerSettings({ port: 0, ...(sign_in && { sign_in }), ...server }),
    rights: () => config,
    configPath: parse(process.cwd()).root,
    env: { HUB_CLIENT_SECRET: CLIENT.secret, ...env },
    now,
    log: openLog(out, now),
  });
  await started.firstRound;
  atEnd(async () => {
    await started.close();
    await hub.close();
  });
  return {
    hub,
    url: started.url,
    config,
    clock,
    log: () =>
      written
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    async token(subject, scopes = ['read']) {
      const principal = await hub.principal(subject, subject);
      const expires = new Date(clock.now.getTime() + 86_400_000);
      return (await hub.createToken({ principal, name: subject, scopes, expires })).secret;
    },
    get: (path, token, init = {}) =>
      fetch(`${started.url}${path}`, {
        redirect: 'manual',
        ...init,
        headers: { ...(token && { authorization: `Bearer ${token}` }), ...init.headers },
      }),
    close: started.close,
  };
}
