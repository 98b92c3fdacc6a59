import { expect, it } from 'vitest';
import { checksOf } from '../../src/capture/extract/checks.ts';

function told(...calls: [command: string, ok: boolean | undefined, output?: string][]): string[] {
  const checks = checksOf({ calls: calls.map(([command, ok, output = '']) => ({ command, ok, output })) });
  return checks.map(({ command, passed }) => `${command}: ${passed ?? 'unknown'}`);
}

it('quotes a command as it was typed', () => {
  expect(told(["cd src && pytest -q -k 'rounds; or > 7 | less' 2>&1", true])).toEqual([
    "pytest -q -k 'rounds; or > 7 | less': true",
  ]);
});

it('tells of each check of a line, of a list that failed as a whole', () => {
  expect(told(['ruff check . && pytest -q && git push', true])).toEqual(['ruff check .: true', 'pytest -q: true']);
  expect(told(['ruff check . && pytest -q', false])).toEqual(['ruff check . && pytest -q: false']);
  expect(told(['ruff check . | tail -1; pytest -q', true])).toEqual(['ruff check .: unknown', 'pytest -q: true']);
});

it('lets the last run of a command count, also one with an unknown end', () => {
  expect(told(['pytest -q', false], ['pytest -q', true])).toEqual(['pytest -q: true']);
  expect(told(['pytest -q', false], ['ruff check . | tail && pytest -q | tail', true])).toEqual([
    'ruff check .: unknown',
    'pytest -q: unknown',
  ]);
});
