import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { load } from 'js-yaml';
import type { Config } from '../config.ts';
import { GitMemError, messageOf } from '../errors.ts';
import { replaceFile } from '../memory/store/atomic.ts';
import {
  LONGEST_POLICY,
  type Policy,
  policyOf,
  policyPath,
  publicKey,
  type StoredPolicy,
  storedPolicy,
  verifiedPolicy,
} from '../policy.ts';
import type { Environment } from '../user-folders.ts';

/** A person waits for it, and a proxy may be slow. */
const TIMEOUT_MS = 30_000;

export interface FetchedPolicy {
  stored: StoredPolicy;
  /** Whether it differs from the one before. */
  isNew: boolean;
}

/**
 * Fetches the policy, checks it and obeys it from now on. Without an address it is the one of the policy before, whose
 * key no fetch changes. Throws bad-input for a wrong signature or an older version: the one before stays.
 */
export async function fetchPolicy(
  { url, key, hub }: { url?: string | undefined; key?: string | undefined; hub: Config['hub'] },
  env: Environment,
  now: Date,
): Promise<FetchedPolicy> {
  const before = usablePolicy(env);
  const address = url ?? before?.url;
  const signer = key ?? before?.key;
  if (address === undefined || signer === undefined) {
    throw new GitMemError('bad-input', 'The first policy needs its address and its key.', {
      hint: 'git mem config policy fetch https://hub.example/policy --key KEY, as your organisation says.',
    });
  }
  publicKey(signer);
  if (before !== undefined && before.key !== signer) {
    throw new GitMemError('bad-input', `The policy of ${before.policy.organisation} has another key.`, {
      hint: '`git mem config policy forget` first, if your organisation really changed it.',
    });
  }
  const signed = await download(address, hub, env);
  const policy = verifiedPolicy(signed, signer);
  refuseOlder(policy, signed, before);
  const stored: StoredPolicy = { url: address, key: signer, signed, fetched: now.toISOString(), policy };
  const { policy: _, ...kept } = stored;
  replaceFile(policyPath(env), `${JSON.stringify(kept, null, 2)}\n`);
  return { stored, isNew: before?.signed !== signed };
}

/** Obeys no policy any more; returns the one that was obeyed. */
export function forgetPolicy(env: Environment): Policy | undefined {
  const before = usablePolicy(env);
  rmSync(policyPath(env), { force: true });
  return before?.policy;
}

/** Signs a policy that an administrator wrote in YAML; returns it with the public key that members give once. */
export function signPolicy(path: string, keyFile: string, now: Date): { signed: string; key: string; policy: Policy } {
  const value: unknown = load(readText(path), { maxAliases: 0 });
  const policy = policyOf({ issued: now.toISOString(), ...(typeof value === 'object' ? value : {}) });
  const secret = privateKey(readText(keyFile), keyFile);
  const { x = '' } = createPublicKey(secret).export({ format: 'jwk' });
  const [header, payload] = [{ alg: 'EdDSA', typ: 'git-mem-policy' }, policy].map((part) => {
    return Buffer.from(JSON.stringify(part)).toString('base64url');
  });
  const text = `${header}.${payload}`;
  const signed = `${text}.${sign(null, Buffer.from(text), secret).toString('base64url')}`;
  return { signed, key: x, policy: verifiedPolicy(signed, x) };
}

/** A stored policy that was altered may be replaced by a good one, under the same rules as the first. */
function usablePolicy(env: Environment): StoredPolicy | undefined {
  try {
    return storedPolicy(env);
  } catch {
    return undefined; // Every other command reports it.
  }
}

function refuseOlder(policy: Policy, signed: string, before: StoredPolicy | undefined): void {
  if (before === undefined || policy.version > before.policy.version) return;
  if (policy.version === before.policy.version && signed.trim() === before.signed.trim()) return;
  const message = `Version ${policy.version} of the policy is refused: version ${before.policy.version} is obeyed here.`;
  throw new GitMemError('bad-input', message, { hint: 'A changed policy needs a higher version.' });
}

async function download(address: string, hub: Config['hub'], env: Environment): Promise<string> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isLoopback = url?.hostname === '127.0.0.1' || url?.hostname === 'localhost';
  if (url === undefined || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback))) {
    throw new GitMemError('bad-input', 'A policy is fetched by https.');
  }
  let response: Response;
  try {
    // The token is for the hub alone.
    const isHub = URL.canParse(hub.url) && new URL(hub.url).origin === url.origin;
    const token = isHub ? env[hub.token_env]?.trim() : undefined;
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    throw new GitMemError('provider', `${url.host} was not reached: ${messageOf(error)}.`);
  }
  const text = response.ok ? await response.text() : '';
  if (!response.ok) throw new GitMemError('provider', `${url.host} answered ${response.status}.`);
  if (text.length > LONGEST_POLICY) throw new GitMemError('too-large', 'That is too long for a policy.');
  return text.trim();
}

function privateKey(pem: string, path: string) {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // The same message: it is no such key.
  }
  throw new GitMemError('bad-input', `${path} is not a private Ed25519 key.`, {
    hint: 'Make one: openssl genpkey -algorithm ed25519 -out policy-key.pem',
  });
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new GitMemError('bad-input', `${path} cannot be read: ${messageOf(error)}.`);
  }
}
