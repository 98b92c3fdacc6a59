import { join } from 'node:path';
import { MESSAGES, startScriptedModel } from '../scripted-model.ts';
import { asker, type RealClient } from './client.ts';

export const claudeCode: RealClient = {
  host: 'claude-code',
  name: 'claude',
  isAheadOfServers: true,
  async start(program, repository) {
    const model = await startScriptedModel(MESSAGES);
    const env = {
      ...repository.env,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'sk-ant-dummy-0000',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      TERM: 'dumb',
    };
    const tools = ['Bash', 'Read', 'Write', 'Edit', 'Agent', 'mcp__git-mem'];
    const path = (file: string) => join(repository.root, file);
    return {
      model,
      ask: asker(program, repository, {
        model,
        env,
        args: (prompt, before) => [
          ...['-p', prompt, ...(before === undefined ? [] : ['--continue'])],
          ...['--permission-mode', 'acceptEdits', '--allowedTools', ...tools],
        ],
      }),
      does: {
        read: (file) => ({ tool: { name: 'Read', input: { file_path: path(file) } } }),
        write: (file, content) => ({ tool: { name: 'Write', input: { file_path: path(file), content } } }),
        edit: (file, removed, added) => ({
          tool: { name: 'Edit', input: { file_path: path(file), old_string: removed, new_string: added } },
        }),
        run: (command) => ({ tool: { name: 'Bash', input: { command } } }),
        mcp: (tool, input) => ({ tool: { name: `mcp__git-mem__${tool}`, input } }),
        delegate: (task) => ({
          tool: {
            name: 'Agent',
            input: { description: 'Look', prompt: task, subagent_type: 'general-purpose', run_in_background: false },
          },
        }),
      },
    };
  },
};
