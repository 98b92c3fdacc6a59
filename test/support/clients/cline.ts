import { join } from 'node:path';
import { CHAT, type Step, startScriptedModel } from '../scripted-model.ts';
import { asker, type RealClient, run } from './client.ts';

export const cline: RealClient = {
  host: 'cline',
  name: 'cline',
  async start(program, repository) {
    const model = await startScriptedModel(CHAT);
    const env = { ...repository.env, CLINE_DISABLE_TELEMETRY: '1', DO_NOT_TRACK: '1', TERM: 'dumb' };
    const account = ['auth', '-p', 'openai', '-k', 'x', '-m', 'gpt-4.1', '-b', `${model.url}/v1`];
    await run(program, account, { cwd: repository.root, env });
    const marked = (mark: string, text: string) => text.trimEnd().replaceAll(/^/gm, mark);
    const patch = (...lines: string[]): Step => ({
      tool: {
        name: 'apply_patch',
        input: { input: `*** Begin Patch\n${lines.join('\n')}\n*** End Patch` },
      },
    });
    return {
      model,
      ask: asker(program, repository, {
        model,
        env,
        // Every prompt is a session of its own.
        args: (prompt) => ['--json', prompt],
      }),
      does: {
        read: (file) => ({
          tool: { name: 'read_files', input: { files: [{ path: join(repository.root, file) }] } },
        }),
        write: (file, content) => patch(`*** Add File: ${file}`, marked('+', content)),
        edit: (file, removed, added) =>
          patch(`*** Update File: ${file}`, '@@', marked('-', removed), marked('+', added)),
        delegate: (task) => ({ tool: { name: 'spawn_agent', input: { systemPrompt: 'You look.', task } } }),
        run: (command) => ({ tool: { name: 'run_commands', input: { commands: [command] } } }),
      },
    };
  },
};
