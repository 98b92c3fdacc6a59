import { describe, expect, it } from 'vitest';
import { reasonIn, sentencesOf } from '../../src/provenance/commit-message.ts';

describe('the sentences of a message', () => {
  it.each([
    ['a wrapped paragraph', 'The queue dropped\nbursts of webhooks.', ['The queue dropped bursts of webhooks.']],
    [
      'items in words',
      '- the queue dropped bursts\n- webhooks came twice each',
      ['the queue dropped bursts', 'webhooks came twice each'],
    ],
    [
      'no trailers',
      'The queue dropped bursts.\n\nSigned-off-by: Ann Other Person <a@b.c>',
      ['The queue dropped bursts.'],
    ],
    ['no bumped versions', 'Bumps [x](https://example.com/x) from 1.2.0 to 1.3.0.', []],
    ['no generated changes', '* **queue:** jitter of webhooks was too small ([abc1234](https://e.com/abc1234))', []],
    [
      'no quotes, headings or code',
      '> somebody else wrote all this\n\n# A heading with many words\n\n```\nsome code of the example here\n```',
      [],
    ],
    [
      'nothing below a line of dashes',
      'The queue dropped bursts.\n---\nupdated by a tool that nobody asked',
      ['The queue dropped bursts.'],
    ],
  ])('are %s', (_, body, expected) => {
    expect(sentencesOf(body)).toEqual(expected);
  });

  it('are a reason as long as whole sentences fit', () => {
    const sentence = 'The queue dropped bursts of webhooks from one host.';
    const reason = reasonIn(Array.from({ length: 40 }, () => sentence).join(' '));
    expect(reason.length).toBeLessThanOrEqual(600);
    expect(reason.endsWith(sentence)).toBe(true);
  });
});
