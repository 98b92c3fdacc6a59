import { createHash, randomBytes } from 'node:crypto';

/** A new secret with 256 random bits; the prefix lets scanners recognise one that leaked. */
export function newSecret(kind: 'token' | 'session'): string {
  return `gmh_${kind[0]}_${randomBytes(32).toString('base64url')}`;
}

/** What is stored of a secret. It is random, so a fast hash is as good as a slow one. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
