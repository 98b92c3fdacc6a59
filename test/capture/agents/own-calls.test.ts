import { expect, it } from 'vitest';
import { isOwnSave, isOwnSummary } from '../../../src/capture/agents/own-calls.ts';
import { callOf } from '../../support/turns.ts';

const saved = 'Saved k3v9x2qd7m: .memory/observations/2026-11/a.md';
const refused =
  'The title has fewer than 3 words. Write what is true now and would surprise a colleague, such as "JWT is rejected when ' +
  'the issuer\'s clock runs ahead".\nNothing was saved. If there is nothing more to save, save nothing.';

it.each([
  [{ tool: 'mcp__git-mem__save_observation', output: saved }, true],
  [{ tool: 'mcp__git-mem__save_observation', output: refused }, false],
  [{ tool: 'Bash', command: 'git mem add --title "What -h prints is the help"' }, true],
  [{ tool: 'Bash', command: 'git mem add --help' }, false],
  [{ tool: 'Bash', command: 'git-mem add -h | head -40' }, false],
  [{ tool: 'Bash', command: 'git mem add --help; git mem add --title "The limit is ten rows"' }, true],
])('tells a save from a look at its help and from a refusal: %j', (call, isSave) => {
  expect(isOwnSave(callOf(call))).toBe(isSave);
});

it.each([
  [saved, true],
  [refused, false],
])('tells a summary from a refused one: %s', (output, isSummary) => {
  expect(isOwnSummary(callOf({ tool: 'mcp__git-mem__save_summary', output }))).toBe(isSummary);
});
