import { join } from 'node:path';
import { CHAT, startScriptedModel } from '../scripted-model.ts';
import { asker, put, type RealClient } from './client.ts';

export const factoryDroid: RealClient = {
  host: 'factory-droid',
  name: 'droid',
  isAheadOfServers: true,
  async start(program, repository) {
    const model = await startScriptedModel(CHAT);
    const own = {
      model: 'stub-model',
      displayName: 'Stub',
      baseUrl: `${model.url}/v1`,
      apiKey: 'x',
      provider: 'generic-chat-completion-api',
      maxOutputTokens: 4000,
    };
    const settings = { customModels: [own], enableDroidShield: false };
    put(join(repository.folder, 'home/.factory/settings.json'), JSON.stringify(settings));
    const env = {
      ...repository.env,
      FACTORY_API_KEY: 'fk-dummy',
      FACTORY_AIRGAP_ENABLED: 'true',
      FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false',
      TERM: 'dumb',
    };
    const path = (file: string) => join(repository.root, file);
    const risk = { timeout: 60, riskLevel: 'low', riskLevelReason: 'tests' };
    return {
      model,
      ask: asker(program, repository, {
        model,
        env,
        // Every prompt is a session of its own.
        args: (prompt) => ['exec', '--auto', 'high', '-m', 'custom:Stub-0', prompt],
      }),
      does: {
        read: (file) => ({ tool: { name: 'Read', input: { file_path: path(file) } } }),
        write: (file, content) => ({ tool: { name: 'Create', input: { file_path: path(file), content } } }),
        edit: (file, removed, added) => ({
          tool: {
            name: 'Edit',
            input: { file_path: path(file), old_str: removed, new_str: added, change_all: false },
          },
        }),
        run: (command) => ({ tool: { name: 'Execute', input: { command, summary: 'Runs it.', ...risk } } }),
        mcp: (tool, input) => ({ tool: { name: `git-mem___${tool}`, input } }),
        delegate: (task) => ({
          tool: {
            name: 'Task',
            input: { subagent_type: 'worker', description: 'Look', prompt: task, await: true },
          },
        }),
      },
    };
  },
};
