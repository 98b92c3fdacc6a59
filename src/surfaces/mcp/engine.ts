import type { CallToolResult } from '@modelcontextprotocol/server';
import { enteredWorktree, type McpCaller } from '../../capture/by-hand/saving-agent.ts';
import { GitMemError, messageOf } from '../../errors.ts';
import type { Environment } from '../../user-folders.ts';
import { failureOf, resultOf } from './answer.ts';
import type { ToolName } from './arguments.ts';
import type { Repositories } from './repositories.ts';

/** One tool call, as passed on by the server. `folder`: where to look for the repository. */
type Ask = { folder: string; tool: ToolName; given: unknown; caller: McpCaller };

/** Executes a tool call. */
export type Engine = (ask: Ask) => Promise<CallToolResult>;

/** How long the caches stay open for another call, in milliseconds: agents call in bursts, then pause for hours. */
const IDLE_MS = 10_000;

/** Tools whose records belong where the work is done. */
const WRITES: ReadonlySet<ToolName> = new Set(['save_observation', 'save_summary', 'mark']);

/** Prepares an engine; its parts are loaded with the first call, because many sessions make none. */
export function openEngine(env: Environment, log: (line: string) => void): Engine {
  let repositories: Repositories | undefined;
  let open = 0;
  let idle: NodeJS.Timeout | undefined;

  function rest(): void {
    repositories?.close();
    repositories = undefined;
  }

  async function answer({ folder, tool, given, caller }: Ask): Promise<CallToolResult> {
    try {
      const [{ openRepositories }, { runTool }] = await Promise.all([
        import('./repositories.ts'),
        import('./tools.ts'),
      ]);
      repositories ??= openRepositories(env);
      const started = repositories.at(folder);
      const entered = WRITES.has(tool) ? enteredWorktree(started.project.workspace, caller) : undefined;
      const repository = entered === undefined ? started : repositories.at(entered.root);
      return resultOf(await runTool(tool, given, repository, { now: new Date(), caller: { ...caller, ...entered } }));
    } catch (error) {
      if (!(error instanceof GitMemError)) {
        log(`git-mem mcp: ${error instanceof Error && error.stack ? error.stack : messageOf(error)}`);
      }
      return failureOf(error);
    }
  }

  return async (ask) => {
    clearTimeout(idle);
    open++;
    try {
      return await answer(ask);
    } finally {
      // Unreferenced: the timer must not keep the server alive once the client has closed standard input.
      if (--open === 0) idle = setTimeout(rest, IDLE_MS).unref();
    }
  };
}
