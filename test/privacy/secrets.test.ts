import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/privacy/secrets.ts';
import { runs } from '../support/trials.ts';
import { redactSecrets } from './redact-secrets.ts';
import { ALNUM, createDice, pem } from './secret-corpus.ts';
import { WRITTEN_SECRETS } from './written-secrets.ts';

const it = test.extend('redactor', () => createRedactor());

const dice = createDice(11);
const PASSWORD = ['pW', '7hT2q9Xr'].join('-');
const TOKEN = `gh${'p'}_${dice.chars(ALNUM, 36)}`;

describe('redactSecrets', () => {
  it.each([
    ['an env dump', `SMTP_PASSWORD=${PASSWORD}\nPORT=1`, 'SMTP_PASSWORD=[redacted:password]\nPORT=1'],
    ['an address', `postgres://app:${PASSWORD}@db:5432/x`, 'postgres://app:[redacted:url-password]@db:5432/x'],
    ['a header', `-H "Authorization: Bearer ${TOKEN}"`, '-H "Authorization: Bearer [redacted:github-token]"'],
    ['JSON', JSON.stringify({ password: PASSWORD }), '{"password":"[redacted:password]"}'],
    ['escaped JSON', '{\\"password\\":\\"'.concat(PASSWORD, '\\"}'), '{\\"password\\":\\"[redacted:password]\\"}'],
    ['a connection string', `Server=db;Pwd=${PASSWORD};Encrypt=True`, 'Server=db;Pwd=[redacted:password];Encrypt=True'],
    ['a query', `/v1?api_key=${dice.chars(ALNUM, 32)}&page=2`, '/v1?api_key=[redacted:api-key]&page=2'],
    [
      'a bare mention beside a named one',
      `pass=${PASSWORD}\nok with ${PASSWORD}.`,
      'pass=[redacted:password]\nok with [redacted:password].',
    ],
    [
      'a token that a terminal wrapped',
      `t: ${TOKEN.slice(0, 20)}\n${TOKEN.slice(20)}\nok`,
      't: [redacted:github-token]\nok',
    ],
    [
      'a token whose last line has no digit',
      `t: ${['pypi', 'AgEIcHlwaS5vcm'].join('-')}\n${dice.chars(ALNUM, 30)}7\nfgnBEvjtYAUgBiOUDIjzO\nok`,
      't: [redacted:pypi-token]\nok',
    ],
    ['a token beside a next line of its own', `T=${TOKEN}\nDATABASE=x`, 'T=[redacted:github-token]\nDATABASE=x'],
  ])('leaves the text around %s readable', (_, text, expected) => {
    expect(redactSecrets(text).text).toBe(expected);
  });

  it('does not treat the beginning of a value as a word for a secret', () => {
    const text = `${PASSWORD}\u001b[31m${PASSWORD}`;
    expect(redactSecrets(text).text).toBe(text);
  });

  it('reports what it found', () => {
    expect(redactSecrets(`SMTP_PASSWORD=${PASSWORD} ${TOKEN}`).found).toEqual([
      { kind: 'password' },
      { kind: 'github-token' },
    ]);
  });

  it('removes a whole private key, even when it is cut off at either end', () => {
    const key = pem(dice);
    const lines = key.split('\n');
    expect(redactSecrets(`$ cat k\n${key}\n$ ls`).text).toBe('$ cat k\n[redacted:private-key]\n$ ls');
    expect(redactSecrets(`${lines.slice(0, 5).join('\n')}\nThe rest is missing.`).text).toBe(
      '[redacted:private-key]\nThe rest is missing.',
    );
    expect(redactSecrets(`$ tail k\n${lines.slice(3).join('\n')}\n$ ls`).text).toBe(
      '$ tail k\n[redacted:private-key]\n$ ls',
    );
  });

  it('leaves code alone that only mentions the markers of a key', () => {
    const text = `const begin = '${pem(dice).split('\n')[0]}';\nif (text.startsWith(begin)) return load(text);\n`;
    expect(redactSecrets(text).text).toBe(text);
  });

  describe('secrets as many tools write them', () => {
    const forms: [name: string, form: (text: string) => string][] = [
      ['as it is', (text) => text],
      ['as JSON', (text) => JSON.stringify(text)],
      ['as JSON in JSON', (text) => JSON.stringify(JSON.stringify({ output: text }))],
      ['added in a diff', (text) => text.replace(/^/gm, '+')],
      ['in a listing with line numbers', (text) => text.replace(/^/gm, '    12→')],
    ];
    it.each(forms)('finds each of them %s', (_, form) => {
      const missed = WRITTEN_SECRETS.filter(([text, needles]) => {
        const redacted = redactSecrets(form(text)).text;
        return needles.some((needle) => redacted.includes(needle));
      });
      expect(missed.map(([text]) => text)).toEqual([]);
    });
  });

  it('handles any text, and changes nothing when it is run on its own output', () => {
    const pieces = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        'password=',
        '"token": "',
        '\\n',
        '\\"',
        '\n+',
        '://u:',
        '@h',
        TOKEN,
        PASSWORD,
        '\u001b[31m',
        '-----',
        'secret is ',
        "' + '",
      ),
    );
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        const once = redactSecrets(parts.join('')).text;
        expect(once).not.toContain(TOKEN);
        expect(redactSecrets(once).text).toBe(once);
      }),
      runs(100),
    );
  });

  it.each([
    [
      'a marker before what might be its value',
      [TOKEN, '://u:', '\u001b[31m'],
      '[redacted:github-token]://u:\u001b[31m',
    ],
    ['a marker before an assignment', [TOKEN, ' = ', 'x7K-pq2R9v!t'], '[redacted:github-token] = x7K-pq2R9v!t'],
    [
      'a marker beside what looks like a password',
      ['pW-7hT2q9Xrpassword=', '\\"', 'password=', 'pW-7hT2q9Xr'],
      'pW-7hT2q9Xrpassword=\\"[redacted:password]',
    ],
  ])('does not take its own output for the name of a secret: %s', (_, parts, expected) => {
    const once = redactSecrets(parts.join('')).text;
    expect(once).toBe(expected);
    expect(redactSecrets(once).text).toBe(once);
  });

  it.each([
    'password=',
    'the password is ',
    '"password":"',
    '\\"password\\":\\"',
    'postgres://a:b@',
    'eyJ.',
    '--eyJ',
    'SG.',
    'sk-',
    '-----BEGIN PRIVATE KEY-----\n',
    '-----END PRIVATE KEY-----',
    'Private-Lines: 5\n',
    'password=))))',
    '\\\n',
    '\u001b[31m',
    'cookie: a=',
    'kind: Secret\ndata:\n  a: b\n',
    'bearer ',
    'key ',
    '&sig=',
    '"+"',
    'a,password\n',
    'name | value\n-----+------\n',
    'password%253D',
    '=3D=\n',
    '"value":"a","name":"',
    'name="password"\r\n\r\n',
    '334 UGFzc3dvcmQ6 ',
    '{"token":{"a":"',
    'token (',
    'AUTH ',
    'password = Some(',
    'QUtJQQ==',
    'a',
  ])('handles a long run of %j', (unit) => {
    const text = unit.repeat(200_000 / unit.length);
    expect(redactSecrets(text).text.length).toBeGreaterThan(0);
  });
});

