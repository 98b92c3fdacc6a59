import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stem, tokenize } from '../../src/index/tokens.ts';

describe('tokenize', () => {
  const table: [name: string, text: string, tokens: string[]][] = [
    ['leaves stop-words out', 'why is the build so slow', ['build', 'slow']],
    ['splits camel case and keeps the joined form', 'readFileSync', ['read', 'fil', 'sync', 'readfilesync']],
    ['splits capitals from the word after them', 'parseHTTPRequest', ['pars', 'http', 'request', 'parsehttprequest']],
    [
      'splits snake and kebab case alike',
      'max_retries max-retries',
      ['max', 'retry', 'maxretry', 'max', 'retry', 'maxretry'],
    ],
    ['splits paths into folders and names', 'src/cache/open.ts', ['src', 'cach', 'open', 'ts', 'opent']],
    ['keeps versions findable', 'v4.118.0', ['v4', '118', '0', 'v41180']],
    ['folds diacritics, widths and case', 'Café ＲＥＡＤ', ['caf', 'read']],
    ['drops possessives', "the server's clock", ['serv', 'clock']],
    ['makes pairs where a script writes no spaces', 'ひらがな', ['ひら', 'らが', 'がな']],
    ['keeps Chinese characters as well', '日本語', ['日', '日本', '本', '本語', '語']],
    [
      'keeps a class findable without its method',
      'UserCache.load',
      ['user', 'cach', 'usercach', 'load', 'usercacheload'],
    ],
    ['writes ß as ss', 'Straße', ['strass']],
    ['keeps words of two scripts apart', 'React入門', ['react', '入', '入門', '門']],
    ['keeps Hindi words whole', 'नमस्ते दुनिया', ['नमस्ते', 'दुनिया']],
    ['finds nothing in punctuation and emoji', '🚀 --- "" ()', []],
  ];
  it.each(table)('%s', (_, text, tokens) => expect(tokenize(text)).toEqual(tokens));

  it('maps inflections of a word to one token', () => {
    for (const words of [
      'cache caches cached caching',
      'validate validates validated',
      'retry retries retried retrying',
      'cookie cookies',
      'cancel cancels cancelled canceled cancelling cancellation',
      'install installed installation',
      'deploy deployed deployment',
      'require required requirement',
      'run running runs',
    ]) {
      expect(new Set(words.split(' ').map(stem)).size, words).toBe(1);
    }
  });

  it.each(['state statement', 'seg segment', 'doc document', 'argue argument'])('keeps apart %s', (words) => {
    expect(new Set(words.split(' ').map(stem)).size).toBe(2);
  });

  it('gives only tokens without white space, whatever the text', () => {
    for (const text of ['a\u0000b', '\ud800', 'x'.repeat(200), '\u202eabc', "'''a'''b"]) {
      for (const token of tokenize(text)) expect(token).toMatch(/^\S{1,96}$/u);
    }
  });

  it('splits ASCII text the same way beside other scripts', () => {
    const piece = fc.constantFrom(
      'read',
      'File',
      'HTTP',
      'x9',
      'Ab',
      '.',
      '-',
      '_',
      '$',
      "'",
      "'s",
      ' ',
      '/',
      '\n',
      '(',
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        expect([...tokenize(text), '門']).toEqual(tokenize(`${text} 門`));
      }),
    );
  });

  // Hostile shapes that quadratic patterns choke on; a slow tokenizer runs into the test's own time limit.
  const pieces = ['a', 'aA', 'a.', "a'", '-', '_', '日', 'a-'.repeat(3), 'é', '\u0301', '$', "''"];
  it.each(pieces)('handles 100 KB of %j', (piece) => {
    const text = piece.repeat(Math.ceil(100_000 / piece.length));
    expect(tokenize(text).length).toBeLessThanOrEqual(2 * text.length);
  });
});
