import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createBudget, readBackoff } from '../../../src/capture/extract/budget.ts';
import { createModelExtractor } from '../../../src/capture/extract/model.ts';
import { type Provider, type ProviderErrorClass, REACTIONS } from '../../../src/capture/extract/provider.ts';
import { type Asked, withFallback } from '../../../src/capture/extract/select.ts';
import { nothing, type Reaction, startLoopback } from '../../support/loopback.ts';
import { openAiLike } from '../../support/model-protocols.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { TROUBLED } from '../../support/troubles.ts';
import { callOf, contextOf, MODE, turnOf } from '../../support/turns.ts';

const KEY = ['sk', 'test', 'Zq7'.repeat(20)].join('-');
const NOW = new Date('2026-11-20T20:00:00.000Z');

const summary = { request: '', investigated: [], learned: [], completed: [], next_steps: [], notes: [] };
const turn = turnOf({
  prompt: 'users get random 401s',
  calls: [callOf({ action: 'edit', paths: ['src/auth.ts'], change: { removed: 'a', added: 'b' } })],
  reply: 'Fixed.',
});

const SECOND = openAiLike('ollama');
const good = SECOND.said({ text: JSON.stringify({ summary, observations: [] }) });
const down = SECOND.error(429, 'Too many requests.', { 'retry-after': '600' });

/** What a test may change. */
interface Changes {
  state?: string;
  now?: boolean;
  at?: Date;
}

/** A provider and its fallback, and what is logged. */
function asked(providers: Provider[], { state = scratchFolder(), now = false, at = NOW }: Changes) {
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  const file = join(state, 'spending.json');
  const all: Asked[] = providers.map((provider, index) => {
    const id = index === 0 ? 'first' : 'second';
    const budget = createBudget({ file, account: id, dailyTokens: 1_000_000, now: () => at });
    return {
      id,
      name: id,
      extractor: createModelExtractor({ provider, budget, mode: MODE, clean: async (text) => text, log }),
    };
  });
  const extractor = withFallback(all, { state, now, clock: () => at, log });
  const restOf = (id: string) => {
    const backoff = readBackoff(state, id);
    return backoff === undefined ? 0 : (Date.parse(backoff.until) - at.getTime()) / 60_000;
  };
  return { ...extractor, state, lines, restOf, ask: () => extractor.extract([turn], contextOf({})) };
}

/** A provider whose server answers by this script. */
async function served(...script: Reaction[]) {
  const server = await startLoopback(...script);
  return { provider: SECOND.create(server.url, '', {}), calls: () => server.calls.length };
}

/** How often the first and the second are asked, by whom the turns are taken, and for how many minutes the first rests. */
const CELLS: Record<ProviderErrorClass, [first: number, second: number, by: string, rest: number]> = {
  auth: [1, 1, 'ollama/some-model', 15],
  quota: [1, 1, 'ollama/some-model', 15],
  'rate-limit': [1, 1, 'ollama/some-model', 120],
  overloaded: [1, 1, 'ollama/some-model', 1],
  transient: [1, 1, 'ollama/some-model', 1],
  'bad-request': [1, 1, 'ollama/some-model', 0],
  'invalid-output': [2, 0, 'waits', 0],
  declined: [1, 0, 'waits', 0],
};
const classes = Object.keys(REACTIONS).filter((name): name is ProviderErrorClass => Object.hasOwn(CELLS, name));

it('has an expectation for every class of error', () => {
  expect(Object.keys(CELLS).sort()).toEqual(Object.keys(REACTIONS).sort());
});

