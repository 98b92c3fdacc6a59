import { spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../../src/errors.ts';
import { readRecording } from '../../src/setup/demo.ts';

/** A way to install and use git-mem. */
export interface Variant {
  /** A folder of its own, for the repository and the home. */
  folder: string;
  /** Where npm put git-mem. */
  prefix: string;
  /** The folder of the Node that runs it. */
  nodeFolder: string;
  /** What runs the launcher. */
  shell: string[];
  /** Where the launcher finds its tools; without it wherever this process does. */
  tools?: string;
  /** Put before every command. */
  wrapper?: string[];
  env?: Record<string, string>;
}

/** How far a walk came, and on what. */
export interface Walk {
  steps: number;
  /** The first step that did not do what it should, with what it said. */
  failure?: string;
  /** What `doctor` says of the search index, and of the Node that it runs on. */
  index: string;
  node: string;
}

/** A packed project. */
export interface Tarball {
  path: string;
  files: string[];
}

/** Packs the project as it is built, into a folder. Runs no script, because others use the build meanwhile. */
export function pack(folder: string): Tarball {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [packed] = JSON.parse(npm(args, {}).stdout);
  return {
    path: join(folder, packed.filename),
    files: packed.files.map(({ path }: { path: string }) => path),
  };
}

/** Installs a tarball as `npm install --global` does, with the npm of this machine under any Node. Throws what npm says. */
export function install(
  tarball: string,
  prefix: string,
  { node = process.execPath, args = [] as string[], env = {} as Record<string, string> },
): void {
  mkdirSync(prefix, { recursive: true });
  npm(['install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', ...args, tarball], env, node);
}

/** Runs npm; throws what it said when it fails. */
export function npm(args: string[], env: Record<string, string>, node = process.execPath) {
  const result = spawnSync(node, [npmProgram(), ...args], {
    env: { ...process.env, npm_config_update_notifier: 'false', PATH: `${dirname(node)}:${process.env.PATH}`, ...env },
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    timeout: 600_000,
  });
  if (result.status === 0) return result;
  const said = result.stderr.split('\n').filter((line) => /^npm (?:error|ERR!)/.test(line));
  throw new Error(said[0]?.replace(/^npm \S+ ?/, '') || `npm ended with ${result.status ?? result.signal}`);
}

/** Megabytes of a folder's files. */
export function megabytes(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.reduce((sum, name) => sum + lstatSync(join(folder, name)).size, 0) / 1e6;
}

/** The program itself, whatever a launcher on PATH is: it has to run under any Node. */
function npmProgram(): string {
  const found = spawnSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).stdout.trim();
  const real = realpathSync(found || process.execPath);
  return real.endsWith('.js') ? real : join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js');
}

type Step = [name: string, does: () => string | undefined];

/**
 * Uses an installed git-mem from first to last: version, init, a recorded turn through the launcher, drain, the session,
 * a record of it, list, search, context, the MCP server, uninstall, then one event through the plugin's launcher. Ends at the first step that fails.
 */
