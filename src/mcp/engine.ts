import { GitMemError, messageOf } from '../errors.ts';
import { failureOf, resultOf } from './answer.ts';
import { isToolName } from './arguments.ts';
import { openRepositories } from './repositories.ts';
import { runTool } from './tools.ts';

/** One tool call, as the server hands it on. */
export interface Ask {
  call: number;
  /** Where the repository is looked for. */
  folder: string;
  tool: string;
  given: unknown;
}

/** What came of it: the result for the client, and for the log what was a bug of ours. */
export interface Reply {
  call: number;
  result: ReturnType<typeof failureOf>;
  bug?: string;
}

/** How long the engine waits for another call, in milliseconds: agents ask in bursts. */
const IDLE_MS = 10_000;

/**
 * The process behind the server: it holds the caches, and ends when nobody asks any more, so that a session that goes
 * on for days holds no memory for them, and trouble in a native module ends one call and not the connection.
 */
function main(): void {
  const repositories = openRepositories(process.env);
  let open = 0;
  let idle: NodeJS.Timeout | undefined;

  const end = () => {
    repositories.close();
    process.exit();
  };
  const rest = () => {
    if (open > 0) return;
    if (process.connected) idle = setTimeout(end, IDLE_MS);
    else end();
  };
  process.on('disconnect', rest);
  process.on('message', async (ask: Ask) => {
    clearTimeout(idle);
    open++;
    const reply = await answer(ask);
    open--;
    if (process.connected) process.send?.(reply, undefined, undefined, rest);
    else rest();
  });

  async function answer({ call, folder, tool, given }: Ask): Promise<Reply> {
    try {
      if (!isToolName(tool)) throw new TypeError(`No tool is called ${tool}.`);
      return { call, result: resultOf(await runTool(tool, given, repositories.at(folder), new Date())) };
    } catch (error) {
      const result = failureOf(error);
      if (error instanceof GitMemError) return { call, result };
      return { call, result, bug: error instanceof Error && error.stack ? error.stack : messageOf(error) };
    }
  }
}

main();
