import { join } from 'node:path';
import type { TestRepository } from '../repository.ts';
import { CHAT, startScriptedModel } from '../scripted-model.ts';
import { asker, put, type RealAgent, type RealClient } from './client.ts';

export const opencode: RealClient = {
  host: 'opencode',
  name: 'opencode',
  start: (program, repository) => start(program, repository, 'opencode'),
};

export const kilo: RealClient = {
  host: 'kilo',
  name: 'kilo',
  start: (program, repository) => start(program, repository, 'kilo'),
};

/** Kilo's command line is OpenCode's under other names. */
async function start(program: string[], repository: TestRepository, client: 'opencode' | 'kilo'): Promise<RealAgent> {
  const model = await startScriptedModel(CHAT);
  const env = { ...settingsOf(repository, client, model.url), TERM: 'dumb' };
  const path = (file: string) => join(repository.root, file);
  return {
    model,
    ask: asker(program, repository, {
      model,
      env,
      args: (prompt, before) => ['run', ...(before === undefined ? [] : ['--continue']), prompt],
    }),
    does: {
      read: (file) => ({ tool: { name: 'read', input: { filePath: path(file) } } }),
      write: (file, content) => ({ tool: { name: 'write', input: { filePath: path(file), content } } }),
      edit: (file, removed, added) => ({
        tool: { name: 'edit', input: { filePath: path(file), oldString: removed, newString: added } },
      }),
      run: (command) => ({ tool: { name: 'bash', input: { command, description: 'Runs it.' } } }),
      mcp: (tool, input) => ({ tool: { name: `git-mem_${tool}`, input } }),
      delegate: (task) => ({
        tool: { name: 'task', input: { description: 'Look', prompt: task, subagent_type: 'general' } },
      }),
    },
  };
}

/** Writes the settings by which a client asks the model at `url`, and gives its environment. */
export function settingsOf(repository: TestRepository, client: string, url: string): TestRepository['env'] {
  const options = { baseURL: `${url}/v1`, apiKey: 'x' };
  const models = { m: { name: 'm', tool_call: true, limit: { context: 100_000, output: 4000 } } };
  const provider = { stub: { npm: '@ai-sdk/openai-compatible', name: 'stub', options, models } };
  const settings = { autoupdate: false, share: 'disabled', model: 'stub/m', small_model: 'stub/m', provider };
  put(join(repository.folder, `home/.config/${client}/${client}.json`), JSON.stringify(settings));
  const prefix = client.toUpperCase();
  return {
    ...repository.env,
    [`${prefix}_DISABLE_AUTOUPDATE`]: '1',
    [`${prefix}_DISABLE_MODELS_FETCH`]: '1',
    [`${prefix}_DISABLE_LSP_DOWNLOAD`]: '1',
    [`${prefix}_DISABLE_DEFAULT_PLUGINS`]: '1',
  };
}
