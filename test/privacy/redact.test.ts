import { describe, expect, it } from 'vitest';
import { redactAll } from '../../src/privacy/redact.ts';
import { findWithSecretlint } from '../../src/privacy/secretlint.ts';
import { createRedactor } from '../../src/privacy/secrets.ts';
import { ALNUM, createDice } from './secret-corpus.ts';

const dice = createDice(5);
// Known to secretlint's rules and not to ours.
const VERCEL = `vc${'k'}_${dice.chars(ALNUM, 56)}`;
const GITHUB = `gh${'p'}_${dice.chars(ALNUM, 36)}`;
const PASSWORD = ['Winter', 'Berg2025x'].join('#');

describe('findWithSecretlint', () => {
  it('gives ranges and kinds', async () => {
    const text = `token ${GITHUB} end`;
    expect(await findWithSecretlint(text)).toEqual([{ start: 6, end: 6 + GITHUB.length, kind: 'github-token' }]);
  });

  it('is not switched off by a comment in the text', async () => {
    expect(await findWithSecretlint(`<!-- secretlint-disable -->\n${GITHUB}`)).toHaveLength(1);
  });

  it('leaves account numbers, and addresses without a secret, alone', async () => {
    expect(await findWithSecretlint('aws_account_id = 123456789012 at postgres://db.internal/app')).toEqual([]);
  });

  it('finds a secret that spans the edge of two windows', async () => {
    const text = `${'x '.repeat(49_980)}${GITHUB} and ${'y '.repeat(60_000)}${GITHUB}`;
    const starts = new Set((await findWithSecretlint(text)).map(({ start }) => start));
    expect([...starts]).toEqual([99_960, text.length - GITHUB.length]);
  });

  it.each([
    '',
    '\ud800',
    '\0\0',
    '\ufeff',
    'a'.repeat(300_000),
    '-----BEGIN RSA PRIVATE KEY-----'.repeat(2_000),
    'xoxb-'.repeat(20_000),
  ])('handles odd text (case %#)', async (text) => {
    expect(Array.isArray(await findWithSecretlint(text))).toBe(true);
  });
});

describe('redactAll', () => {
  it('adds secretlint’s findings to those of our own rules', async () => {
    // Behind a slash our own rules take it for a part of a path.
    expect(createRedactor().redact(`keys/${VERCEL}`)).toContain(VERCEL);
    const redacted = await redactAll(`SMTP_PASSWORD=${PASSWORD} and keys/${VERCEL}`, createRedactor());
    expect(redacted).toBe('SMTP_PASSWORD=[redacted:password] and keys/[redacted:vercel-ai-gateway-api-key]');
  });

  it('remembers what secretlint found', async () => {
    const redactor = createRedactor();
    await redactAll(`keys/${VERCEL}`, redactor);
    expect(redactor.redact(`again x${VERCEL}x`)).not.toContain(VERCEL);
  });

  it('changes nothing when it is run on its own output', async () => {
    const redactor = createRedactor();
    const once = await redactAll(`postgres://app:${PASSWORD}@db/x ${GITHUB} ${VERCEL}`, redactor);
    expect(await redactAll(once, createRedactor())).toBe(once);
  });
});
