import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FRESHNESS, TRUST } from '../../../src/provenance/levels.ts';
import { RECORD_WORDS } from '../../../src/surfaces/cli/record-table.ts';
import { gitMem } from '../../support/command-line.ts';
import { createRepository } from '../../support/repository.ts';

it('explains every word for freshness and trust in the help and, with the same sentence, in the docs', async () => {
  const rows = [...RECORD_WORDS.matchAll(/^ {2}(\w+) +(.+)$/gm)].map(([, word = '', meaning = '']) => ({
    word,
    meaning,
  }));
  expect(rows.map(({ word }) => word)).toEqual([...FRESHNESS, ...TRUST]);
  const docs = readFileSync(new URL('../../../docs/records.md', import.meta.url), 'utf8');
  const { stdout } = await gitMem(createRepository(), ['list', '--help']);
  for (const [i, { word, meaning }] of rows.entries()) {
    const group = i < FRESHNESS.length ? 'freshness' : 'trust';
    expect(docs).toContain(`| \`${word}\` | ${group} | ${meaning} |`);
    expect(stdout).toContain(meaning);
  }
});
