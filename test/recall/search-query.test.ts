import { describe, expect, it } from 'vitest';
import { hasPhrase, parseQuery, plainQuery } from '../../src/recall/query.ts';

const parsed = (text: string) => {
  const { terms, phrases, excluded } = parseQuery(text);
  return { terms: [...terms.keys()], phrases, excluded: [...excluded] };
};

describe('a question', () => {
  const table: [text: string, expected: Partial<ReturnType<typeof parsed>>][] = [
    ['rate limit', { terms: ['rat', 'limit'], phrases: [], excluded: [] }],
    ['"token bucket" limits', { terms: ['token', 'bucket', 'limit'], phrases: [['token', 'bucket']] }],
    ['“token bucket”', { phrases: [['token', 'bucket']] }],
    ['cache -redis', { terms: ['cach'], excluded: ['redis'] }],
    ['well-known -self-made', { terms: ['well', 'known', 'wellknown'], excluded: ['selfmad'] }],
    ['git log -p --no-verify', { terms: ['git', 'log', 'p', 'verify', 'noverify'], excluded: [] }],
    ['-redis', { terms: ['redis'], excluded: [] }],
    ['redis -redis', { terms: ['redis'], excluded: [] }],
    ['"unclosed quote', { terms: ['unclos', 'quot'], phrases: [] }],
    ['""', { terms: [], phrases: [] }],
    ['src/db.ts AND (a OR b) NEAR* title:x ^', { phrases: [], excluded: [] }],
    ['🚀', { terms: [] }],
    ['a\u0000token\u0000b', { terms: ['token', 'b'] }],
  ];
  it.each(table)('%j', (text, expected) => expect(parsed(text)).toMatchObject(expected));

  it('counts repeated words', () => {
    expect(parseQuery('cache cache miss').terms).toEqual(
      new Map([
        ['cach', 2],
        ['miss', 1],
      ]),
    );
  });

  it('takes pasted text for prose', () => {
    const pasted =
      'The server said "connection refused" -again although the port was open and nothing else had changed since yesterday evening when builds still went through';
    expect(parseQuery(pasted)).toEqual(plainQuery(pasted));
  });

  it('keeps a bounded number of words of 100 KB', () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `w${i}`).join(' ');
    expect(parseQuery(text).terms.size).toBe(1000);
  });

  it('finds phrases at word boundaries only', () => {
    expect(hasPhrase('token bucket limit', ['token', 'bucket'])).toBe(true);
    expect(hasPhrase('mytoken bucket', ['token', 'bucket'])).toBe(false);
  });
});
