import { join } from 'node:path';
import { CHAT, startScriptedModel } from '../scripted-model.ts';
import { asker, type RealClient } from './client.ts';

export const copilot: RealClient = {
  host: 'copilot',
  name: 'copilot',
  async start(program, repository) {
    const model = await startScriptedModel(CHAT);
    const env = {
      ...repository.env,
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`,
      COPILOT_PROVIDER_API_KEY: 'x',
      COPILOT_MODEL: 'gpt-4.1',
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_ALLOW_ALL: 'true',
      TERM: 'dumb',
    };
    const path = (file: string) => join(repository.root, file);
    return {
      model,
      ask: asker(program, repository, {
        model,
        env,
        args: (prompt, before) => ['-p', prompt, '--allow-all-tools', ...(before === undefined ? [] : ['--continue'])],
      }),
      does: {
        read: (file) => ({ tool: { name: 'view', input: { path: path(file) } } }),
        write: (file, content) => ({ tool: { name: 'create', input: { path: path(file), file_text: content } } }),
        edit: (file, removed, added) => ({
          tool: { name: 'edit', input: { path: path(file), old_str: removed, new_str: added } },
        }),
        run: (command) => ({ tool: { name: 'bash', input: { command, description: 'Runs it.', mode: 'sync' } } }),
        mcp: (tool, input) => ({ tool: { name: `git-mem-${tool}`, input } }),
        delegate: (task) => ({
          tool: {
            name: 'task',
            input: { name: 'look', description: 'Look', prompt: task, agent_type: 'general-purpose', mode: 'sync' },
          },
        }),
      },
    };
  },
};
