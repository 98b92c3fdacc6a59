import { describe, expect, it } from 'vitest';
import { hasPhrase, parseQuery, plainQuery } from '../../src/recall/query.ts';

const parsed = (text: string) => {
  const { terms, prefixes, required, excluded } = parseQuery(text);
  return { terms: [...terms.keys()], prefixes: [...prefixes], required, excluded };
};
const phrase = (...tokens: string[]) => ({ tokens, isPhrase: true });
const word = (...tokens: string[]) => ({ tokens, isPhrase: false });

describe('a question', () => {
  const table: [text: string, expected: Partial<ReturnType<typeof parsed>>][] = [
    ['rate limit', { terms: ['rat', 'limit'], required: [], excluded: [] }],
    ['"token bucket" limits', { terms: ['token', 'bucket', 'limit'], required: [[phrase('token', 'bucket')]] }],
    ['“token bucket”', { required: [[phrase('token', 'bucket')]] }],
    ['"login" "token bucket"', { required: [[phrase('login')], [phrase('token', 'bucket')]] }],
    ['cache -redis', { terms: ['cach'], excluded: [word('redis')] }],
    ['cache NOT redis', { terms: ['cach'], required: [], excluded: [word('redis')] }],
    ['cache -"token bucket"', { terms: ['cach'], required: [], excluded: [phrase('token', 'bucket')] }],
    ['well-known -self-made', { terms: ['wel', 'known', 'wellknown'], excluded: [word('selfmad')] }],
    ['git log -p --no-verify', { terms: ['git', 'log', 'p', 'verify', 'noverify'], excluded: [] }],
    ['-redis', { terms: [], excluded: [word('redis')] }],
    ['redis -redis', { terms: ['redis'], excluded: [] }],
    ['cache AND redis', { terms: ['cach', 'redis'], required: [[word('cach')], [word('redis')]] }],
    ['cache OR redis', { terms: ['cach', 'redis'], required: [[word('cach'), word('redis')]] }],
    ['a AND (cache OR redis) slow', { required: [[word('cach'), word('redis')]] }],
    ['cache AND redis OR "token bucket"', { required: [[word('cach')], [word('redis'), phrase('token', 'bucket')]] }],
    ['cache AND NOT redis', { required: [[word('cach')]], excluded: [word('redis')] }],
    ['the OR cache', { terms: ['cach'], required: [] }],
    ['auth*', { terms: [], prefixes: ['auth'], required: [] }],
    ['caching* -red*', { prefixes: ['cach'], excluded: [{ prefix: 'red' }] }],
    ['title:cache redis', { terms: ['cach', 'redis'], required: [[{ ...word('cach'), field: 'title' }]] }],
    ['title:"token bucket"', { required: [[{ ...phrase('token', 'bucket'), field: 'title' }]] }],
    ['type:bugfix cache', { terms: ['cach'], required: [[{ type: 'bugfix' }]] }],
    ['type:module title: x file://a', { terms: ['typ', 'modul', 'titl', 'x', 'fil'], required: [] }],
    ['x="cache redis"', { terms: ['x', 'cach', 'redis'], required: [] }],
    ['"unclosed quote', { terms: ['unclos', 'quot'], required: [] }],
    ['""', { terms: [], required: [] }],
    ['🚀', { terms: [] }],
    ['a\u0000token\u0000b', { terms: ['token', 'b'] }],
  ];
  it.each(table)('%j', (text, expected) => expect(parsed(text)).toMatchObject(expected));

  it('refuses parentheses that it would misread', () => {
    expect(() => parseQuery('(cache AND redis) OR queue')).toThrow(expect.objectContaining({ code: 'bad-input' }));
    expect(() => parseQuery('(cache OR redis) AND queue')).not.toThrow();
  });

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
    expect(parseQuery(text).terms.size).toBe(10_000);
  });

  it('finds phrases at word boundaries only', () => {
    expect(hasPhrase('token bucket limit', ['token', 'bucket'])).toBe(true);
    expect(hasPhrase('mytoken bucket', ['token', 'bucket'])).toBe(false);
  });
});
