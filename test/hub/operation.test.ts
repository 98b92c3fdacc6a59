import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod/mini';
import { readHubConfig } from '../../src/hub/config.ts';
import { readServerSettings, SERVER_SCHEMA } from '../../src/hub/server/serving.ts';
import { COMMANDS } from '../../src/program.ts';
import { openProgram } from '../../src/surfaces/cli/run.ts';
import { startTestHub } from '../support/hub-server.ts';

const read = (name: string) => readFileSync(`templates/hub/${name}`, 'utf8');

interface Service {
  build?: string;
  environment?: Record<string, string>;
  command?: string[];
  volumes?: string[];
  ports?: string[];
  depends_on?: object;
  restart?: string;
  healthcheck?: { test: string[] };
}

const compose = load(read('compose.yaml')) as {
  services: Record<string, Service>;
  volumes: object;
};
const { services } = compose;
const all = Object.values(services);
const container = read('Dockerfile');
const lineOf = (key: string) => new RegExp(`^${key} (.*)$`, 'm').exec(container)?.[1] ?? '';
const healthOf = (name: string) => services[name]?.healthcheck?.test ?? [];

describe('the files that start a hub', () => {
  it('have a configuration that the hub takes', () => {
    const config = readHubConfig('templates/hub/hub.yaml', { HOME: '/nonexistent' });
    const { sign_in, forges, url } = readServerSettings(config.server);
    expect(config.repositories.map(({ id }) => id)).toEqual(['acme/platform', 'acme/importer']);
    expect([url, sign_in?.login_claim, forges[0]?.kind]).toEqual(['https://hub.example.com', 'github_login', 'github']);
  });

  it('name files and volumes that there are', () => {
    // What is built from a folder is its Dockerfile, by any engine.
    expect(all.flatMap(({ build }) => build ?? [])).toEqual(['.', '.']);
    expect(lineOf('COPY')).toBe('git-mem.tgz /tmp/');
    expect(readFileSync('docs/hub.md', 'utf8')).toContain('mv "$(npm pack --silent)" ../hub/git-mem.tgz');
    const sources = all.flatMap(({ volumes = [] }) => volumes).map((one) => one.split(':')[0] ?? '');
    expect(sources.length).toBeGreaterThan(3);
    const [files, volumes] = [true, false].map((isFile) => sources.filter((one) => one.startsWith('./') === isFile));
    expect(files?.filter((one) => !existsSync(join('templates/hub', one)))).toEqual([]);
    expect(Object.keys(compose.volumes).sort()).toEqual(volumes?.sort());
  });

  it('let the worker and the server find the database, and start again with it', () => {
    const { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD } = services.database?.environment ?? {};
    const address = `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@database/${POSTGRES_DB}`;
    for (const name of ['worker', 'server']) {
      const { environment = {}, depends_on } = services[name] ?? {};
      const env = { ...environment, HOME: '/nonexistent' };
      expect(readHubConfig('templates/hub/hub.yaml', env).database).toBe(address);
      expect(depends_on).toEqual({ database: { condition: 'service_healthy' } });
    }
    expect(readFileSync('docs/hub.md', 'utf8')).toContain('echo "HUB_DATABASE_PASSWORD=');
    expect(POSTGRES_PASSWORD).toBe('${HUB_DATABASE_PASSWORD:?}');
    // A new volume is filled by a server that has a socket alone: on the socket the database would be ready too early.
    expect(healthOf('database').join(' ')).toBe(`CMD pg_isready --host 127.0.0.1 --username ${POSTGRES_USER}`);
    expect(all.map(({ restart }) => restart)).toEqual(Array(3).fill('unless-stopped'));
  });

  it('agree on the port', () => {
    const { port, host } = readServerSettings(readHubConfig('templates/hub/hub.yaml', { HOME: '/nonexistent' }).server);
    expect(host).toBe('0.0.0.0');
    expect(services.server?.ports).toEqual([`127.0.0.1:${port}:${port}`]);
    expect(lineOf('EXPOSE')).toBe(`${port}`);
    expect(healthOf('server').join(' ')).toContain(`http://127.0.0.1:${port}/ready`);
  });

  it('give each secret of the configuration to the container', () => {
    expect(Object.keys(services)).toEqual(['database', 'worker', 'server']);
    const given = Object.keys(services.server?.environment ?? {});
    const named = [...read('hub.yaml').matchAll(/_env: (\w+)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(2);
    expect(given).toEqual(expect.arrayContaining(named));
    expect(container).toMatch(/^USER node$/m);
  });

  it('run commands that there are, with the configuration that is mounted', async () => {
    const { program } = await openProgram([], process, COMMANDS);
    const hub = program.commands.find((command) => command.name() === 'hub');
    const [entry = [], usual = []] = ['ENTRYPOINT', 'CMD'].map((key) => JSON.parse(lineOf(key)) as string[]);
    expect(entry).toEqual(['tini', '--', 'git-mem', 'hub']);
    const started = [usual, services.worker?.command ?? [], services.server?.command ?? []];
    expect(started.map(([name]) => name)).toEqual(['serve', 'worker', 'serve']);
    for (const [name, ...args] of started) {
      const command = hub?.commands.find((one) => one.name() === name);
      expect(command?.parseOptions(args)).toEqual({ operands: [], unknown: [] });
      for (const { volumes } of [services.worker, services.server].map((one) => one ?? {}))
        expect(volumes).toContain(`./hub.yaml:${command?.opts().config}:ro`);
    }
  });

  it('install every package that a hub on PostgreSQL needs', () => {
    const { peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      peerDependencies: Record<string, string>;
    };
    const others = ['@electric-sql/pglite'];
    const needed = Object.entries(peerDependencies).filter(([name]) => !others.includes(name));
    const installed = /git-mem\.tgz (.+?) \\$/m.exec(container)?.[1]?.split(' ').sort();
    expect(installed).toEqual(needed.map(([name, range]) => `${name}@${/\d+/.exec(range)?.[0]}`).sort());
  });

  it('sync in a folder that the user of the container may write', () => {
    const folder = /XDG_DATA_HOME=(\S+)/.exec(container)?.[1] ?? '';
    expect(lineOf('RUN install')).toBe(`--directory --owner=node --group=node ${folder}`);
    const config = readHubConfig('templates/hub/hub.yaml', { HOME: '/home/node', XDG_DATA_HOME: folder });
    expect(config.folder).toBe(`${folder}/git-mem/hub`);
  });

  it('know when the server is ready', async () => {
    const hub = await startTestHub({ server: { url: 'https://hub.example.com' } });
    const [kind, ...command] = healthOf('server');
    expect(kind).toBe('CMD');
    const [program = '', ...args] = command.map((one) => one.replace('http://127.0.0.1:8080', hub.url));
    const check = () => new Promise((done) => spawn(program, args, { stdio: 'ignore' }).once('close', done));
    expect(await check()).toBe(0);
    await hub.close();
    expect(await check()).toBe(1);
  });

  it('let git clone with the token of the code host, there alone', () => {
    const home = mkdtempSync(join(tmpdir(), 'git-mem-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    copyFileSync('templates/hub/gitconfig', join(home, '.gitconfig'));
    expect(services.worker?.volumes).toContain('./gitconfig:/home/node/.gitconfig:ro');
    const env = { PATH: process.env.PATH, HOME: home, GIT_TERMINAL_PROMPT: '0', HUB_GITHUB_TOKEN: 'ghs_1' };
    const ask = (host: string) => {
      const input = `protocol=https\nhost=${host}\n\n`;
      return execFileSync('git', ['credential', 'fill'], { env, input, encoding: 'utf8', stdio: 'pipe' });
    };
    expect(ask('github.com')).toBe('protocol=https\nhost=github.com\nusername=x-access-token\npassword=ghs_1\n');
    expect(() => ask('evil.example')).toThrow('terminal prompts disabled');
  });
});

it('every setting of the server stands in docs/hub.md', () => {
  const docs = readFileSync('docs/hub.md', 'utf8');
  const names = (schema: unknown): string[] => {
    const { properties = {}, items } = schema as { properties?: Record<string, unknown>; items?: unknown };
    return [
      ...Object.entries(properties).flatMap(([name, one]) => [name, ...names(one)]),
      ...(items ? names(items) : []),
    ];
  };
  const all = names(z.toJSONSchema(SERVER_SCHEMA, { io: 'input' }));
  expect(all.length).toBeGreaterThan(20);
  expect(all.filter((name) => !docs.includes(name))).toEqual([]);
});
