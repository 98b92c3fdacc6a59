import type { Writable } from 'node:stream';
import * as z from 'zod/mini';
import { GitMemError, messageOf } from '../../errors.ts';
import { jsonIn } from '../../json.ts';
import type { Environment } from '../../user-folders.ts';
import type { ToolName } from './arguments.ts';
import { LONGEST_MESSAGE } from './bounded-lines.ts';
import { openRepositories } from './repositories.ts';
import { runTool } from './tools.ts';

/** The methods, each with the tool that answers it and takes the same parameters. */
const METHODS: Record<string, ToolName> = {
  search: 'search',
  timeline: 'timeline',
  get: 'get_observations',
  turn: 'get_turn',
  save: 'save_observation',
  save_summary: 'save_summary',
  mark: 'mark',
};

const request = z.strictObject({
  id: z.union([z.string(), z.number(), z.null()]),
  method: z.string(),
  params: z.optional(z.record(z.string(), z.unknown())),
});

/** An answer to a line, with the id of its request. */
type Reply = { id: string | number | null } & (
  | { result: Record<string, unknown> }
  | { error: { code: string; message: string; hint: string | null } }
);

/**
 * Answers requests of a program, a JSON object a line, in their order, until there are no more. `by` is what records that
 * it saves say about their maker.
 */
export async function serveLines(
  { cwd, env, now }: { cwd: string; env: Environment; now: () => Date },
  { lines, output, by }: { lines: AsyncIterable<string>; output: Writable; by: string },
): Promise<void> {
  const repositories = openRepositories(env);
  const write = (reply: Reply) => void output.write(`${JSON.stringify(reply)}\n`);

  async function answer(line: string): Promise<Reply> {
    let id: Reply['id'] = null;
    try {
      const asked = parsed(line);
      id = asked.id;
      const tool = Object.hasOwn(METHODS, asked.method) ? METHODS[asked.method] : undefined;
      if (tool === undefined) {
        throw new GitMemError('bad-input', `There is no method "${asked.method}".`, {
          hint: `Methods are ${Object.keys(METHODS).join(', ')}.`,
        });
      }
      const call = { now: now(), caller: { client: undefined, session: undefined, by } };
      const { data } = await runTool(tool, asked.params ?? {}, repositories.at(cwd), call);
      return { id, result: data };
    } catch (error) {
      return failed(id, error);
    }
  }

  try {
    for await (const line of lines) {
      if (line.trim() !== '') write(await answer(line));
    }
  } finally {
    repositories.close();
  }
}

function parsed(line: string): z.infer<typeof request> {
  if (line.length > LONGEST_MESSAGE) {
    throw new GitMemError('too-large', `The line has more than ${LONGEST_MESSAGE / 1_000_000} million characters.`);
  }
  const given = jsonIn(line);
  if (given === undefined) {
    throw new GitMemError('bad-input', 'The line is not JSON.', { hint: 'Write one JSON object a line.' });
  }
  const result = z.safeParse(request, given);
  if (result.success) return result.data;
  throw new GitMemError('bad-input', 'The line is not a request.', {
    hint: '{"id": 1, "method": "search", "params": {"query": "retry"}}',
  });
}

function failed(id: Reply['id'], error: unknown): Reply {
  if (!(error instanceof GitMemError)) return { id, error: { code: 'bug', message: messageOf(error), hint: null } };
  return { id, error: { code: error.code, message: error.message, hint: error.hint ?? null } };
}
