import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { loadConfig, settings } from '../../src/config.ts';
import { parseFileName } from '../../src/memory/file-name.ts';
import { hostileJson, hostileObject, hostileText } from './hostile-text.ts';

/** Every address that the protocol defines, so that a new one is fuzzed as soon as it exists. */
const PROTOCOL = ['protocol.ts', 'record-protocol.ts'].map((name) =>
  readFileSync(`src/surfaces/viewer/${name}`, 'utf8'),
);
const ADDRESSES = [...PROTOCOL.join('').matchAll(/\b(?:GET|POST) (\/api\/[^\s:*]*)/g)].map(([, path = '']) =>
  path.replace(/\?.*$/, ''),
);

/** Stands for the id of a record that is there, until the store is. */
const RECORD = 'RECORD-';
const named = fc.nat({ max: 9 }).map((n) => `${RECORD}${n}`);
const ids = fc.array(fc.oneof({ weight: 5, arbitrary: named }, { weight: 1, arbitrary: hostileText }), {
  maxLength: 3,
});
const texts = fc.array(hostileText, { maxLength: 3 });

const RECORD_KEYS = ['type', 'title', 'subtitle', 'narrative', 'facts', 'concepts', 'files_modified', 'files_read'];
const record = fc.record({
  type: fc.oneof(fc.constant('change'), hostileText),
  title: hostileText,
  subtitle: hostileText,
  narrative: hostileText,
  facts: texts,
  concepts: texts,
  files_modified: texts,
  files_read: texts,
  supersedes: ids,
});

/** Bodies as pages send them, with hostile values; those with something else in their place; and any others. */
const actions = fc.oneof(
  fc.record({ action: fc.constantFrom('pin', 'verify', 'retire', 'undo', 'redact'), ids, reason: hostileText }),
  fc.record({ action: fc.constantFrom('promote', 'trust'), ids }),
  fc.record({ action: fc.constant('add'), store: fc.constantFrom('team', 'private'), record }),
  fc.record({
    key: fc.constantFrom(...settings(loadConfig('/nonexistent', {}).config).keys()),
    value: fc.oneof(hostileText, texts, fc.constantFrom(null, true, false, 0, -1, 1e9)),
  }),
);
const odd = hostileObject(['action', 'ids', 'by', 'reason', 'record', 'store', 'key', 'value', ...RECORD_KEYS]);
const posted = fc
  .oneof(
    { weight: 3, arbitrary: actions },
    { weight: 1, arbitrary: fc.tuple(actions, odd).map(([action, put]) => ({ ...action, ...put })) },
    { weight: 1, arbitrary: odd },
    { weight: 1, arbitrary: hostileJson(RECORD_KEYS) },
  )
  .map((value) => JSON.stringify(value));

/** The ids of the observations that a repository remembers. */
export function idsIn(root: string): string[] {
  const files = readdirSync(join(root, '.memory/observations'), { recursive: true, encoding: 'utf8' });
  return files.flatMap((path) => parseFileName(path.split('/').at(-1) ?? '')?.id ?? []).sort();
}

/** The request with ids of records in the place of what stands for them. */
export function aboutRecords(question: Question, known: string[]): Question {
  const put = (text: string) => text.replace(/RECORD-(\d?)/g, (_, n) => known[Number(n) % known.length] ?? '');
  return { ...question, path: put(question.path), body: put(question.body) };
}

/** One request as it goes over the wire. */
export interface Question {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** Requests of a page that is known to the server, most of them, and of anybody; `aboutRecords` makes them whole. */
export function requests(): fc.Arbitrary<Question & { isKnown: boolean }> {
  const words = [...'offset limit q kind type concept file since until base tokens observations all token'.split(' ')];
  const escaped = hostileText.map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 3000));
  const raw = hostileText.map((text) => text.replace(/[^!-~]/g, '').slice(0, 3000));
  const query = fc.array(fc.tuple(fc.constantFrom(...words), fc.oneof(escaped, raw)), { maxLength: 4 });
  const path = fc.oneof(
    fc.tuple(fc.constantFrom(...ADDRESSES), fc.oneof(escaped, raw)).map(([address, id]) => address.replace('ID', id)),
    fc.constantFrom(...ADDRESSES).map((address) => address.replace('ID', RECORD)),
    raw.map((text) => `/${text}`),
    raw.map((text) => `/api/${text}`),
    fc.constantFrom(
      '//',
      '/\\',
      '/api/%',
      '/api/record/%ff',
      '*',
      'http://[',
      '/../../etc/passwd',
      '/app.js/..%2f..%2fetc',
      '/%00',
    ),
  );
  const names = fc.constantFrom(
    'host',
    'origin',
    'cookie',
    'sec-fetch-site',
    'content-type',
    'accept',
    'range',
    'x-http-method-override',
  );
  return fc.record({
    isKnown: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
    method: fc.constantFrom('GET', 'GET', 'GET', 'POST', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'),
    path: fc
      .tuple(path, query)
      .map(([at, pairs]) => `${at}${pairs.length > 0 ? '?' : ''}${pairs.map((pair) => pair.join('=')).join('&')}`),
    headers: fc
      .array(
        fc.tuple(
          names,
          raw.map((text) => text.slice(0, 200)),
        ),
        { maxLength: 1 },
      )
      .map((pairs) => Object.fromEntries(pairs)),
    body: fc.oneof({ weight: 3, arbitrary: posted }, { weight: 1, arbitrary: hostileText }),
  });
}
