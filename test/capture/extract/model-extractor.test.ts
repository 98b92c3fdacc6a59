import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Budget, createBudget, readSpending } from '../../../src/capture/extract/budget.ts';
import type { Extractor, Known } from '../../../src/capture/extract/extractor.ts';
import { createModelExtractor } from '../../../src/capture/extract/model.ts';
import { createAnthropicProvider } from '../../../src/capture/extract/providers/anthropic.ts';
import { withFallback } from '../../../src/capture/extract/select.ts';
import { half, nothing } from '../../support/loopback.ts';
import {
  type Answer,
  apiError,
  type MessagesApi,
  prose,
  startMessagesApi,
  toolCall,
} from '../../support/messages-api.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { callOf, contextOf, MODE, turnOf } from '../../support/turns.ts';

/** Half an answer comes, and nothing more. */
const unfinished = half('open');
const turnKey = 'prompt-1';
const KEY = ['sk', 'ant', 'api03', 'Zq7'.repeat(20)].join('-');
const MODEL = 'anthropic/claude-haiku-4-5';
const summary = { request: 'Find the cause.', investigated: [], learned: [], completed: [], next_steps: [], notes: [] };
const observation = {
  turn: '1',
  type: 'bugfix',
  title: 'Tokens from a node whose clock runs ahead are accepted',
  subtitle: '',
  narrative: 'Verification now allows 30 seconds.',
  facts: ['node --test passes.'],
  concepts: ['auth'],
  files_read: [],
  files_modified: ['src/auth.ts'],
  supersedes: [],
};
/** What a record of it is made from. */
const drafted = { ...observation, turn: turnKey };
const good = { summary, observations: [observation] };

const turn = turnOf({
  prompt: 'users get random 401s',
  calls: [callOf({ action: 'edit', paths: ['src/auth.ts'], change: { removed: 'a', added: 'b' } })],
  reply: 'Fixed.',
});

let folder: string;
let budget: Budget;
let api: MessagesApi | undefined;
let lines: string[];

beforeEach(() => {
  folder = scratchFolder();
  const file = join(folder, 'budget.json');
  budget = createBudget({ file, account: 'anthropic', dailyTokens: 2_000_000, now: () => new Date() });
  lines = [];
});

/** An extractor in front of a server that answers by this script, without a fallback. */
async function extractor(...script: Answer[]): Promise<Extractor> {
  api = await startMessagesApi(script);
  // Short only where an answer never comes, and long enough that the question is there by then.
  const timeoutMs = script.includes(nothing) || script.includes(unfinished) ? 2_000 : 60_000;
  const log = (line: string) => lines.push(line);
  const provider = createAnthropicProvider({ apiKey: KEY, baseUrl: api.url, timeoutMs });
  const link = {
    id: 'one',
    name: MODEL,
    extractor: createModelExtractor({ provider, budget, mode: MODE, clean: async (text) => text, log }),
  };
  return withFallback([link], { state: folder, now: true, clock: () => new Date(), log });
}

const totals = () => readSpending(join(folder, 'budget.json'), new Date()).totals;
const sent = () => api?.calls.length;

