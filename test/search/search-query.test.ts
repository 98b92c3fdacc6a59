import { describe, expect, it } from 'vitest';
import { parseQuery, plainQuery } from '../../src/search/parse-query.ts';
import { hasPhrase } from '../../src/search/query.ts';

const NOW = new Date('2026-09-09T12:00:00Z');

const parsed = (text: string) => {
  const { terms, required, excluded } = parseQuery(text, NOW);
  return { terms: [...terms.keys()], required, excluded };
};
const phrase = (...tokens: string[]) => ({ tokens, isPhrase: true });
const word = (...tokens: string[]) => ({ tokens, isPhrase: false });

describe('a query', () => {
  const table: [text: string, expected: Partial<ReturnType<typeof parsed>>][] = [
    ['rate limit', { terms: ['rat', 'limit'], required: [], excluded: [] }],
    ['"token bucket" limits', { terms: ['token', 'bucket', 'limit'], required: [[phrase('token', 'bucket')]] }],
    ['a "token bucket" for one client and two queues', { required: [[phrase('token', 'bucket')]] }],
    ['says "token bucket" where client, queue, server, proxy and cache agree', { required: [] }],
    [
      'title:"token bucket" says where client, queue, server, proxy and cache agree',
      { required: [[{ ...phrase('token', 'bucket'), field: 'title' }]] },
    ],
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
    ['caching* -red*', { terms: ['cach'], required: [], excluded: [word('red')] }],
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

  it.each([
    ['what broke last week', ['2026-08-31', '2026-09-06'], ['brok']],
    ['caching yesterday', ['2026-09-08', '2026-09-08'], ['cach']],
    ['caching in May', ['2026-05-01', '2026-05-31'], ['cach']],
    ['caching on 7 May 2023', ['2023-05-07', '2023-05-07'], ['cach', '7', 'may', '2023']],
    ['caching, May 7th, 2023', ['2023-05-07', '2023-05-07'], ['cach', 'may', '7th', '2023']],
    ['caching in sept. 2024', ['2024-09-01', '2024-09-30'], ['cach', 'sept', '2024']],
    ['caching 2026-09-03', ['2026-09-03', '2026-09-03'], ['cach', '2026', '09', '03', '20260903']],
    ['caching 3 days ago', ['2026-09-06', '2026-09-06'], ['cach']],
    ['caching may march on, version 2024', [], ['cach', 'may', 'march', 'vers', '2024']],
  ])('reads the time in %j', (text, days, terms) => {
    const { spans, terms: kept } = parseQuery(text, NOW);
    expect(spans.flatMap(({ since, until }) => [since.slice(0, 10), until.slice(0, 10)])).toEqual(days);
    expect([...kept.keys()]).toEqual(terms);
  });

  it('refuses parentheses that it would misinterpret', () => {
    expect(() => parseQuery('(cache AND redis) OR queue', NOW)).toThrow(expect.objectContaining({ code: 'bad-input' }));
    expect(() => parseQuery('(cache OR redis) AND queue', NOW)).not.toThrow();
  });

  it('counts repeated words', () => {
    expect(parseQuery('cache cache miss', NOW).terms).toEqual(
      new Map([
        ['cach', 2],
        ['miss', 1],
      ]),
    );
  });

  it('treats pasted text as prose', () => {
    const pasted =
      'The server said "connection refused" -again although the port was open and nothing else had changed since yesterday evening when builds still went through';
    const { spans: _, ...rest } = parseQuery(pasted, NOW);
    expect(rest).toEqual((({ spans: _, ...plain }) => plain)(plainQuery(pasted)));
  });

  it('keeps a bounded number of the words in 100 KB', () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `w${i}`).join(' ');
    expect(parseQuery(text, NOW).terms.size).toBe(10_000);
  });

  it('finds phrases at word boundaries only', () => {
    expect(hasPhrase('token bucket limit', ['token', 'bucket'])).toBe(true);
    expect(hasPhrase('mytoken bucket', ['token', 'bucket'])).toBe(false);
  });
});
