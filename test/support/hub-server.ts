import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Hub } from '../../src/hub/open.ts';
import type { TokenScope } from '../../src/hub/port.ts';
import type { RightsConfig } from '../../src/hub/rounds.ts';
import { startHub } from '../../src/hub/server/server.ts';
import { openLog, readServerSettings } from '../../src/hub/server/serving.ts';
import { type HubWorld, makeFolder, makeRemote, openWorld } from './hub-world.ts';
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

const REPOSITORIES = [
  { name: 'acme/platform', teams: ['core'], records: [PROXY] },
  { name: 'acme/importer', teams: ['core', 'data'], records: [BATCH] },
  { name: 'acme/payroll', teams: ['hr'], records: [SALARY] },
];

/** Who may read what in the configuration, unless a test says otherwise. */
const ACCESS: RightsConfig['access'] = [
  { subject: 'service:ci', repositories: ['acme/platform', 'acme/importer'], teams: [], all: false },
  { subject: 'service:all', repositories: [], teams: [], all: true },
];

/** A hub with three repositories, each with one record that names a proxy, and a server on it. */
export interface TestHub {
  hub: Hub;
  url: string;
  /** The time of the server and of what it confirms; the database has the machine's own. */
  clock: { now: Date };
  log(): Record<string, unknown>[];
  /** A new token of a subject. */
  token(subject: string, scopes?: TokenScope[]): Promise<string>;
  get(path: string, token?: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

interface Options {
  issuer?: Issuer;
  server?: object;
  access?: RightsConfig['access'];
  env?: Record<string, string>;
  /** How long ago the server's time is. */
  minutesAgo?: number;
}

// One database serves all test files of a process: opening it takes a second of CPU.
let opened: Promise<HubWorld> | undefined;

async function open(): Promise<HubWorld> {
  const folder = makeFolder((remove) => process.once('exit', remove));
  const remotes = REPOSITORIES.map(({ name, teams, records }) => {
    const remote = makeRemote(folder, name, records);
    return { ...remote, teams };
  });
  const world = await openWorld(folder, remotes, { atEnd: () => {} });
  const { problems } = await world.sync();
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return world;
}

/** Starts the server, with rights as if nobody had any before. */
export async function startTestHub(options: Options = {}, atEnd: AtEnd = onTestFinished): Promise<TestHub> {
  const { issuer, server = {}, access = ACCESS, env = {}, minutesAgo = 0 } = options;
  opened ??= open();
  const { hub, database } = await opened;
  await database.query('DELETE FROM access');
  const clock = { now: new Date(Date.now() - minutesAgo * 60_000) };
  const now = () => clock.now;
  let written = '';
  const out = new PassThrough().on('data', (chunk) => {
    written += chunk;
  });
  const sign_in = issuer && { issuer: issuer.url, client_id: CLIENT.id, client_secret_env: 'HUB_CLIENT_SECRET' };
  const repositories = REPOSITORIES.map(({ name, teams }) => ({
    id: name,
    url: `https://forge.example/${name}.git`,
    teams,
  }));
  const started = await startHub({
    hub,
    settings: readServerSettings({ port: 0, ...(sign_in && { sign_in }), ...server }),
    rights: () => ({ repositories, access }),
    auditDays: 90,
    env: { HUB_CLIENT_SECRET: CLIENT.secret, ...env },
    now,
    log: openLog(out, now),
  });
  await started.firstRound;
  atEnd(started.close);
  return {
    hub,
    url: started.url,
    clock,
    log: () =>
      written
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    async token(subject, scopes = ['read']) {
      const principal = await hub.principal(subject, subject);
      const expires = new Date(Date.now() + 86_400_000);
      return (await hub.createToken({ principal, name: subject, scopes, expires })).secret;
    },
    get(path, token, init = {}) {
      const headers = { ...(token && { authorization: `Bearer ${token}` }), ...init.headers };
      return fetch(`${started.url}${path}`, { redirect: 'manual', ...init, headers });
    },
    close: started.close,
  };
}
