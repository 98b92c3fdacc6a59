import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { kimiCode as adapter } from '../../../src/capture/agents/kimi-code.ts';
import { CHAT, startScriptedModel } from '../scripted-model.ts';
import { asker, put, type RealClient } from './client.ts';

export const kimiCode: RealClient = {
  host: 'kimi-code',
  name: 'kimi',
  async start(program, repository) {
    const model = await startScriptedModel(CHAT);
    const home = join(repository.folder, 'home/.kimi-code');
    const settings = `default_model = "stub"
telemetry = false

[providers.stub]
type = "openai"
base_url = "${model.url}/v1"
api_key = "x"

[models.stub]
provider = "stub"
model = "m"
max_context_size = 100000
`;
    put(join(home, 'config.toml'), settings);
    // What the person trusted, and added to the settings as `init` says.
    const place = createHash('sha256').update(repository.root).digest('hex').slice(0, 12);
    put(join(home, 'workspace-trust', `wd_${basename(repository.root)}_${place}`), '{}');
    const line = adapter.setup.next.find((step) => step.includes('[[hooks]]'))?.replace(/^.*?(?=for event in)/, '');
    execFileSync('sh', ['-c', line ?? ''], { env: repository.env });
    const env = { ...repository.env, KIMI_CODE_NO_AUTO_UPDATE: '1', TERM: 'dumb' };
    return {
      model,
      ask: asker(program, repository, {
        model,
        env,
        args: (prompt, before) => [...(before === undefined ? [] : ['--continue']), '--prompt', prompt],
      }),
      does: {
        read: (path) => ({ tool: { name: 'Read', input: { path } } }),
        write: (path, content) => ({ tool: { name: 'Write', input: { path, content } } }),
        edit: (path, removed, added) => ({
          tool: { name: 'Edit', input: { path, old_string: removed, new_string: added } },
        }),
        run: (command) => ({ tool: { name: 'Bash', input: { command } } }),
        mcp: (tool, input) => ({ tool: { name: `mcp__git-mem__${tool}`, input } }),
        delegate: (task) => ({
          tool: { name: 'Agent', input: { description: 'Look', prompt: task, subagent_type: 'explore' } },
        }),
      },
    };
  },
};