describe('the model extractor', () => {
  it('makes observations and a summary of one answer, in one request', async () => {
    const extraction = await (await extractor(toolCall(good))).extract([turn], contextOf({}));
    expect(extraction).toEqual({
      observations: [drafted],
      summary,
      extractor: MODEL,
      spent: { input: 1_200, output: 300 },
    });
    expect(sent()).toBe(1);
    expect(totals()).toEqual({ [MODEL]: { input: 1_200, output: 300, calls: 1 } });
    expect(api?.calls[0]?.body.messages[0]?.content).toContain('users get random 401s');
  });

  it.each([
    ['a fence', prose(`\`\`\`json\n${JSON.stringify(good, null, 2)}\n\`\`\``)],
    [
      'text that was cut off after an observation',
      prose(JSON.stringify({ ...good, observations: [observation, observation] }).slice(0, -60), 'max_tokens'),
    ],
    [
      'a call that was cut off after an observation',
      toolCall({ ...good, observations: [observation, { type: 'change' }] }, 'max_tokens'),
    ],
  ])('accepts %s without asking again', async (_name, answer) => {
    const extraction = await (await extractor(answer)).extract([turn], contextOf({}));
    expect(extraction).toMatchObject({ observations: [drafted], summary, extractor: MODEL });
    expect(sent()).toBe(1);
  });

  it('leaves no memory where the model says skip', async () => {
    const extraction = await (await extractor(toolCall({ skip: 'only a greeting' }))).extract([turn], contextOf({}));
    expect(extraction).toMatchObject({ observations: [], summary: undefined, extractor: MODEL });
    expect(lines).toEqual([]);
  });

  it('accepts an empty list as an answer, and keeps what the previous summary said', async () => {
    const ready = await extractor(toolCall({ observations: [] }));
    expect(await ready.extract([turn], contextOf({ summary }))).toMatchObject({ observations: [], summary });
    expect(sent()).toBe(1);
  });

  it('names the turn that an observation is about, and accepts none about a turn that the agent closed', async () => {
    const turns = [turn, turnOf({ key: 'prompt-2', saved: true }), turnOf({ key: 'prompt-3', reply: 'Done.' })];
    const said = ['1', '2', 'turn 3', 'none'].map((number, n) => ({
      ...observation,
      turn: number,
      title: `Title number ${n}`,
    }));
    const { observations } = await (await extractor(toolCall({ observations: said }))).extract(turns, contextOf({}));
    expect(observations.map((draft) => draft.turn)).toEqual(['prompt-1', 'prompt-3', 'prompt-3']);
  });

  it('asks once more about an unusable answer and says what was wrong', async () => {
    const broken = prose('{"observations": [{"title": oops}]}');
    const extraction = await (await extractor(broken, toolCall(good))).extract([turn], contextOf({}));
    expect(extraction).toMatchObject({
      observations: [drafted],
      extractor: MODEL,
      spent: { input: 2_400, output: 600 },
    });
    const [first, second] = api?.calls ?? [];
    expect(second?.body.messages[0]?.content).toContain(first?.body.messages[0]?.content);
    expect(second?.body.messages[0]?.content).toContain('no JSON object');
    expect(second?.body.messages[0]?.content).toContain('oops');
  });

  it('keeps the turns for later after two unusable answers, and still counts their cost', async () => {
    const untitled = toolCall({ observations: [{ narrative: 'It works.' }] });
    const asked = (await extractor(untitled, prose('Sorry.'))).extract([turn], contextOf({}));
    await expect(asked).rejects.toMatchObject({ class: 'invalid-output' });
    expect(totals()).toEqual({ [MODEL]: { input: 2_400, output: 600, calls: 2 } });
    expect(sent()).toBe(2);
    expect(lines).toHaveLength(2);
  });

  it('asks for less when an answer was cut off before anything was complete', async () => {
    const extraction = await (await extractor(toolCall({}, 'max_tokens'), toolCall(good))).extract(
      [turn],
      contextOf({}),
    );
    expect(extraction.observations).toEqual([drafted]);
    expect(api?.calls[1]?.body.messages[0]?.content).toContain('fewer');
  });

  it.each([
    ['a prompt that is too long', apiError(400, 'invalid_request_error', 'prompt is too long')],
    ['a model that does not exist', apiError(404, 'not_found_error', 'model: nonsense')],
    ['a model that declines', toolCall({}, 'refusal')],
  ])('does not ask a second time on %s', async (_name, answer) => {
    await expect((await extractor(answer)).extract([turn], contextOf({}))).rejects.toMatchObject({ code: 'provider' });
    expect(sent()).toBe(1);
  });

  it.each([
    [
      'a rate limit',
      apiError(429, 'rate_limit_error', 'slow', { 'retry-after': '90' }),
      { class: 'rate-limit', retryAfterMs: 90_000 },
    ],
    ['a refused key', apiError(401, 'authentication_error', `invalid key ${KEY}`), { class: 'auth' }],
    ['a server that never answers', nothing, { class: 'transient' }],
    ['a server that stops in the middle', unfinished, { class: 'transient' }],
  ])('rejects on %s, so that the turn is kept for later', async (_name, answer, expected) => {
    const rejected = (await extractor(answer)).extract([turn], contextOf({}));
    await expect(rejected).rejects.toMatchObject({ code: 'provider', ...expected });
    await expect(rejected).rejects.not.toThrow(KEY);
    expect(lines.join()).not.toContain(KEY);
    expect(sent()).toBe(1);
  });

  it('sends nothing once the daily budget is spent', async () => {
    const ready = await extractor(toolCall(good));
    budget.spend({ input: 1_999_000, output: 0 }, MODEL);
    await expect(ready.extract([turn], contextOf({}))).rejects.toMatchObject({ class: 'quota' });
    expect(sent()).toBe(0);
  });

  it('shows the nearest records of the whole store, and allows only those to be superseded', async () => {
    const known = (id: string, title: string): Known => ({
      id,
      type: 'discovery',
      title,
      narrative: 'It is broken.',
      facts: [],
      files_modified: ['src/auth.ts'],
    });
    const asked: unknown[] = [];
    const context = contextOf({
      earlier: [known('p8w2m4ta1c', 'Expiry has grace')],
      nearest: async (topic) => {
        asked.push(topic);
        return [known('k3v9x2qd7m', 'Login fails with a clock ahead')];
      },
    });
    const answer = {
      ...good,
      observations: [{ ...observation, supersedes: ['k3v9x2qd7m', 'p8w2m4ta1c', 'zzzzzzzzzz'] }],
    };
    const { observations } = await (await extractor(toolCall(answer))).extract([turn], context);
    expect(observations[0]?.supersedes).toEqual(['k3v9x2qd7m', 'p8w2m4ta1c']);
    expect(asked).toEqual([{ files: ['src/auth.ts'], text: expect.stringContaining('random 401s') }]);
    const question = api?.calls[0]?.body.messages[0]?.content;
    expect(question).toContain('k3v9x2qd7m discovery: Login fails with a clock ahead. It is broken.');
    expect(question).toContain('p8w2m4ta1c discovery: Expiry has grace');
  });
});
