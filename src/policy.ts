import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULTS, isLockable, POLICY_IMPLIES, problemIn } from './config-schema.ts';
import { GitMemError, isSystemError, messageOf } from './errors.ts';
import { fieldsOf } from './json.ts';
import { changed } from './setting-tree.ts';
import { type Environment, stateFolder } from './user-folders.ts';

/** The settings that an organisation locks for its members, signed by it. */
export interface Policy {
  organisation: string;
  /** Grows with each change: an older one is refused. */
  version: number;
  /** ISO 8601. */
  issued: string;
  /** By dotted key. */
  settings: Record<string, unknown>;
}

/** The policy that this user obeys, as it is stored. */
export interface StoredPolicy {
  /** Where it came from. */
  url: string;
  /** The key that the user gave with the first one: only it signs later ones. */
  key: string;
  /** As it was fetched. */
  signed: string;
  /** ISO 8601. */
  fetched: string;
  policy: Policy;
}

/** Longest signed policy, in characters: bounds what a server can have every command read; a policy has some kilobytes. */
export const LONGEST_POLICY = 128 * 1024;

/** A JWS in its compact form, https://www.rfc-editor.org/rfc/rfc7515. */
const SIGNED = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;

/** The user's stored policy; undefined if there is none. Throws bad-config for one that cannot be read or was altered. */
export function storedPolicy(env: Environment): StoredPolicy | undefined {
  const path = policyPath(env);
  try {
    const stored: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const [signed, key] = [textIn(stored, 'signed'), textIn(stored, 'key')];
    const policy = verifiedPolicy(signed, key);
    return { url: textIn(stored, 'url'), key, signed, fetched: textIn(stored, 'fetched'), policy };
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw new GitMemError('bad-config', `The policy in ${path} cannot be used: ${messageOf(error)}`, {
      hint: 'Nothing is written without it. Run `git mem config policy fetch` again.',
    });
  }
}

/** Where the policy is stored: in the user's state, never in a checkout. */
export function policyPath(env: Environment): string {
  return join(stateFolder(env) ?? '/nonexistent', 'policy.json');
}

/**
 * The policy in a signed text; throws bad-input unless the key signed exactly this, and every setting in it is one that
 * a policy may lock.
 */
export function verifiedPolicy(signed: string, key: string): Policy {
  const [, header = '', payload = '', signature = ''] = SIGNED.exec(signed.trim().slice(0, LONGEST_POLICY)) ?? [];
  const isSigned =
    textIn(parsed(header), 'alg') === 'EdDSA' &&
    verify(null, Buffer.from(`${header}.${payload}`), publicKey(key), Buffer.from(signature, 'base64url'));
  if (!isSigned) throw new GitMemError('bad-input', 'It is not signed by the key that was given for it.');
  return policyOf(parsed(payload));
}

/** The value of a policy, checked; throws bad-input. */
export function policyOf(value: unknown): Policy {
  const [organisation, issued] = [textIn(value, 'organisation'), textIn(value, 'issued')];
  const { version, settings } = fieldsOf(value);
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1) {
    throw new GitMemError('bad-input', 'A policy has a version of 1 or more.');
  }
  if (organisation === '') throw new GitMemError('bad-input', 'A policy names its organisation.');
  if (typeof settings !== 'object' || settings === null) throw new GitMemError('bad-input', 'A policy has settings.');
  const locked: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(settings)) {
    if (!isLockable(key, one)) {
      throw new GitMemError('bad-input', `A policy cannot set "${key.slice(0, 80)}" to that.`, {
        hint: 'It may lock what is captured and redacted and which providers are used, never a program.',
      });
    }
    requireValid(key, one);
    Object.assign(locked, POLICY_IMPLIES[key]);
  }
  return { organisation, version, issued, settings: { ...locked, ...settings } };
}

/** A value that no client can use would lock nothing. */
function requireValid(key: string, value: unknown): void {
  const problem = problemIn(changed(DEFAULTS, key, value), key);
  if (problem !== undefined) throw new GitMemError('bad-input', `A policy cannot set "${key}": ${problem}.`);
}

/** The public key in its short form, the 32 bytes in base64url; throws bad-input. */
export function publicKey(key: string): KeyObject {
  try {
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' });
  } catch {
    throw new GitMemError('bad-input', 'The key is not a public Ed25519 key.', {
      hint: 'Give the 43 characters that `git mem config policy sign` prints.',
    });
  }
}

function parsed(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    throw new GitMemError('bad-input', 'It is not a signed policy.');
  }
}

/** The text of an object by its name; empty if it has none. */
function textIn(value: unknown, name: string): string {
  const found = fieldsOf(value)[name];
  return typeof found === 'string' ? found : '';
}