describe('createRedactor', () => {
  it('finds a secret in later texts by its bare value', ({ redactor }) => {
    redactor.redact(`DB_PASSWORD=${PASSWORD}`);
    expect(redactor.redact(`Logged in with ${PASSWORD} at last.`)).toBe('Logged in with [redacted:password] at last.');
  });

  it('finds a secret in earlier texts when it was primed with all texts', ({ redactor }) => {
    const texts = [`I tried ${PASSWORD}.`, `DB_PASSWORD=${PASSWORD}`];
    redactor.prime(texts);
    expect(redactor.redact(texts[0] ?? '')).toBe('I tried [redacted:password].');
    expect(redactor.known()).toBeGreaterThan(0);
  });

  it('finds decoded a value that it met encoded, and vice versa', () => {
    const special = ['Ber', 'g&Tal/77x'].join('');
    const redactor = createRedactor();
    redactor.prime([`amqp://app:${encodeURIComponent(special)}@mq/x`]);
    expect(redactor.redact(`It is ${special} in full.`)).not.toContain(special);
    expect(redactor.redact(`auth ${Buffer.from(special).toString('base64')} sent`)).not.toContain(
      Buffer.from(special).toString('base64').slice(0, 14),
    );
  });

  it('finds the lines of a key one by one', ({ redactor }) => {
    const key = pem(dice);
    redactor.prime([key]);
    for (const line of key.split('\n').slice(1, -1)) expect(redactor.redact(`+${line}`)).not.toContain(line);
  });

  it('finds the values in an encoded file', ({ redactor }) => {
    redactor.prime([`secret: ${Buffer.from(`DB_PASSWORD=${PASSWORD}\nPORT=1\n`).toString('base64')}`]);
    expect(redactor.redact(`use ${PASSWORD}`)).toBe('use [redacted:password]');
  });

  it.each(['production', 'postgres', 'src/auth/token.ts', 'changeme', 'hunter2', '2026-11-20', 'v2.1.329'])(
    'does not remember ordinary words such as %s',
    (word) => {
      const redactor = createRedactor();
      redactor.prime([`DB_PASSWORD=${word}`, `{"password": "${word}"}`]);
      expect(redactor.redact(`We deploy ${word} today.`)).toBe(`We deploy ${word} today.`);
    },
  );

  it('judges a value by its name in structured data', ({ redactor }) => {
    expect(redactor.redact(PASSWORD, 'smtpPassword')).toBe('[redacted:password]');
    expect(redactor.redact('mail.internal', 'smtpHost')).toBe('mail.internal');
    expect(redactor.redact('12840', 'discovery_tokens')).toBe('12840');
  });
});

describe('the name under which a keyring stores a secret', () => {
  it.each([
    'password: entire:us-east-1.auth.example.io:refresh',
    'password "entire:<host>:refresh"',
    'token = "app:localhost:8080:access"',
  ])('is not redacted: %s', (text) => {
    expect(redactSecrets(text)).toEqual({ text, found: [] });
  });

  it('does not exempt a secret that looks like one', () => {
    expect(redactSecrets('password: entire:localhost:8080:r3fr3sh-Xy9kQ2').found).toHaveLength(1);
  });
});
