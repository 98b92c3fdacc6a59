import { join } from 'node:path';
import { CHAT, startScriptedModel } from '../scripted-model.ts';
import { asker, put, type RealClient } from './client.ts';

export const qwenCode: RealClient = {
  host: 'qwen-code',
  name: 'qwen',
  async start(program, repository) {
    const model = await startScriptedModel(CHAT);
    const settings = {
      security: { auth: { selectedType: 'openai' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
      memory: { enableManagedAutoMemory: false },
    };
    put(join(repository.folder, 'home/.qwen/settings.json'), JSON.stringify(settings));
    const env = {
      ...repository.env,
      OPENAI_API_KEY: 'dummy',
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_MODEL: 'stub',
      TERM: 'dumb',
    };
    const path = (file: string) => join(repository.root, file);
    return {
      model,
      ask: asker(program, repository, {
        model,
        env,
        args: (prompt, before) => [
          '-p',
          prompt,
          '--approval-mode',
          'yolo',
          ...(before === undefined ? [] : ['--continue']),
        ],
      }),
      does: {
        read: (file) => ({ tool: { name: 'read_file', input: { file_path: path(file) } } }),
        write: (file, content) => ({ tool: { name: 'write_file', input: { file_path: path(file), content } } }),
        edit: (file, removed, added) => ({
          tool: { name: 'edit', input: { file_path: path(file), old_string: removed, new_string: added } },
        }),
        run: (command) => ({
          tool: { name: 'run_shell_command', input: { command, description: 'Runs it.', is_background: false } },
        }),
        mcp: (tool, input) => ({ tool: { name: `mcp__git-mem__${tool}`, input } }),
        delegate: (task) => ({
          tool: {
            name: 'agent',
            input: { description: 'Look', prompt: task, subagent_type: 'general-purpose', run_in_background: false },
          },
        }),
      },
    };
  },
};
