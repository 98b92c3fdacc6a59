import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExtractionContext } from '../../../src/capture/extract/extractor.ts';
import { createRulesExtractor } from '../../../src/capture/extract/rules/rules.ts';
import { summarise } from '../../../src/capture/extract/summary.ts';
import type { Turn } from '../../../src/capture/extract/turn.ts';
import { LIMITS, OBSERVATION_TYPES, oneLine } from '../../../src/memory/record.ts';
import { runs } from '../../support/trials.ts';
import { contextOf, turnOf } from '../../support/turns.ts';

const extractor = createRulesExtractor();

function context(earlier: ExtractionContext['earlier'] = []): ExtractionContext {
  return contextOf({ earlier });
}

const WORDS = [
  'I moved',
  'we retry',
  'because',
  'so',
  'the cache',
  '`TokenBucket`',
  '`src/a.ts`',
  'is gone',
  'again',
  'must not',
  'never',
  'instead of',
  'rejected',
  'decision:',
  'Ich habe',
  'den Cache',
  'entfernt',
  'J’ai',
  '**bold**',
  '- item',
  '## Heading',
  '| a | b |',
  '```',
  '<!--',
  '-->',
  '(1)',
  '(2)',
  ';',
  ': ',
  '. ',
  ', ',
  '\n',
  '\n\n',
  '!',
  '?',
  '"',
  '(',
  ')',
  '30 s',
  'GK_SKEW',
  '👨‍👩‍👧‍👦',
  'שלום',
  '漢字。',
  '\ud800',
  '\u0000',
  '\u2028',
];
const prose = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 120 }).map((words) => words.join(' ')),
);
const call = fc.record({
  id: fc.string({ maxLength: 8 }),
  tool: fc.string({ maxLength: 8 }),
  action: fc.constantFrom(
    ...(['read', 'edit', 'write', 'delete', 'command', 'search', 'agent', 'fetch', 'other'] as const),
    ...(['edit', 'command', 'command'] as const),
  ),
  paths: fc.array(
    fc.oneof(fc.constantFrom('src/a.ts', 'docs/adr/0001-x.md', 'CHANGELOG.md'), fc.string({ maxLength: 60 })),
    { maxLength: 3 },
  ),
  command: fc.oneof(
    fc.constantFrom(
      'npm test',
      'git commit -m "fix: the cache of the token bucket"',
      'git checkout -- src/a.ts',
      'sed -i s/a/b/ src/b.ts',
      'ls',
    ),
    prose,
  ),
  ok: fc.constantFrom(true, false, undefined),
  output: fc.oneof(fc.constantFrom('12 passed', '1 failed'), prose),
  change: fc.record({ removed: prose, added: prose }),
  at: fc.constant('2026-11-20T10:00:00Z'),
});
const turn: fc.Arbitrary<Turn> = fc
  .record({
    prompt: prose,
    promptFrom: fc.constantFrom('user', 'machine' as const),
    calls: fc.array(call, { maxLength: 6 }),
    reports: fc.array(prose, { maxLength: 2 }),
    reply: fc.array(prose, { maxLength: 4 }).map((parts) => parts.join(' ')),
    interrupted: fc.boolean(),
    saved: fc.boolean(),
  })
  .map(turnOf);
const turns = fc
  .array(turn, { minLength: 1, maxLength: 6 })
  .map((list) => list.map((one, index) => ({ ...one, key: `turn-${index}` })));
const earlier = fc.array(
  fc.record({
    id: fc.uuid(),
    type: fc.constant('change'),
    title: prose,
    narrative: prose,
    facts: fc.array(prose, { maxLength: 3 }),
    files_modified: fc.constant<string[]>([]),
  }),
  { maxLength: 3 },
);

