import { expect, it } from 'vitest';
import { checksOf } from '../../../src/capture/extract/checks.ts';

const REFUSED = 'The user does not want this.';

function told(...given: [command: string, ok: boolean | undefined, output?: string][]): string[] {
  const calls = given.map(([command, ok, output = '']) => {
    return { command, ok, output, ...(ok === false && output !== REFUSED && { exitCode: 1 }) };
  });
  const { checks } = checksOf({ calls });
  return checks.map(({ command, passed }) => `${command}: ${passed ?? 'unknown'}`);
}

it('quotes a command as it was typed', () => {
  expect(told(['uv run pytest -q 2>&1 > /tmp/out.txt && wc -l /tmp/out.txt', true])).toEqual([
    'uv run pytest -q: true',
  ]);
  expect(told(["cd src && pytest -q -k 'rounds; or > 7 | less' 2>&1", true])).toEqual([
    "pytest -q -k 'rounds; or > 7 | less': true",
  ]);
});

it('tells of each check of a line how it ended, if that of the line says so', () => {
  expect(told(['ruff check . && pytest -q && git push', true])).toEqual(['ruff check .: true', 'pytest -q: true']);
  expect(told(['ruff check . | tail -1; pytest -q', true])).toEqual(['ruff check .: unknown', 'pytest -q: true']);
  expect(told(['pytest -q | tail -1 && ruff check .', true])).toEqual(['pytest -q: unknown', 'ruff check .: true']);
});

it.each([
  ['another check', 'ruff check . && pytest -q', '5 passed in 1.2s'],
  ['another command', 'ruff check . && ty check | tail -40', 'All checks passed!\nerror: Failed to spawn: `ty`'],
])('does not know whether a check failed beside %s', (_, command, output) => {
  expect(told([command, false, output])[0]).toBe('ruff check .: unknown');
});

it.each([
  ['a file that may be missing', 'tail -n 9 a.toml && ruff check .', ''],
  ['a folder that is not there', 'cd web && ruff check .', "sh: 1: cd: can't cd to web"],
  ['a script that is not there', 'source a/b && pytest -q 2>&1 | head -9', 'bash: a/b: No such file or directory'],
  ['another check', 'pytest -q || true; biome check && tsc', 'x'],
])('leaves out what did not run, or may not have, behind %s', (_, command, output) => {
  const before = ['pytest -q: unknown', 'biome check: unknown'];
  expect(told([command, false, output])).toEqual(output === 'x' ? before : []);
});

it('no longer tells a check as passed that may have failed later, behind another command', () => {
  expect(told(['pytest -q', true], ['mv a b && pytest -q', false])).toEqual(['pytest -q: unknown']);
  expect(told(['pytest -q', true], ['mv a b && pytest -q', false], ['pytest -q', true])).toEqual(['pytest -q: true']);
});

it('leaves out what was refused, or stopped before it ended', () => {
  expect(told(['pytest -q', false, REFUSED], ['uv run pytest -q', false])).toEqual(['uv run pytest -q: false']);
});

it('quotes what was set up for a check with it', () => {
  expect(told(['pytest -q', false], ['cd a && source .env && CI=1 time pytest -q', true])).toEqual([
    'pytest -q: false',
    'source .env && CI=1 time pytest -q: true',
  ]);
  expect(told(['export CI=1; timeout 9 pytest -q', false])).toEqual(['export CI=1; timeout 9 pytest -q: false']);
  expect(told(['. a/b && pip install -e . 2>&1 | tail -3 && pytest -q', true])).toEqual([
    '. a/b && pip install -e . | tail -3 && pytest -q: true',
  ]);
});

it('lets the last run of a command count, also one with an unknown end', () => {
  expect(told(['pytest -q', false], ['pytest -q', true])).toEqual(['pytest -q: true']);
  expect(told(['pytest -q', false], ['ruff check . | tail && pytest -q | tail', true])).toEqual([
    'ruff check .: unknown',
    'pytest -q: unknown',
  ]);
});
