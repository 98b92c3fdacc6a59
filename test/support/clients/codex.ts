import { join } from 'node:path';
import { RESPONSES, type Step, startScriptedModel } from '../scripted-model.ts';
import { asker, put, type RealClient } from './client.ts';

/** Codex's model has one tool, which runs JavaScript; the client's tools are functions inside it. */
export const codex: RealClient = {
  host: 'codex',
  name: 'codex',
  async start(program, repository) {
    const model = await startScriptedModel(RESPONSES);
    const provider = [
      ...['name = "stub"', `base_url = "${model.url}/v1"`, 'env_key = "STUB_KEY"', 'wire_api = "responses"'],
      ...['request_max_retries = 0', 'stream_max_retries = 0', 'supports_websockets = false'],
    ];
    const config = [
      ...['model = "gpt-6-sol"', 'model_provider = "stub"', 'check_for_update_on_startup = false'],
      ...['[analytics]', 'enabled = false', '[model_providers.stub]', ...provider],
      ...[`[projects."${repository.root}"]`, 'trust_level = "trusted"'],
    ];
    put(join(repository.folder, 'home/.codex/config.toml'), `${config.join('\n')}\n`);
    // Its shell is a login shell, which begins with a PATH of its own.
    put(join(repository.folder, 'home/.profile'), `export PATH='${repository.env.PATH}'\n`);
    const env = { ...repository.env, STUB_KEY: 'dummy', TERM: 'dumb' };
    const flags = ['--dangerously-bypass-hook-trust', '--dangerously-bypass-approvals-and-sandbox'];
    const call = (tool: string, given: unknown): Step => ({
      tool: { name: 'exec', input: { code: `text(await tools.${tool}(${JSON.stringify(given)}));` } },
    });
    const patch = (...lines: string[]) => call('apply_patch', `*** Begin Patch\n${lines.join('\n')}\n*** End Patch\n`);
    const marked = (mark: string, text: string) => text.trimEnd().replaceAll(/^/gm, mark);
    return {
      model,
      ask: asker(program, repository, {
        model,
        env,
        args: (prompt, before) => [
          ...['exec', ...flags, '--skip-git-repo-check'],
          ...(before === undefined ? [prompt] : ['resume', '--last', prompt]),
        ],
      }),
      does: {
        write: (file, content) => patch(`*** Add File: ${file}`, marked('+', content)),
        edit: (file, removed, added) =>
          patch(`*** Update File: ${file}`, '@@', marked('-', removed), marked('+', added)),
        run: (command) => call('exec_command', { cmd: command }),
        mcp: (tool, input) => call(`mcp__git_mem__${tool}`, input),
      },
    };
  },
};
