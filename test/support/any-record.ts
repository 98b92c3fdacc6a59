import fc from 'fast-check';
import {
  ASKED,
  LIMITS,
  MARK_TYPES,
  type MemoryRecord,
  OBSERVATION_TYPES,
  type YamlValue,
} from '../../src/memory/record.ts';

/** Lines that Markdown, YAML, JavaScript or our own format could misinterpret. */
const HOSTILE_LINES = String.raw`
---|----|--- js|---json|...|***|# x|#x|\# x|\\#|\|## Facts|## Notes|## Request|\## Facts
- x|-|- - x|  - x|* x|> x|    code|<!--|&amp;|~|null|true|no|on|y|.inf|.nan|0x1f|0o17|1_000|12e4567|1e3|12:30:45
2026-11-20|2026-11-20T20:05:01Z|<<|__proto__|constructor|toString|&a x|*a|!!js/function x|%YAML 1.2|@x
{a: b}|[a|a: b|a:|: a|? a|"|'|""|\u0041|\x41|a #b|, | x|x | `
  .split(/[|\n]/)
  .concat('```', '`x`', '|', '\n', '\n\n\n', '\t', '\ttab', 'x \t', '\r', '\r\n', 'a\r\nb', 'a\rb', '\v', '\f')
  .concat('\ud800', '\udc00x', 'x\ud83d', '\0', '\x07', '\x1b[31m', '\x7f', '\x85', '\u2028', '\u2029', '\ufeff')
  .concat('\ufffe', '\u00a0', '\u3000x');

/** Any text at all, with a liking for trouble. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(...HOSTILE_LINES),
  fc
    .array(fc.oneof(fc.constantFrom(...HOSTILE_LINES), fc.string({ unit: 'grapheme' })), { maxLength: 8 })
    .map((lines) => lines.join('\n')),
);

export const anyId: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyz'),
  minLength: 10,
  maxLength: 10,
});

const anyNumber = fc.oneof(
  fc.nat(),
  fc.constantFrom(0, -0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER, 2 ** 53),
);
const anyTexts = fc.array(anyText, { maxLength: 5 });
const anyTime = fc.oneof(
  fc
    .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  anyText,
);

const KNOWN_KEYS = new Set(
  'id kind type title subtitle concepts files_modified files_read files_edited anchors supersedes targets by session'
    .split(' ')
    .concat(
      'started stopped commits checked taken_back hashed_with hashes prompt_number branch commit generated extractor discovery_tokens __proto__'.split(
        ' ',
      ),
    ),
);
const anyYaml = fc.letrec<{ value: YamlValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    anyText,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      anyText.filter((key) => key !== '__proto__'),
      tie('value'),
      { maxKeys: 3, noNullPrototype: true },
    ),
  ),
})).value;
const anyExtra = fc.dictionary(
  anyText.filter((key) => !KNOWN_KEYS.has(key)),
  anyYaml,
  { maxKeys: 4, noNullPrototype: true },
);

const common = {
  id: anyId,
  generated: fc.record({ by: anyText, name: anyText, at: anyTime }, { requiredKeys: ['by', 'at'] }),
  session: anyText,
  prompt_number: anyNumber,
  branch: anyText,
  commit: anyText,
  extra: anyExtra,
};
const captured = { extractor: anyText, discovery_tokens: anyNumber };

type RequiredKey = 'id' | 'kind' | 'generated';

/** A record of every kind that no caller would write on purpose, and that the types allow. */
export const anyRecord: Record<MemoryRecord['kind'], fc.Arbitrary<MemoryRecord>> = {
  observation: fc.record(
    {
      ...common,
      ...captured,
      kind: fc.constant('observation' as const),
      type: fc.oneof(fc.constantFrom(...OBSERVATION_TYPES), anyText),
      title: anyText,
      subtitle: anyText,
      concepts: anyTexts,
      files_modified: anyTexts,
      files_read: anyTexts,
      anchors: fc.dictionary(anyText, anyText, { maxKeys: 4, noNullPrototype: true }),
      supersedes: fc.array(fc.oneof(anyId, anyText), { maxLength: 3 }),
      narrative: anyText,
      facts: fc.array(anyText, { maxLength: LIMITS.facts }),
    },
    {
      requiredKeys: requiredBut(
        'type',
        'title',
        'concepts',
        'files_modified',
        'files_read',
        'anchors',
        'supersedes',
        'narrative',
        'facts',
      ),
    },
  ),
  summary: fc.record(
    {
      ...common,
      ...captured,
      kind: fc.constant('summary' as const),
      type: fc.constant('summary' as const),
      title: anyText,
      files_read: anyTexts,
      files_edited: anyTexts,
      supersedes: anyTexts,
      started: anyText,
      stopped: fc.constant('interrupted' as const),
      commits: anyTexts,
      checked: fc.array(anyNumber, { maxLength: 3 }),
      taken_back: fc.array(anyNumber, { maxLength: 3 }),
      request: anyText,
      investigated: anyText,
      learned: anyText,
      completed: anyText,
      next_steps: anyText,
      notes: anyText,
    },
    {
      requiredKeys: requiredBut(
        ...([
          'type',
          'title',
          'files_read',
          'files_edited',
          'supersedes',
          'request',
          'investigated',
          'learned',
        ] as const),
        ...(['completed', 'next_steps', 'notes'] as const),
      ),
    },
  ),
  mark: fc.record(
    {
      ...common,
      kind: fc.constant('mark' as const),
      type: fc.constantFrom(...MARK_TYPES),
      targets: fc.tuple(anyId, anyTexts).map(([id, more]) => [id, ...more]),
      by: anyId,
      hashed_with: anyText,
      hashes: anyTexts,
      guards: anyTexts,
      asks: fc.constantFrom(...ASKED),
      anchors: fc.dictionary(anyText, anyText, { maxKeys: 4, noNullPrototype: true }),
      reason: anyText,
    },
    { requiredKeys: requiredBut('type', 'targets', 'by', 'reason') },
  ),
  prompt: fc.record(
    { ...common, kind: fc.constant('prompt' as const), text: anyText },
    { requiredKeys: requiredBut('text') },
  ),
};

function requiredBut<K extends string>(...keys: K[]): (RequiredKey | K)[] {
  return ['id', 'kind', 'generated', ...keys];
}
