import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestRepository } from './repository.ts';
import {
  GENERATE_CONTENT,
  MESSAGES,
  RESPONSES,
  type ScriptedModel,
  type Step,
  startScriptedModel,
} from './scripted-model.ts';

/** A real coding agent in a repository, whose model is a script. */
export interface RealAgent {
  model: ScriptedModel;
  /** Asks one prompt; every prompt but the first goes on with the same session. */
  ask(prompt: string, steps: Step[]): Promise<{ code: number | null; said: string }>;
  /** Its own way to do some things, as steps of its model. */
  edit(path: string, content: string): Step;
  run(command: string): Step;
  save(given: { title: string; narrative: string; files_modified: string[] }): Step;
}

/** A client that may be installed: `GIT_MEM_CLIENTS` names a folder of npm projects, one a client. */
export interface RealClient {
  host: string;
  /** How a record names it. */
  by: RegExp;
  /** Its program; undefined where it is not installed. */
  find(): string | undefined;
  start(program: string, repository: TestRepository): Promise<RealAgent>;
}

const PATIENCE_MS = 90_000;

/** Works out the arguments of the first prompt, and of later ones. */
type Arguments = (prompt: string, isFirst: boolean) => string[];

function asker(
  command: string[],
  { root }: TestRepository,
  { model, env, args }: { model: ScriptedModel; env: Record<string, string | undefined>; args: Arguments },
): RealAgent['ask'] {
  let asked = 0;
  return async (prompt, steps) => {
    model.script(steps);
    const [program = '', ...before] = command;
    const child = spawn(program, [...before, ...args(prompt, asked++ === 0)], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: PATIENCE_MS,
      killSignal: 'SIGKILL',
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code, said };
  };
}

const claudeCode: RealClient = {
  host: 'claude-code',
  by: /^claude-code\/\d/,
  find: () =>
    installed('claude/node_modules/@anthropic-ai/claude-code-linux-x64/claude', 'CLAUDE_BIN_UNDER_TEST') ??
    onPath('claude'),
  async start(program, repository) {
    const model = await startScriptedModel(MESSAGES);
    const env = {
      ...repository.env,
      ...{ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'sk-ant-dummy-0000' },
      ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1', TERM: 'dumb' },
    };
    const tools = ['Bash', 'Read', 'Write', 'Edit', 'mcp__git-mem'];
    const args: Arguments = (prompt, isFirst) => [
      ...['-p', prompt, ...(isFirst ? [] : ['--continue'])],
      ...['--permission-mode', 'acceptEdits', '--allowedTools', ...tools],
    ];
    return {
      model,
      ask: asker([program], repository, { model, env, args }),
      edit: (path, content) => ({
        tool: { name: 'Write', input: { file_path: join(repository.root, path), content } },
      }),
      run: (command) => ({ tool: { name: 'Bash', input: { command } } }),
      save: (given) => ({ tool: { name: 'mcp__git-mem__save_observation', input: given } }),
    };
  },
};

const codex: RealClient = {
  host: 'codex',
  by: /^codex\/\d/,
  find: () =>
    installed(
      'codex/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex',
      'CODEX_BIN_UNDER_TEST',
    ) ?? onPath('codex'),
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
    const args: Arguments = (prompt, isFirst) => [
      ...['exec', ...flags, '--skip-git-repo-check'],
      ...(isFirst ? [prompt] : ['resume', '--last', prompt]),
    ];
    const exec = (code: string): Step => ({ tool: { name: 'exec', input: { code } } });
    const run = (command: string) => exec(`text(await tools.exec_command({ cmd: ${JSON.stringify(command)} }));`);
    return {
      model,
      ask: asker([program], repository, { model, env, args }),
      edit(path, content) {
        const added = content.trimEnd().replaceAll(/^/gm, '+');
        const patch = `*** Begin Patch\n*** Add File: ${path}\n${added}\n*** End Patch\n`;
        return exec(`text(await tools.apply_patch(${JSON.stringify(patch)}));`);
      },
      run,
      save: ({ title, narrative, files_modified: [path = ''] }) =>
        run(`git mem add --title '${title}' --narrative '${narrative}' --file-modified ${path}`),
    };
  },
};

const geminiCli: RealClient = {
  host: 'gemini-cli',
  by: /^gemini-cli\/\d/,
  find: () =>
    installed('gemini/node_modules/@google/gemini-cli/bundle/gemini.js', 'GEMINI_JS_UNDER_TEST') ?? onPath('gemini'),
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
      ...{ GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: model.url, GEMINI_CLI_NO_RELAUNCH: 'true', TERM: 'dumb' },
    };
    const args: Arguments = (prompt, isFirst) => [
      ...['-p', prompt, '--approval-mode', 'yolo', '-m', 'gemini-2.5-flash'],
      ...(isFirst ? [] : ['--resume', 'latest']),
    ];
    return {
      model,
      ask: asker([process.execPath, program], repository, { model, env, args }),
      edit: (path, content) => ({
        tool: { name: 'write_file', input: { file_path: join(repository.root, path), content } },
      }),
      run: (command) => ({ tool: { name: 'run_shell_command', input: { command, description: 'Runs it.' } } }),
      save: (given) => ({ tool: { name: 'mcp_git-mem_save_observation', input: given } }),
    };
  },
};

export const REAL_CLIENTS: readonly RealClient[] = [claudeCode, codex, geminiCli];

function installed(path: string, variable: string): string | undefined {
  const named = process.env[variable];
  if (named) return named;
  const found = process.env.GIT_MEM_CLIENTS && join(process.env.GIT_MEM_CLIENTS, path);
  return found && existsSync(found) ? found : undefined;
}

function onPath(program: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(':').filter(Boolean);
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
