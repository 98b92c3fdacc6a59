import { describe, expect, it } from 'vitest';
import { idOf } from '../../src/memory/id.ts';
import { namesIn, stands } from '../../src/provenance/names.ts';
import { observationOf } from '../support/written-records.ts';

const named = (title: string, narrative = '', files: string[] = []) =>
  namesIn(observationOf({ id: idOf('names'), title, narrative, files_modified: files }));

describe('the names that a record says', () => {
  it.each([
    ['Claims are checked by parseClaims before HttpServer answers', ['parseClaims', 'HttpServer']],
    ['max_age and MAX_AGE_SECONDS differ', ['max_age', 'MAX_AGE_SECONDS']],
    ['Run it with --no-cache, since `npm run build` keeps files', ['npm run build', '--no-cache']],
    ['`parse` is called twice; retry() is not', ['parse', 'retry']],
    ['server.read_timeout and Parser::new are set in app/routes.py', ['read_timeout', 'Parser::new', 'app/routes.py']],
    ['It logs "queue is full" and \'try again\'', ['queue is full', 'try again']],
    ['`parseClaims(token)` throws', ['parseClaims']],
  ])('of %j', (title, expected) => {
    expect(named(title).sort()).toEqual([...expected].sort());
  });

  it.each([
    'The parser keeps a queue of requests, e.g. read-only ones and/or others',
    "It doesn’t work on GitHub, and isn't what users' browsers want",
    'JavaScript 1.2.3 is `true`, or "null"',
  ])('are none of %j', (title) => {
    expect(named(title)).toEqual([]);
  });

  it('leave out the cited paths, which renames would take for changes', () => {
    expect(named('parseClaims in src/auth_v2.ts', '', ['src/auth_v2.ts'])).toEqual(['parseClaims']);
  });

  it('are at most 24, the title’s first', () => {
    const many = Array.from({ length: 40 }, (_, i) => `nameNumber${i}`).join(' ');
    const names = named('firstOfAll', many);
    expect(names).toHaveLength(24);
    expect(names[0]).toBe('firstOfAll');
  });
});

it.each([
  ['parse', 'x = parse(y)', true],
  ['parse', 'parser, reparse, parse_all', false],
  ['parse', 'parser; parse', true],
  ['--no-cache', 'run --no-cache-dir', false],
  ['--no-cache', 'run --no-cache, then', true],
  ['$store', 'const $store = 1', true],
  ['cmdPath', 'function {{$cmdPath}} {', true],
  ['cmd', 'cmd$Path, x$cmdPath', false],
  ['queue is full', 'throw "queue is full!"', true],
])('a name %s stands in %j: %s', (name, text, expected) => {
  expect(stands(name, text)).toBe(expected);
});
