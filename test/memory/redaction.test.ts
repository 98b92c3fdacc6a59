import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MemoryRecord } from '../../src/memory/record.ts';
import {
  createSalt,
  echoesIn,
  hashOf,
  isHash,
  isSalt,
  passagesIn,
  passagesOf,
  textsOf,
} from '../../src/memory/redaction.ts';
import { anyRecord } from '../support/any-record.ts';
import { runs } from '../support/trials.ts';
import { markOf, observationOf, summaryOf } from '../support/written-records.ts';

const SENTENCE = 'The customer behind the outage is Wintergreen Limited.';

/** Tells whether two records share a passage. */
function isCaught(redacted: Parameters<typeof passagesOf>[0], record: Parameters<typeof passagesOf>[0]): boolean {
  const known = new Set(passagesOf(redacted));
  return [...passagesOf(record), ...echoesIn(textsOf(record))].some((passage) => known.has(passage));
}

describe('a record that repeats redacted text', () => {
  const redacted = observationOf({
    id: 'k3v9x2qd7m',
    title: 'A customer was hit',
    narrative: `Found while reading logs of the night. ${SENTENCE} It was told on Friday.`,
    facts: ['Their account number is 4711-0815-42.', 'Tests pass.'],
  });

  it.each<[string, MemoryRecord]>([
    ['the same', redacted],
    ['another title and type', { ...redacted, title: 'Something else', type: 'decision' }],
    ['the sentence alone', observationOf({ id: '7h2c9d4e1f', title: 'x', narrative: SENTENCE })],
    ['the sentence as a title', observationOf({ id: '7h2c9d4e1f', title: SENTENCE })],
    ['a fact of it', observationOf({ id: '7h2c9d4e1f', title: 'x', facts: ['Their account number is 4711-0815-42.'] })],
    [
      'other case, white space and punctuation',
      observationOf({
        id: '7h2c9d4e1f',
        title: 'x',
        facts: ['THE customer  behind the "outage" is\n  Wintergreen limited!'],
      }),
    ],
    ['full-width letters', observationOf({ id: '7h2c9d4e1f', title: SENTENCE.replace('Winter', 'Ｗｉｎｔｅｒ') })],
    ...[
      'We know more.\nThe customer behind the outage\nis Wintergreen Limited. Pay.',
      '- The customer behind\n  the outage is Wintergreen\n  Limited.\n- Pay.',
      `It is known: ${SENTENCE}`,
      `In short, the customer behind the outage is Wintergreen Limited, and they left.`,
      'We found out that the customer behind the outage is Wintergreen Limited (see the log).',
      'The customer behind the outage is Wintergreen Limited, as Kim said; call them.',
    ].map((narrative): [string, MemoryRecord] => [
      narrative,
      observationOf({ id: '7h2c9d4e1f', title: 'x', narrative }),
    ]),
    ['a mark', markOf({ id: '7h2c9d4e1f', type: 'pin', targets: ['k3v9x2qd7m'], reason: `No: ${SENTENCE}` })],
    ['a summary', summaryOf({ id: '7h2c9d4e1f', learned: `We looked around. ${SENTENCE}` })],
  ])('is detected: %s', (_, record) => {
    expect(isCaught(redacted, record)).toBe(true);
  });

  it.each([
    ['another sentence of the same words', 'Wintergreen Limited is the customer behind no outage.'],
    ['what everybody says', 'Tests pass.'],
  ])('is not detected in: %s', (_, narrative) => {
    expect(isCaught(redacted, observationOf({ id: '7h2c9d4e1f', title: 'x', narrative }))).toBe(false);
  });

  it('is detected as a whole where it is too short to have a distinctive sentence', () => {
    const short = observationOf({ id: 'k3v9x2qd7m', title: 'PIN is 1234' });
    expect(isCaught(short, observationOf({ id: '7h2c9d4e1f', title: 'pin is: 1234' }))).toBe(true);
    expect(isCaught(short, observationOf({ id: '7h2c9d4e1f', title: 'PIN is 1234', narrative: 'More.' }))).toBe(false);
  });

  it('is detected in scripts without spaces', () => {
    const chinese = observationOf({
      id: 'k3v9x2qd7m',
      title: '客户',
      narrative: '我们查看了日志。受影响的客户是冬青公司。',
    });
    expect(isCaught(chinese, observationOf({ id: '7h2c9d4e1f', title: '受影响的客户是冬青公司' }))).toBe(true);
  });

  it('is detected whatever it contains', () => {
    fc.assert(
      fc.property(fc.oneof(anyRecord.observation, anyRecord.summary, anyRecord.prompt), (record) => {
        const passages = passagesOf(record);
        expect(passages).not.toContain('');
        expect(passagesOf({ ...record, id: '0000000000' })).toEqual(passages);
      }),
      runs(100),
    );
  });
});

it('the hash of a passage reveals nothing about the passage, and differs by salt', () => {
  const [salt, other] = [createSalt(), createSalt()];
  const [passage = ''] = passagesIn(SENTENCE);
  expect(isSalt(salt) && isHash(hashOf(passage, salt))).toBe(true);
  expect(hashOf(passage, salt)).toBe(hashOf(passage, salt));
  expect(hashOf(passage, salt)).not.toBe(hashOf(passage, other));
});
