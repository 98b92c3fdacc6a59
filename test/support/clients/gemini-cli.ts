import { join } from 'node:path';
import { GENERATE_CONTENT, startScriptedModel } from '../scripted-model.ts';
import { asker, put, type RealClient } from './client.ts';

export const geminiCli: RealClient = {
  host: 'gemini-cli',
  name: 'gemini',
  async start(program, repository) {
    const model = await startScriptedModel(GENERATE_CONTENT);
    const home = join(repository.folder, 'home/.gemini');
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
    };
    put(join(home, 'settings.json'), JSON.stringify({ ...settings, general: { enableAutoUpdate: false } }));
    put(join(home, 'trustedFolders.json'), JSON.stringify({ [repository.root]: 'TRUST_FOLDER' }));
    const env = {
      ...repository.env,
      GEMINI_API_KEY: 'dummy',
      GOOGLE_GEMINI_BASE_URL: model.url,
      GEMINI_CLI_NO_RELAUNCH: 'true',
      TERM: 'dumb',
    };
    const path = (file: string) => join(repository.root, file);
    return {
      model,
      ask: asker(program, repository, {
        model,
        env,
        args: (prompt, before) => [
          ...['-p', prompt, '--approval-mode', 'yolo', '-m', 'gemini-2.5-flash'],
          ...(before === undefined ? [] : ['--resume', 'latest']),
        ],
      }),
      does: {
        read: (file) => ({ tool: { name: 'read_file', input: { file_path: path(file) } } }),
        write: (file, content) => ({ tool: { name: 'write_file', input: { file_path: path(file), content } } }),
        edit: (file, removed, added) => ({
          tool: {
            name: 'replace',
            input: { file_path: path(file), instruction: 'Change it.', old_string: removed, new_string: added },
          },
        }),
        run: (command) => ({ tool: { name: 'run_shell_command', input: { command, description: 'Runs it.' } } }),
        mcp: (tool, input) => ({ tool: { name: `mcp_git-mem_${tool}`, input } }),
      },
    };
  },
};
