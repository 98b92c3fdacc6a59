import { describe, expect, it } from 'vitest';
import { createCleaner } from '../../../src/capture/drain/clean.ts';
import { cleanReply } from '../../../src/capture/extract/model.ts';

const rest = { tokens: { input: 1, output: 1 }, stopReason: 'stop' };
// Made here, so that no file holds a key.
const KEY = [
  '-----BEGIN RSA PRIVATE ',
  'KEY-----\n',
  `${'MIIEpAIBAAKCAQEA'.repeat(4)}\n`.repeat(6),
  '-----END RSA PRIVATE ',
  'KEY-----',
];
const SECRET = KEY.join('');

describe('an answer with a multi-line secret', () => {
  const { text: clean } = createCleaner([]);
  const observation = { title: 'The key', facts: [`It is\n${SECRET}\nhere.`] };

  it.each([
    ['as a structure', { output: { observations: [observation] }, text: '' }],
    ['as JSON in text', { output: undefined, text: `Here it is:\n${JSON.stringify({ observations: [observation] })}` }],
    ['as text alone', { output: undefined, text: `It is\n${SECRET}` }],
  ])('%s loses the secret', async (_, said) => {
    const reply = await cleanReply({ ...rest, ...said }, clean);
    expect(JSON.stringify(reply)).toContain('[redacted:');
    expect(JSON.stringify(reply)).not.toContain('MIIEpAIBAAKCAQEA');
  });

  it('stays valid JSON', async () => {
    const text = JSON.stringify({ title: 'Quotes " and \\ and\nlines', facts: ['a', 'b'] });
    expect(JSON.parse((await cleanReply({ ...rest, output: undefined, text }, clean)).text)).toEqual(JSON.parse(text));
  });
});
