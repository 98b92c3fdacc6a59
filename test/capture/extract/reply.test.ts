import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../../src/capture/extract/provider.ts';
import { filesOf, parseReply, type ReplyScope } from '../../../src/capture/extract/reply.ts';
import { LIMITS, OBSERVATION_TYPES } from '../../../src/memory/record.ts';
import { runs } from '../../support/trials.ts';
import { callOf, turnOf } from '../../support/turns.ts';

const scope: ReplyScope = {
  types: OBSERVATION_TYPES,
  ids: ['k3v9x2qd7m', 'p8w2m4ta1c'],
  files: filesOf([
    turnOf({
      calls: [callOf({ action: 'edit', paths: ['src/auth.ts'] }), callOf({ action: 'read', paths: ['src/clock.ts'] })],
    }),
  ]),
  turns: ['turn-1', undefined, 'turn-3'],
};

const observation = {
  turn: '1',
  type: 'bugfix',
  title: 'Tokens from a node whose clock runs ahead are accepted',
  subtitle: 'nbf and iat get 30 s of leeway',
  narrative: 'The nodes disagree about time. Verification now allows 30 seconds.',
  facts: ['node --test fails before and passes after the change.'],
  concepts: ['auth', 'clock skew'],
  files_read: ['src/clock.ts'],
  files_modified: ['src/auth.ts'],
  supersedes: ['k3v9x2qd7m'],
};
const summary = {
  request: 'Find the cause of random 401s.',
  investigated: ['Time claims in src/auth.ts.'],
  learned: ['The clocks of the nodes differ.'],
  completed: ['Leeway of 30 s.'],
  next_steps: [],
  notes: [],
};
const whole = { summary, observations: [observation] };
/** The same as it is taken: with the turn's own key. */
const drafted = { ...observation, turn: 'turn-1' };
const taken = { summary, observations: [drafted] };

function parsed(output: unknown, text = '', truncated = false) {
  return parseReply(output, text, scope, truncated);
}

function problem(output: unknown, text = '', truncated = false): string {
  try {
    parsed(output, text, truncated);
  } catch (error) {
    expect(error).toBeInstanceOf(ProviderError);
    expect((error as ProviderError).class).toBe('invalid-output');
    return (error as ProviderError).message;
  }
  throw new Error('The reply was accepted.');
}

