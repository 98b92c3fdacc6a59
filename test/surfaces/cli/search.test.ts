import { expect, onTestFinished, vi } from 'vitest';
import { remember } from '../../support/command.ts';
import { gitMem } from '../../support/command-line.ts';
import { it } from '../../support/with-repository.ts';
import { at, createMemory, idsOf } from './searched-memory.ts';

it('accepts names for recent days', async ({ repository }) => {
  // At noon, as today is another day to a command that begins after midnight.
  vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00Z'), toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  remember(repository, [
    { id: 'aaaaaaaaaa', ...at('2026-11-20T12:00:00Z') },
    { id: 'bbbbbbbbbb', ...at('2026-11-19T12:00:00Z') },
    { id: 'cccccccccc', ...at('2026-10-21T12:00:00Z') },
  ]);
  expect(idsOf((await gitMem(repository, ['search', '--json', '--since', 'yesterday'])).stdout)).toEqual([
    'aaaaaaaaaa',
    'bbbbbbbbbb',
  ]);
  expect(idsOf((await gitMem(repository, ['search', '--json', '--until', '2 weeks ago'])).stdout)).toEqual([
    'cccccccccc',
  ]);
  expect(
    JSON.parse((await gitMem(repository, ['list', '--json', '--since', '2 days ago', '--until', 'yesterday'])).stdout)
      .total,
  ).toBe(1);
});

it('accepts any text as a query', async () => {
  const repository = createMemory();
  const odd =
    'src/db.ts~"~it\'s~a AND OR NOT NEAR(~*~(~title:x~^x~%~😀~東京~\'; DROP TABLE~\\~ ~-~--x y~{}~""~{"x":1}~- -~${x}';
  const texts = [...odd.split('~'), 'title:alpha^2 NEAR(x y)', 'alpha\u0000beta', '\ud800'];
  texts.push('clock '.repeat(20_000), '"'.repeat(1000), '-a '.repeat(1000));
  for (const text of texts)
    expect(await gitMem(repository, ['search', '--json', '--', text]), text.slice(0, 20)).toMatchObject({
      code: 0,
      stderr: '',
    });
  expect((await gitMem(repository, ['search', '--', '--limt'])).code).toBe(0);
  expect((await gitMem(repository, ['search', 'clock', 'x'.repeat(100_000)])).code).toBe(0);
});
