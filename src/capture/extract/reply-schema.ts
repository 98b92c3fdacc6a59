import type { JsonSchema } from './provider.ts';

const TEXT = { type: 'string' };

/** The summary comes first, so that a truncated answer loses only observations. */
function schemaOf({ list, summary }: { list: JsonSchema; summary: JsonSchema }): JsonSchema {
  return {
    type: 'object',
    properties: {
      skip: TEXT,
      summary,
      observations: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            turn: TEXT,
            type: TEXT,
            title: TEXT,
            subtitle: TEXT,
            narrative: TEXT,
            facts: list,
            concepts: list,
            files_read: list,
            files_modified: list,
            supersedes: list,
          },
          required: ['type', 'title', 'narrative', 'facts'],
        },
      },
    },
  };
}

/**
 * The schema that a model is asked for. It is sent with every question, so the obvious is left out: an array without
 * items holds strings, and only the prompt names the summary's keys.
 */
export const REPLY_SCHEMA: JsonSchema = schemaOf({ list: { type: 'array' }, summary: { type: 'object' } });

const LIST = { type: 'array', items: TEXT };

/** The same with nothing left out, for providers that reject, or never fill, what is not spelled out. */
export const WHOLE_REPLY_SCHEMA: JsonSchema = schemaOf({
  list: LIST,
  summary: {
    type: 'object',
    properties: { request: TEXT, learned: LIST, completed: LIST, next_steps: LIST, notes: LIST },
  },
});
