import { expect, it } from 'vitest';
import { longSession } from '../../support/long-session.ts';
import { costOf } from '../../support/model-session.ts';

it('asks a model at most three times about a session of twenty turns, with at most 1.2 characters sent for each new one', async () => {
  const { calls, fresh, sent, observations } = await costOf(longSession());
  expect(fresh / 20).toBeGreaterThan(2_000);
  expect(calls).toBeGreaterThan(0);
  expect(calls).toBeLessThanOrEqual(3);
  expect(sent / fresh).toBeLessThanOrEqual(1.2);
  expect(observations).toBe(calls);
});
