import { GitMemError } from '../../../errors.ts';
import { type Command, define } from '../command.ts';

export function register(program: Command): void {
  define(program, 'mcp', 'serve this memory to an agent over MCP (stdio)')
    .notes(`
Agents start it themselves; \`git mem init\` registers it for those that read .mcp.json. It offers search, timeline,
get_observations, save_observation, save_summary and mark, for the repository in which the agent works.

Examples:
  git mem init                                    registers it for this repository
  claude mcp add git-mem -- git-mem mcp           registers it for you alone, in Claude Code
  {"mcpServers": {"git-mem": {"command": "git-mem", "args": ["mcp"]}}}    the entry, for any host`)
    .action(() => {
      // The program starts the server before it gets here, unless there are options in between.
      throw new GitMemError('bad-input', '`mcp` takes no other options.', {
        hint: 'Write `git-mem mcp` or `git-mem -C DIR mcp`.',
      });
    });
}