describe('rules extractor, for any session', () => {
  it('stays within the limits of a record', async () => {
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(turns, earlier, async (given, before) => {
        const { observations } = await extractor.extract(given, context(before));
        seen += observations.length;
        expect(observations.length).toBeLessThanOrEqual(4);
        expect(new Set(observations.map((one) => one.turn)).size).toBe(observations.length);
        const known = before.map(({ id }) => id);
        for (const { title, subtitle, narrative, facts, concepts, type, supersedes, ...files } of observations) {
          expect(title.length).toBeGreaterThan(0);
          expect(title.length).toBeLessThanOrEqual(LIMITS.title);
          expect(title).toBe(oneLine(title));
          expect(subtitle.length).toBeLessThanOrEqual(LIMITS.subtitle);
          expect(subtitle).toBe(oneLine(subtitle));
          expect(narrative.length + facts.join('').length).toBeGreaterThan(0);
          expect(narrative.length).toBeLessThanOrEqual(LIMITS.narrative);
          expect(facts.length).toBeLessThanOrEqual(LIMITS.facts);
          for (const fact of facts) expect(fact.length).toBeLessThanOrEqual(LIMITS.fact);
          expect(concepts.length).toBeLessThanOrEqual(LIMITS.concepts);
          for (const concept of concepts) expect(concept).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/u);
          expect(files.files_read.length).toBeLessThanOrEqual(LIMITS.files);
          expect(files.files_modified.length).toBeLessThanOrEqual(LIMITS.files);
          expect(OBSERVATION_TYPES).toContain(type);
          for (const id of supersedes) expect(known).toContain(id);
        }
      }),
      runs(2000),
    );
    // So that it cannot pass by having looked at nothing.
    expect(seen).toBeGreaterThan(3);
  });

  it('gives the same records for the same turn', async () => {
    await fc.assert(
      fc.asyncProperty(turns, earlier, async (given, before) => {
        const first = await extractor.extract(given, context(before));
        expect(await extractor.extract(structuredClone(given), context(before))).toEqual(first);
      }),
      runs(100),
    );
  });

  it('gives a summary with every section filled', async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (given) => {
        const { summary, observations } = await extractor.extract(given, context());
        const titles = observations.map(({ title }) => title);
        if (summary === undefined) throw new Error('There is no summary.');
        for (const section of Object.values(summarise(summary, titles))) expect(section.trim()).not.toBe('');
      }),
      runs(100),
    );
  });

  it.each([
    ['open brackets', '('.repeat(50_000)],
    ['open code', '`a '.repeat(30_000)],
    ['open quotations', '"a '.repeat(30_000)],
    ['asterisks', '*'.repeat(60_000)],
    ['dashes', `${'- '.repeat(40_000)}x`],
    ['pipes', `|${' a |'.repeat(20_000)}`],
    ['commas', 'a, '.repeat(20_000)],
    ['semicolons', 'it is; '.repeat(10_000)],
    ['spaces', `a${' '.repeat(80_000)}b`],
    ['one long word', 'a'.repeat(100_000)],
    ['many commits', 'git commit '.repeat(8_000)],
    ['numbered parts', '(1) a, '.repeat(10_000)],
    ['angle brackets', '<a '.repeat(20_000)],
    ['comments', '<!-- '.repeat(20_000)],
    ['first persons', 'because I moved it and we '.repeat(3_000)],
    ['shell options', 'npm test --x '.repeat(8_000)],
    ['heredocs', 'git commit $(cat <<EOF\n'.repeat(5_000)],
    ['plans', `Implement the following plan:\n${'# a: '.repeat(20_000)}`],
  ])('finishes in time on hostile text: %s', async (_, text) => {
    const hostile = turnOf({
      prompt: text,
      reply: `${text}. I moved the cache because of ${text}`,
      reports: [text],
      calls: [
        {
          id: '1',
          tool: 'Bash',
          action: 'command',
          paths: [text.slice(0, 5000)],
          command: text,
          ok: undefined,
          output: text,
          at: '',
          change: { removed: text, added: text },
        },
      ],
    });
    // A backtracking expression takes minutes here, so the runner's own limit is the bound.
    const { observations } = await extractor.extract([hostile, hostile], context());
    expect(observations.length).toBeLessThanOrEqual(4);
  });
});