describe.each(TROUBLED)('$name and a fallback', ({ name, inTrouble }) => {
  it.each(classes)('reacts to an error of class %s', async (trouble) => {
    const [first, second, by, rest] = CELLS[trouble];
    const troubled = await inTrouble(trouble, KEY);
    const other = await served(good);
    const both = asked([troubled.provider, other.provider], {});
    const taken = await both
      .ask()
      .then(({ extractor }) => extractor)
      .catch(() => 'waits');
    expect(taken).toBe(by);
    expect([troubled.calls(), other.calls()]).toEqual([first, second]);
    // Claude Code names no time to wait for.
    expect(both.restOf('first')).toBe(name === 'claude-cli' && rest === 120 ? 1 : rest);
    expect(both.lines.join('\n')).not.toContain('Zq7');

    const single = asked([(await inTrouble(trouble, KEY)).provider], {});
    // Nobody else is left: the turns wait, and no record is made up for them.
    await expect(single.ask()).rejects.toMatchObject({ class: trouble });
    expect(single.isResting?.()).toBe(rest > 0);
  });
});

describe('a provider and its fallback', () => {
  it('are swapped while the first fails, and back afterwards', async () => {
    const first = await served(down, good);
    const second = await served(good);
    const providers = [first.provider, second.provider];
    const state = scratchFolder();
    const both = asked(providers, { state });
    for (let n = 0; n < 3; n += 1) await both.ask();
    expect([first.calls(), second.calls()]).toEqual([1, 3]);
    expect(both.lines).toEqual([expect.stringMatching(/^first failed, next is second: .*429/)]);

    const later = asked(providers, { state, at: new Date(NOW.getTime() + 11 * 60_000) });
    await later.ask();
    expect([first.calls(), second.calls()]).toEqual([2, 3]);
    expect(readFileSync(join(state, 'backoff.json'), 'utf8')).toBe('{}');
  });

  it('make a turn wait only when neither can take it, and are not asked twice', async () => {
    const [first, second] = [await served(down), await served(down)];
    const both = asked([first.provider, second.provider], {});
    expect(both.isResting?.()).toBe(false);
    await expect(both.ask()).rejects.toMatchObject({ class: 'rate-limit' });
    expect(both.isResting?.()).toBe(true);
    await expect(both.ask()).rejects.toMatchObject({ code: 'provider' });
    expect([first.calls(), second.calls()]).toEqual([1, 1]);
  });

  it('are both asked once more when a person runs it', async () => {
    const [first, second] = [await served(down), await served(down, good)];
    const providers = [first.provider, second.provider];
    const { state, ask } = asked(providers, {});
    await expect(ask()).rejects.toThrow('429');
    const again = asked(providers, { state, now: true });
    expect([again.isResting?.(), (await again.ask()).extractor]).toEqual([false, 'ollama/some-model']);
    await again.ask();
    expect([first.calls(), second.calls()]).toEqual([2, 3]);
  });

  it('make a turn that is too long for one wait for the other, which is backing off', async () => {
    const small = await served(SECOND.error(400, 'Too long.'));
    const large = await served(down, good);
    const providers = [small.provider, large.provider];
    const { state, ask } = asked(providers, {});
    await expect(ask()).rejects.toMatchObject({ class: 'rate-limit' });
    await expect(ask()).rejects.toMatchObject({ class: 'bad-request' });
    const later = asked(providers, { state, at: new Date(NOW.getTime() + 11 * 60_000) });
    expect((await later.ask()).extractor).toBe('ollama/some-model');
    // Both say that it is nothing for them: it waits.
    const other = await served(SECOND.error(400, 'Too long.'));
    await expect(asked([small.provider, other.provider], {}).ask()).rejects.toMatchObject({ class: 'bad-request' });
  });

  it('are not asked after an interruption, which is no failure', async () => {
    const [first, second] = [await served(nothing), await served(good)];
    const both = asked([first.provider, second.provider], {});
    const controller = new AbortController();
    const asking = both.extract([turn], contextOf({ signal: controller.signal }));
    const failing = expect(asking).rejects.toMatchObject({ class: 'transient' });
    await vi.waitFor(() => expect(first.calls()).toBeGreaterThan(0), { timeout: 60_000, interval: 5 });
    controller.abort();
    await failing;
    expect([second.calls(), both.restOf('first')]).toEqual([0, 0]);
  });
});