export function walk(variant: Variant): Walk {
  const { root, run } = prepare(variant);
  const gitMem = (...args: string[]) => run(['git-mem', ...args]);
  const plugin = join(variant.folder, 'plugin');
  const found = { index: '', node: '' };
  const hook = (launcher: string, { event, payload }: TurnEvent) =>
    run([...variant.shell, launcher, 'claude-code', event], payload);
  const pluginCaptures = () => {
    const tool = recordedTurn(root).find(({ event }) => event === 'PostToolUse');
    if (tool !== undefined) hook(join(plugin, 'git-mem/hooks/hook'), tool);
    return JSON.parse(gitMem('status', '--json')).pending_events === 1;
  };
  const conditions = () => {
    const { checks } = JSON.parse(run(['git-mem', 'doctor', '--json'], '', [0, 1]));
    const said = (wanted: string) => checks.find(({ name }: { name: string }) => name === wanted)?.message ?? '';
    return { index: said('index'), node: said('node') };
  };
  const steps: Step[] = [
    ['--version', () => unless(gitMem('--version').trim() === version(), 'another version')],
    ['init', () => unless(gitMem('init', '--yes', '--host', 'claude-code') !== undefined, '')],
    [
      'capture',
      () =>
        unless(
          recordedTurn(root)
            .map((event) => hook('.memory/hook', event))
            .every(isReply),
          'no JSON',
        ),
    ],
    ['drain', () => unless(JSON.parse(gitMem('drain', '--wait', '--all', '--json')).pending === 0, 'events wait')],
    ['sessions', () => unless(JSON.parse(gitMem('sessions', '--json')).total === 1, 'no session')],
    ['add', () => unless(JSON.parse(gitMem('add', ...SAVED, '--json')).id !== undefined, 'not saved')],
    ['list', () => unless(JSON.parse(gitMem('list', '--json')).total > 0, 'no record')],
    ['search', () => unless(JSON.parse(gitMem('search', 'clock skew token', '--json')).total > 0, 'nothing found')],
    ['context', () => unless(gitMem('context').includes('clock'), 'not told')],
    ['mcp', () => unless(run(['git-mem', 'mcp'], INITIALIZE).includes('"serverInfo"'), 'no answer')],
    ['doctor', () => unless(Object.assign(found, conditions()).index !== '', 'no index')],
    ['plugin', () => unless(gitMem('plugin', '--out', plugin) !== undefined, '')],
    ['uninstall', () => unless(gitMem('uninstall') !== undefined && !isSetUp(root), 'something is left')],
    ['plugin hook', () => unless(pluginCaptures(), 'not captured')],
  ];
  for (const [i, [name, does]] of steps.entries()) {
    try {
      const wrong = does();
      if (wrong !== undefined) return { steps: i, failure: `${name}: ${wrong}`, ...found };
    } catch (error) {
      return { steps: i, failure: `${name}: ${messageOf(error)}`, ...found };
    }
  }
  return { steps: steps.length, ...found };
}

/** What the agent of the recorded turn saves. */
const SAVED = [
  '--title',
  'A token is valid on a node whose clock runs behind',
  '--narrative',
  'Clock skew gave a 401.',
];

const INITIALIZE = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'walk', version: '1' } },
})}\n`;

/** A repository and a home in the variant's folder, and what runs a command there; it throws on any other exit code. */
function prepare({ folder, prefix, nodeFolder, tools, wrapper = [], env: more = {} }: Variant) {
  const [root, home] = [join(folder, 'repository'), more.HOME ?? join(folder, 'home')];
  for (const dir of [root, home]) mkdirSync(dir, { recursive: true });
  const env = {
    PATH: `${join(prefix, 'bin')}:${nodeFolder}:${tools ?? process.env.PATH}`,
    LANG: 'C.UTF-8',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_MEM_EXTRACT_PROVIDER: 'none',
    HOME: home,
    ...more,
  };
  const run = (command: string[], input = '', allowed = [0]) => {
    const [program = '', ...args] = [...wrapper, ...command];
    const result = spawnSync(program, args, { cwd: root, env, input, encoding: 'utf8', timeout: 120_000 });
    if (result.error) throw result.error;
    if (result.status !== null && allowed.includes(result.status)) return result.stdout;
    throw new Error(`exit ${result.status ?? result.signal}: ${result.stderr.trim().split('\n').at(-1)}`);
  };
  const { files } = readRecording();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  run(['git', 'init', '--quiet', '--initial-branch=main']);
  run(['git', 'add', '--all']);
  run(['git', '-c', 'user.name=Walk', '-c', 'user.email=walk@example.com', 'commit', '--quiet', '-m', 'Start']);
  return { root, run };
}

interface TurnEvent {
  event: string;
  payload: string;
}

/** The prompt, the edits and commands, and the end of the first turn that was recorded of a real client. */
function recordedTurn(root: string): TurnEvent[] {
  const { events, root: recorded } = readRecording();
  const first = events.findIndex(({ event }) => event === 'UserPromptSubmit');
  const last = events.findIndex(({ event }) => event === 'Stop');
  return events.slice(first, last + 1).map(({ event, payload }) => ({
    event,
    payload: `${JSON.stringify(payload).replaceAll(recorded, root)}\n`,
  }));
}

function isReply(stdout: string): boolean {
  return stdout === '' || typeof JSON.parse(stdout) === 'object';
}

function isSetUp(root: string): boolean {
  return readdirSync(join(root, '.memory')).includes('hook') || readdirSync(root).includes('.mcp.json');
}

function version(): string {
  return JSON.parse(readFileSync('package.json', 'utf8')).version;
}

function unless(holds: boolean, otherwise: string): string | undefined {
  return holds ? undefined : otherwise;
}
