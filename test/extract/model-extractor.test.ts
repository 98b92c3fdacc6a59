import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Budget, createBudget, readSpending } from '../../src/extract/budget.ts';
import { createChain } from '../../src/extract/chain.ts';
import type { Earlier, Extraction, Extractor } from '../../src/extract/extractor.ts';
import { createModelExtractor } from '../../src/extract/model-extractor.ts';
import { buildPrompt } from '../../src/extract/prompt.ts';
import { createAnthropicProvider } from '../../src/extract/providers/anthropic.ts';
import { longSession } from '../support/long-session.ts';
import {
  type Answer,
  apiError,
  halfAnswer,
  type MessagesApi,
  prose,
  silence,
  startMessagesApi,
  toolCall,
} from '../support/messages-api.ts';
import { callOf, contextOf, SOURCES, turnOf } from '../support/turns.ts';

const KEY = ['sk', 'ant', 'api03', 'Zq7'.repeat(20)].join('-');
const MODEL = 'anthropic/claude-haiku-4-5';
const digest = { request: 'Find the cause.', investigated: [], learned: [], completed: [], next_steps: [], notes: [] };
const observation = {
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
const good = { digest, observations: [observation] };

const turn = turnOf({
  prompt: 'users get random 401s',
  calls: [callOf({ action: 'edit', paths: ['src/auth.ts'], change: { removed: 'a', added: 'b' } })],
  reply: 'Fixed.',
});

const byRules: Extraction = {
  observations: [],
  digest: { ...digest, notes: ['From the rules.'] },
  extractor: 'rules/1',
};
const rules: Extractor = { extract: async () => byRules };

let folder: string;
let budget: Budget;
let api: MessagesApi | undefined;
let lines: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'git-mem-extract-'));
  budget = createBudget({
    file: join(folder, 'budget.json'),
    account: 'anthropic',
    dailyTokens: 2_000_000,
    now: () => new Date(),
  });
  lines = [];
});

afterEach(async () => {
  await api?.close();
  api = undefined;
  rmSync(folder, { recursive: true });
});

/** An extractor in front of a server that answers by this script, alone in its chain. */
async function extractor(...script: Answer[]): Promise<Extractor> {
  api = await startMessagesApi(script);
  // Short only where an answer never comes, and long enough that the question is there by then.
  const timeoutMs = script.includes(silence) || script.includes(halfAnswer) ? 2_000 : 60_000;
  const log = (line: string) => lines.push(line);
  const provider = createAnthropicProvider({ apiKey: KEY, baseUrl: api.url, timeoutMs, retries: 0 });
  const link = { id: 'one', name: MODEL, extractor: createModelExtractor({ provider, budget, sources: SOURCES, log }) };
  return createChain([link], { state: folder, now: true, clock: () => new Date(), rules, endsInRules: false, log });
}

const totals = () => readSpending(join(folder, 'budget.json'), new Date()).totals;
const sent = () => api?.requests.length;

