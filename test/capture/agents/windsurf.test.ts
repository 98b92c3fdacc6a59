import { describe, expect, it } from 'vitest';
import { windsurf } from '../../../src/capture/agents/windsurf.ts';

// Payloads as the vendor's pages have them; none was recorded.

describe('Windsurf', () => {
  const common = { trajectory_id: 's', execution_id: 't', timestamp: '2026-01-01T00:00:00Z' };
  const events = (event: string, tool_info: object) =>
    windsurf.toEvents(event, { ...common, agent_action_name: event, tool_info });

  it('reports prompts, each kind of tool, and answers', () => {
    const at = { session: 's', turn: 't' };
    expect(events('pre_user_prompt', { user_prompt: 'hi' })).toMatchObject([{ ...at, kind: 'prompt', text: 'hi' }]);
    const edits = [{ old_string: 'a', new_string: 'b' }];
    expect(events('post_write_code', { file_path: '/repo/a.ts', edits })).toMatchObject([
      { ...at, call: { action: 'edit', paths: ['/repo/a.ts'], change: { removed: 'a', added: 'b' } } },
    ]);
    expect(events('post_run_command', { command_line: 'npm test', cwd: '/repo' })).toMatchObject([
      { cwd: '/repo', call: { action: 'command', command: 'npm test', ok: undefined } },
    ]);
    const mcp = { mcp_server_name: 'github', mcp_tool_name: 'list', mcp_tool_arguments: {}, mcp_result: 'ok' };
    expect(events('post_mcp_tool_use', mcp)).toMatchObject([{ call: { tool: 'github list', output: 'ok' } }]);
    expect(events('post_read_code', { file_path: 'a.ts' })).toMatchObject([
      { call: { action: 'read', paths: ['a.ts'] } },
    ]);
    expect(events('post_cascade_response', { response: 'done' })).toMatchObject([{ kind: 'turn-end', text: 'done' }]);
    expect(events('post_setup_worktree', { worktree_path: '/tmp/w' })).toEqual([]);
  });

  it('distinguishes calls at different times', () => {
    const [first] = events('post_run_command', { command_line: 'x' });
    expect(events('post_run_command', { command_line: 'x' })[0]?.key).toBe(first?.key);
    const [later] = windsurf.toEvents('post_run_command', {
      ...common,
      timestamp: '2',
      tool_info: { command_line: 'x' },
    });
    expect(later?.key).not.toBe(first?.key);
  });
});
