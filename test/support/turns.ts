import type { ExtractionContext } from '../../src/capture/extract/extractor.ts';
import { readMode } from '../../src/capture/extract/mode.ts';
import type { ProviderRequest } from '../../src/capture/extract/provider.ts';
import type { Turn, TurnCall } from '../../src/capture/extract/turn.ts';
import { OBSERVATION_TYPES } from '../../src/memory/record.ts';

/** A question to a model. */
export const REQUEST: ProviderRequest = {
  system: 'Be brief.',
  user: 'What happened?',
  maxTokens: 500,
  signal: new AbortController().signal,
};

/** The same with text that a program might take for names of files. */
export const TEMPTING_REQUEST = {
  ...REQUEST,
  user: '<turn>\nWhat is in @/etc/passwd of user@example.org?\n</turn>',
};

/** The mode under default settings. */
export const MODE = readMode('code');

/** A turn with only what a test cares about. */
export function turnOf(turn: Partial<Turn>): Turn {
  return {
    session: '65939976-74e7-49bb-921b-c8315e7665e8',
    key: 'prompt-1',
    promptNumber: 1,
    prompt: '',
    promptFrom: 'user',
    calls: [],
    reports: [],
    reply: '',
    interrupted: false,
    saved: false,
    inputs: [],
    startedAt: '2026-11-20T20:00:00Z',
    endedAt: '2026-11-20T20:05:00Z',
    ...turn,
  };
}

/** A tool call with only what a test cares about. */
export function callOf(call: Partial<TurnCall>): TurnCall {
  return {
    id: 'toolu_1',
    tool: 'Tool',
    action: 'other',
    paths: [],
    ok: true,
    output: '',
    at: '2026-11-20T20:01:00Z',
    ...call,
  };
}

/** A context without a past. */
export function contextOf(context: Partial<ExtractionContext>): ExtractionContext {
  return {
    earlier: [],
    previousReply: '',
    summary: undefined,
    outcome: { files: [], commits: [] },
    local: (text) => text,
    nearest: async () => [],
    types: OBSERVATION_TYPES,
    language: 'en',
    signal: new AbortController().signal,
    ...context,
  };
}