describe('parseReply', () => {
  it('passes a good answer through unchanged', () => {
    expect(parsed(whole)).toEqual(taken);
  });

  it.each([
    ['bare JSON', JSON.stringify(whole)],
    ['a fence', `Sure, here it is:\n\n\`\`\`json\n${JSON.stringify(whole, null, 2)}\n\`\`\`\nAnything else?`],
    ['prose with braces around it', `I used {title} for it. ${JSON.stringify(whole)} Done {x}.`],
    ['a wrapper', JSON.stringify({ remember: whole })],
  ])('reads text: %s', (_name, text) => {
    expect(parsed(undefined, text)).toEqual(taken);
  });

  it('reads a bare list of observations', () => {
    expect(parsed(undefined, JSON.stringify([observation])).observations).toEqual([drafted]);
  });

  it('recovers the observations that were complete when the text was cut off', () => {
    const second = { ...observation, title: 'Skew is configurable' };
    const text = JSON.stringify({ summary, observations: [observation, second, observation] });
    const cut = text.slice(0, text.lastIndexOf('narrative'));
    expect(parsed(undefined, cut, true)).toEqual({
      observations: [drafted, { ...drafted, title: second.title }],
      summary,
    });
  });

  it('keeps the end of a long summary', () => {
    const completed = Array.from({ length: 10 }, (_, index) => `Step ${index} is done.`);
    expect(parsed({ observations: [], summary: { ...summary, completed } }).summary?.completed).toEqual(
      completed.slice(-8),
    );
  });

  it('does not read an answer that was cut off after the summary as one without observations', () => {
    const text = JSON.stringify({ summary, observations: [observation] });
    expect(problem(undefined, text.slice(0, text.indexOf('"narrative"')), true)).toContain('cut off');
    expect(problem({ summary, observations: [] }, '', true)).toContain('cut off');
  });

  it('leaves out a last observation that looks unfinished when the structure was cut off', () => {
    const cut = { type: 'decision', title: 'Expiry stays strict', narrative: 'Security wants no gr' };
    expect(parsed({ summary, observations: [observation, cut] }, '', true).observations).toEqual([drafted]);
    expect(parsed({ summary, observations: [observation] }, '', true).observations).toEqual([drafted]);
    expect(problem({ summary, observations: [cut] }, '', true)).toContain('cut off');
    expect(problem({}, '', true)).toContain('cut off');
  });

  it('accepts a reason to skip as an answer', () => {
    const nothing = { observations: [], summary: undefined };
    expect(parsed({ skip: 'only a greeting' }, '', true)).toEqual(nothing);
    expect(parsed({ skip: true, observations: [] })).toEqual(nothing);
    expect(parsed(undefined, 'Nothing here. {"skip": "a listing"}')).toEqual(nothing);
  });

  it.each(['', 'none', 'N/A', false, null])('treats skip = %j as absent', (skip) => {
    expect(parsed({ ...whole, skip })).toEqual(taken);
  });

  it('keeps what was written even if the model also says skip', () => {
    expect(parsed({ ...whole, skip: 'not needed' })).toEqual(taken);
  });

  it('accepts an empty result', () => {
    expect(parsed({ observations: [] })).toEqual({ observations: [], summary: undefined });
    expect(parsed({ summary: 'nothing' })).toEqual({ observations: [], summary: undefined });
  });

  it.each([
    ['bug fix', 'bugfix'],
    ['Bug-Fix', 'bugfix'],
    ['epiphany', 'change'],
    ['', 'change'],
    [undefined, 'change'],
    [7, 'change'],
  ])('reads the type %j as %s', (type, expected) => {
    expect(parsed({ observations: [{ ...observation, type }] }).observations[0]?.type).toBe(expected);
  });

  it('fills in missing fields', () => {
    const { observations } = parsed({ observations: [{ title: 'A title', narrative: 'It works.' }] });
    expect(observations).toEqual([
      {
        turn: 'turn-3',
        type: 'change',
        title: 'A title',
        subtitle: '',
        narrative: 'It works.',
        facts: [],
        concepts: [],
        files_read: [],
        files_modified: [],
        supersedes: [],
      },
    ]);
  });

  it('turns strings into lists, and objects into strings', () => {
    const odd = {
      ...observation,
      facts: '- One fact.\n* Another fact.\n',
      concepts: 'auth, #jwt',
      files_read: 'src/clock.ts, src/other.ts',
      files_modified: [{ path: 'src/auth.ts' }],
      supersedes: 'p8w2m4ta1c',
    };
    expect(parsed({ observations: [odd], summary: { ...summary, learned: '1. First.\n2. Second.' } })).toMatchObject({
      observations: [
        {
          facts: ['One fact.', 'Another fact.'],
          concepts: ['auth', 'jwt'],
          files_read: ['src/clock.ts'],
          files_modified: ['src/auth.ts'],
          supersedes: ['p8w2m4ta1c'],
        },
      ],
      summary: { learned: ['First.', 'Second.'] },
    });
  });

  it('reads a list given as a string, and one observation in place of a list', () => {
    expect(parsed({ observations: JSON.stringify([observation]) }).observations).toEqual([drafted]);
    expect(parsed({ observations: observation }).observations).toEqual([drafted]);
  });

  it('drops ids that were not shown and files outside the turn', () => {
    const odd = { ...observation, supersedes: ['zzzzzzzzzz', '#k3v9', 'k'], files_read: ['src/made-up.ts'] };
    expect(parsed({ observations: [odd] }).observations[0]).toMatchObject({
      supersedes: ['k3v9x2qd7m'],
      files_read: [],
    });
  });

  it('drops unusable observations beside usable ones, repetitions, and all after the fourth', () => {
    const named = (title: string) => ({ ...observation, title });
    const observations = [named(''), 'text', named('A'), named('A'), named('B'), named('C'), named('D'), named('E')];
    expect(parsed({ observations }).observations.map(({ title }) => title)).toEqual(['A', 'B', 'C', 'D']);
  });

  it('removes Markdown marks from a title', () => {
    const titled = (title: string) => parsed({ observations: [{ ...observation, title }] }).observations[0]?.title;
    expect(titled('"Expiry stays strict."')).toBe('Expiry stays strict');
    expect(titled('## **Expiry stays strict**')).toBe('Expiry stays strict');
    expect(titled('`exp` and `iat` differ')).toBe('`exp` and `iat` differ');
  });

  it('treats a title of only quotes and control characters as absent', () => {
    expect(problem({ observations: [{ ...observation, title: '"\u0000"' }] })).toContain('title is empty');
  });

  it.each([
    ['prose', undefined, 'I could not find anything.', 'no JSON object'],
    ['broken JSON', undefined, '{"observations": [{"title": "x", narrative: oops}]}', 'no JSON object'],
    ['an unknown shape', { result: 'ok' }, '', 'no JSON object'],
    [
      'an observation without a title',
      { observations: [{ narrative: 'It works.' }] },
      '',
      'observations[0] title is empty',
    ],
    ['an observation without content', { observations: [{ title: 'A' }] }, '', 'neither narrative nor facts'],
    ['an observation that is a number', { observations: [1] }, '', 'observations[0]'],
  ])('says what is wrong with %s', (_name, output, text, expected) => {
    expect(problem(output, text)).toContain(expected);
  });

  it('keeps every record within the limits and storable, whatever the model writes', () => {
    const text = fc.string({
      unit: fc.constantFrom('word ', 'a', '. ', '\n', '\u0000', '漢', '😀', '"'),
      maxLength: 2_000,
    });
    const texts = fc.array(text, { maxLength: 12 });
    const item = fc.record({ type: text, title: text, subtitle: text, narrative: text, facts: texts, concepts: texts });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 6 }), fc.record({ request: text, learned: texts }), (items, said) => {
        const good = { title: 'Always there', narrative: 'So that one is usable.' };
        const reply = parsed({ observations: [good, ...items], summary: said });
        expect(reply.observations.length).toBeLessThanOrEqual(4);
        for (const one of reply.observations) {
          expect(one.title).not.toBe('');
          expect(one.title.length).toBeLessThanOrEqual(LIMITS.title);
          expect(one.title).not.toContain('\n');
          expect(one.subtitle.length).toBeLessThanOrEqual(LIMITS.subtitle);
          expect(one.narrative.length).toBeLessThanOrEqual(LIMITS.narrative);
          expect(one.facts.length).toBeLessThanOrEqual(LIMITS.facts);
          expect(Math.max(0, ...one.facts.map(({ length }) => length))).toBeLessThanOrEqual(LIMITS.fact);
          expect(one.concepts.length).toBeLessThanOrEqual(LIMITS.concepts);
          expect(JSON.stringify(one)).not.toContain('\\u0000');
        }
        expect((reply.summary?.request ?? '').length).toBeLessThanOrEqual(LIMITS.fact);
      }),
      runs(60),
    );
  });
});
