import { expect, it } from 'vitest';
import { authorOf } from '../../src/memory/author.ts';

it.each([
  ['cli', undefined, 'person'],
  ['viewer', undefined, 'person'],
  ['mcp', undefined, 'agent'],
  ['claude-code/2.1.329', 'agent', 'agent'],
  ['claude-code', 'anthropic/claude-haiku-4-5', 'model'],
  ['codex', 'openai/org/model', 'model'],
  ['git-mem/bootstrap', 'bootstrap', 'bootstrap'],
  ['serena', 'import/serena', 'person'],
])('a record by %s with extractor %s was written by: %s', (by, extractor, author) => {
  expect(authorOf({ generated: { by }, extractor })).toBe(author);
});
