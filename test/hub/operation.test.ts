import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { readHubConfig } from '../../src/hub/config.ts';
import { readServerSettings, SERVER_SCHEMA } from '../../src/surfaces/hub/settings.ts';

const read = (name: string) => readFileSync(`templates/hub/${name}`, 'utf8');

describe('the files that start a hub', () => {
  it('have a configuration that the hub takes', () => {
    const config = readHubConfig('templates/hub/hub.yaml', { HOME: '/nonexistent' });
    const { sign_in, forges, url } = readServerSettings(config.server);
    expect(config.repositories.map(({ id }) => id)).toEqual(['acme/platform', 'acme/importer']);
    expect([url, sign_in?.login_claim, forges[0]?.kind]).toEqual(['https://hub.example.com', 'github_login', 'github']);
  });

  it('give each secret of the configuration to the container', () => {
    const compose = load(read('compose.yaml')) as {
      services: Record<string, { environment?: object; command?: string[] }>;
    };
    expect(Object.keys(compose.services)).toEqual(['database', 'worker', 'server']);
    const given = Object.keys(compose.services.server?.environment ?? {});
    const named = [...read('hub.yaml').matchAll(/_env: (\w+)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(2);
    expect(given).toEqual(expect.arrayContaining(named));
    expect(read('Containerfile')).toMatch(/^USER node$/m);
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
