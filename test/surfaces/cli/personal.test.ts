import { expect } from 'vitest';
import { it } from '../../support/with-repository.ts';

const SHORT = 'Answers in two sentences, without a summary';

it('a session start has the pinned personal record first, within 150 tokens of the budget', async ({ repository }) => {
  const { call } = repository;
  await call('personal', 'init');
  const pinned = JSON.parse(await call('add', '--personal', '--title', SHORT, '--json'));
  for (let i = 0; i < 20; i++) {
    await call('add', '--personal', '--title', `Docker runs through colima here, Docker Desktop is not, case ${i}`);
  }
  await call('pin', `personal:${pinned.id}`);
  await call('add', '--title', 'The queue must be drained before a deploy');
  const { text, tokens, records, dropped } = JSON.parse(await call('context', '--json'));
  const [own, team] = [text.indexOf(SHORT), text.indexOf('The queue must be drained')];
  expect([own > 0, team > own, tokens <= 1000]).toEqual([true, true, true]);
  expect(text.indexOf('</git-mem-personal>')).toBeLessThanOrEqual(600);
  expect(records[0]).toMatchObject({ id: pinned.id, reason: 'personal', trust: 'own' });
  const told = records.filter(({ reason }: { reason: string }) => reason === 'personal').length;
  const left = dropped.filter(({ reason }: { reason: string }) => reason.includes('personal')).length;
  expect(told + left).toBe(21);
});
