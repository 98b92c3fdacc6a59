import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCleaner } from '../../../src/capture/drain/clean.ts';
import { redactAll } from '../../../src/privacy/redact.ts';
import { createRedactor } from '../../../src/privacy/secrets.ts';
import { blindSamples, placedSamples } from '../../privacy/samples.ts';
import { runs } from '../../support/trials.ts';

const SAMPLES = placedSamples(3).filter(({ set, text }, i) => set === 'own' && i % 8 === 0 && text.length < 2000);
/** Secrets where they are told by their surroundings, the same ones bare, and what only resembles them. */
const TEXTS = [
  ...SAMPLES.map(({ text }) => text),
  ...SAMPLES.flatMap(({ needles }) => needles),
  ...blindSamples(4, 1).flatMap(({ set, text }) => (set === 'look-alikes' ? [text] : [])),
];

/** What becomes of each text, one after the other, where nothing is kept but the secrets that were found. */
async function redactedOneByOne(texts: string[]): Promise<string[]> {
  const redactor = createRedactor();
  const results: string[] = [];
  for (const text of texts) results.push(await redactAll(text, redactor));
  return results;
}

describe('the cleaner', () => {
  it('cleans a repeated text just as if it saw it for the first time', async () => {
    // A few secrets, told by their surroundings and bare, so that they come again before and after they are known.
    const sequence = fc
      .array(fc.constantFrom(...SAMPLES), { minLength: 1, maxLength: 3 })
      .map((few) => few.flatMap(({ text, needles }) => [text, ...needles]))
      .chain((few) => fc.array(fc.constantFrom(...few, 'a plain word'), { minLength: 4, maxLength: 24 }));
    await fc.assert(
      fc.asyncProperty(sequence, async (texts) => {
        const { text } = createCleaner([], 200_000);
        const results: string[] = [];
        for (const one of texts) results.push(await text(one));
        expect(results).toEqual(await redactedOneByOne(texts));
      }),
      runs(300),
    );
  });

  it('removes a value that it let pass earlier, once it is known to be a secret', async () => {
    const { text } = createCleaner([]);
    const value = ['kestrel', 'lantern', '77Xq'].join('-');
    expect(await text(value)).toBe(value);
    expect(await text(value)).toBe(value);
    expect(await text(`DB_PASSWORD=${value}`)).not.toContain(value);
    expect(await text(value)).not.toContain(value);
  });

  it('gives the same results concurrently as sequentially', async () => {
    const texts = [...TEXTS.slice(0, 200), ...TEXTS.slice(0, 200)];
    const { text } = createCleaner([], 200_000);
    expect(await Promise.all(texts.map(text))).toEqual(await redactedOneByOne(texts));
  });
});
