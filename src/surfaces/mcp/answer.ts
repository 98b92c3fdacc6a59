import type { CallToolResult } from '@modelcontextprotocol/server';
import type { McpCaller } from '../../capture/by-hand/saving-agent.ts';
import { GitMemError, messageOf } from '../../errors.ts';
import { sanitiseForModel } from '../../privacy/sanitise.ts';
import { bugReport, machineHint } from '../../setup/bug-report.ts';

/** The library's own would be loaded to validate users' answers, and no server here asks users anything. */
export const NO_VALIDATOR = {
  getValidator: () => {
    throw new Error('Nothing is validated against a JSON Schema here.');
  },
};

/** The time of a tool call, and what is known about the caller. */
export interface Call {
  now: Date;
  caller: McpCaller;
}

/** A tool's answer: as data for programs, and as compact text. */
export interface Answer {
  data: Record<string, unknown>;
  text: string;
}

/** The result of a tool; all of its text is safe for a model to see. */
export function resultOf({ data, text }: Answer): CallToolResult {
  const structuredContent = Object.fromEntries(Object.entries(data).map(([key, value]) => [key, sanitised(value)]));
  return { content: [{ type: 'text', text: sanitiseForModel(text) }], structuredContent };
}

/** An error as the result of a tool, so that the model reads it and knows the next step. */
export function failureOf(error: unknown): CallToolResult {
  return { content: [{ type: 'text', text: sanitiseForModel(linesOn(error).join('\n')) }], isError: true };
}

function linesOn(error: unknown): string[] {
  if (error instanceof GitMemError) return [error.message, error.hint ?? ''].filter(Boolean);
  const failed = `git-mem failed: ${messageOf(error)}`;
  const ofMachine = machineHint(error);
  if (ofMachine !== undefined) return [failed, `Go on without the memory, and tell the user. ${ofMachine}`];
  return [failed, 'This is a bug. Go on without the memory, and tell the user.', bugReport(error)];
}

function sanitised(value: unknown): unknown {
  if (typeof value === 'string') return sanitiseForModel(value);
  if (Array.isArray(value)) return value.map(sanitised);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, sanitised(entry)]));
}
