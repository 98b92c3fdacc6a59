import { join } from 'node:path';
import { CHAT, startScriptedModel } from '../scripted-model.ts';
import { asker, put, type RealClient } from './client.ts';

export const pi: RealClient = {
  host: 'pi',
  name: 'pi',
  async start(program, repository) {
    const model = await startScriptedModel(CHAT);
    const limits = { contextWindow: 100_000, maxTokens: 4000 };
    const stub = {
      baseUrl: `${model.url}/v1`,
      api: 'openai-completions',
      apiKey: 'x',
      models: [{ id: 'm', name: 'm', ...limits }],
    };
    put(join(repository.folder, 'home/.pi/agent/models.json'), JSON.stringify({ providers: { stub } }));
    const env = { ...repository.env, PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', TERM: 'dumb' };
    return {
      model,
      ask: asker(program, repository, {
        model,
        env,
        args: (prompt, before) => [
          ...['-p', '--approve', '--provider', 'stub', '--model', 'm'],
          ...(before === undefined ? [] : ['--continue']),
          prompt,
        ],
      }),
      does: {
        read: (path) => ({ tool: { name: 'read', input: { path } } }),
        write: (path, content) => ({ tool: { name: 'write', input: { path, content } } }),
        edit: (path, oldText, newText) => ({ tool: { name: 'edit', input: { path, edits: [{ oldText, newText }] } } }),
        mcp: (tool, input) => ({ tool: { name: `git_mem_${tool}`, input } }),
        run: (command) => ({ tool: { name: 'bash', input: { command } } }),
      },
    };
  },
};