describe('the model extractor', () => {
  it('makes observations and a digest of one answer, in one request', async () => {
    const extraction = await (await extractor(toolCall(good))).extract(turn, contextOf({}));
    expect(extraction).toEqual({
      observations: [observation],
      digest,
      extractor: MODEL,
      spent: { input: 1_200, output: 300 },
    });
    expect(sent()).toBe(1);
    expect(totals()).toEqual({ [MODEL]: { input: 1_200, output: 300, calls: 1 } });
    expect(api?.requests[0]?.body.messages[0]?.content).toContain('users get random 401s');
  });

  it.each([
    ['prose around JSON', prose(`Here you are: ${JSON.stringify(good)} Anything else?`)],
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
    const extraction = await (await extractor(answer)).extract(turn, contextOf({}));
    expect(extraction).toMatchObject({ observations: [observation], digest, extractor: MODEL });
    expect(sent()).toBe(1);
  });

  it('leaves no memory where the model says skip', async () => {
    const extraction = await (await extractor(toolCall({ skip: 'only a greeting' }))).extract(turn, contextOf({}));
    expect(extraction).toMatchObject({ observations: [], digest: { request: '' }, extractor: MODEL });
    expect(lines.join()).toContain('only a greeting');
  });

  it('takes an empty list for an answer, and the request from the prompt', async () => {
    const extraction = await (await extractor(toolCall({ observations: [] }))).extract(turn, contextOf({}));
    expect(extraction).toMatchObject({ observations: [], digest: { request: 'users get random 401s' } });
    expect(sent()).toBe(1);
  });

  it('turns an unknown type into a change', async () => {
    const odd = { ...good, observations: [{ ...observation, type: 'epiphany' }] };
    const { observations } = await (await extractor(toolCall(odd))).extract(turn, contextOf({}));
    expect(observations[0]?.type).toBe('change');
  });

  it('asks once more about an unusable answer and says what was wrong', async () => {
    const broken = prose('{"observations": [{"title": oops}]}');
    const extraction = await (await extractor(broken, toolCall(good))).extract(turn, contextOf({}));
    expect(extraction).toMatchObject({
      observations: [observation],
      extractor: MODEL,
      spent: { input: 2_400, output: 600 },
    });
    const [first, second] = api?.requests ?? [];
    expect(second?.body.messages[0]?.content).toContain(first?.body.messages[0]?.content);
    expect(second?.body.messages[0]?.content).toContain('no JSON object');
    expect(second?.body.messages[0]?.content).toContain('oops');
  });

  it('falls back after two unusable answers, and still counts what they cost', async () => {
    const untitled = toolCall({ observations: [{ narrative: 'It works.' }] });
    const extraction = await (await extractor(untitled, prose('Sorry.'))).extract(turn, contextOf({}));
    expect(extraction).toEqual(byRules);
    expect(totals()).toEqual({ [MODEL]: { input: 2_400, output: 600, calls: 2 } });
    expect(sent()).toBe(2);
    expect(lines).toHaveLength(2);
  });

  it('asks for less when an answer was cut off before anything was whole', async () => {
    const extraction = await (await extractor(toolCall({}, 'max_tokens'), toolCall(good))).extract(turn, contextOf({}));
    expect(extraction.observations).toEqual([observation]);
    expect(api?.requests[1]?.body.messages[0]?.content).toContain('fewer');
  });

  it.each([
    ['a prompt that is too long', apiError(400, 'invalid_request_error', 'prompt is too long')],
    ['a model that does not exist', apiError(404, 'not_found_error', 'model: nonsense')],
    ['a model that declines', toolCall({}, 'refusal')],
  ])('falls back at once on %s', async (_name, answer) => {
    const extraction = await (await extractor(answer)).extract(turn, contextOf({}));
    expect(extraction.extractor).toBe('rules/1');
    expect(sent()).toBe(1);
    expect(lines).toHaveLength(1);
  });

  it.each([
    ['overload', apiError(529, 'overloaded_error', 'Overloaded'), { class: 'overloaded' }],
    [
      'a rate limit',
      apiError(429, 'rate_limit_error', 'slow', { 'retry-after': '90' }),
      { class: 'rate-limit', retryAfterMs: 90_000 },
    ],
    ['a refused key', apiError(401, 'authentication_error', `invalid key ${KEY}`), { class: 'auth' }],
    ['an empty account', apiError(400, 'invalid_request_error', 'Your credit balance is too low'), { class: 'quota' }],
    ['a failing server', apiError(500, 'api_error', 'Internal server error'), { class: 'transient' }],
    ['a server that never answers', silence, { class: 'transient' }],
    ['a server that stops in the middle', halfAnswer, { class: 'transient' }],
  ])('rejects on %s, so that the turn is kept for later', async (_name, answer, expected) => {
    const rejected = (await extractor(answer)).extract(turn, contextOf({}));
    await expect(rejected).rejects.toMatchObject({ code: 'provider', ...expected });
    await expect(rejected).rejects.not.toThrow(KEY);
    expect(lines.join()).not.toContain(KEY);
    expect(sent()).toBe(1);
  });

  it('sends nothing once the daily budget is spent', async () => {
    const ready = await extractor(toolCall(good));
    budget.spend({ input: 1_999_000, output: 0 }, MODEL);
    await expect(ready.extract(turn, contextOf({}))).rejects.toMatchObject({ class: 'quota' });
    expect(sent()).toBe(0);
  });

  it('shows earlier observations and lets only those be superseded', async () => {
    const earlier: Earlier[] = [
      {
        id: 'k3v9x2qd7m',
        type: 'decision',
        title: 'Expiry has grace',
        narrative: '',
        facts: [],
        files_modified: ['src/auth.ts'],
      },
    ];
    const answer = { ...good, observations: [{ ...observation, supersedes: ['k3v9x2qd7m', 'p8w2m4ta1c'] }] };
    const { observations } = await (await extractor(toolCall(answer))).extract(turn, contextOf({ earlier }));
    expect(observations[0]?.supersedes).toEqual(['k3v9x2qd7m']);
    expect(api?.requests[0]?.body.messages[0]?.content).toContain('k3v9x2qd7m decision: Expiry has grace');
  });

  it('sends at most 1.5 characters for each new one over a session of twenty turns', async () => {
    const turns = longSession();
    const ready = await extractor(...turns.map(() => toolCall(good)));
    const earlier: Earlier[] = [];
    const requests: string[] = [];
    let fresh = 0;
    for (const [index, one] of turns.entries()) {
      const context = contextOf({ earlier: [...earlier], requests: [...requests] });
      const { newCharacters } = buildPrompt(one, context, SOURCES);
      fresh += newCharacters;
      const { observations } = await ready.extract(one, context);
      requests.push(one.prompt);
      for (const [n, draft] of [...observations, ...observations].entries()) {
        earlier.push({ ...draft, id: `id${index}x${n}`.padEnd(10, '0'), title: `${draft.title}, part ${index}` });
      }
    }
    // Everything in the body that a model reads: system, turn, and the tool with its schema.
    const bodies = api?.requests.map(({ body }) => body) ?? [];
    const characters = bodies.map(
      (body) => body.system.length + (body.messages[0]?.content.length ?? 0) + JSON.stringify(body.tools).length,
    );
    const total = characters.reduce((sum, count) => sum + count, 0);
    expect(bodies).toHaveLength(20);
    expect(fresh / 20).toBeGreaterThan(2_500);
    expect(fresh / 20).toBeLessThan(8_000);
    expect(total / fresh).toBeLessThanOrEqual(1.5);
    // What is sent for a turn does not grow with the session.
    expect(Math.max(...characters.slice(15))).toBeLessThan(Math.max(...characters.slice(0, 5)) * 1.15);
  });
});
