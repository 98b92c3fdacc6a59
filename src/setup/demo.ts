import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { isSystemError } from '../errors.ts';
import { gitEnvironment } from '../git/child.ts';
import { openGit } from '../git/git.ts';
import { readTemplate } from '../templates.ts';
import type { Environment } from '../user-folders.ts';

const fields = z.record(z.string(), z.unknown());

/** What the agent's tools had done to the repository before an event. */
const step = z.union([
  z.object({ write: z.string(), content: z.string() }),
  z.object({ remove: z.string() }),
  z.object({ commit: z.string() }),
  z.object({ call: z.string(), arguments: fields }),
]);

const recordingSchema = z.object({
  name: z.string(),
  client: z.string(),
  /** The repository's path in the payloads. */
  root: z.string(),
  branch: z.string(),
  /** Working tree at the start, content by path. */
  files: z.record(z.string(), z.string()),
  events: z.array(z.object({ before: z.optional(z.array(step)), event: z.string(), payload: fields })),
});

/** A recorded agent session: its repository's files, and what its hooks received. */
type Recording = z.infer<typeof recordingSchema>;

interface HookRun {
  exitCode: number;
  stdout: string;
}

/** The recorded session that ships with the package. */
export function readRecording(): Recording {
  return recordingSchema.parse(JSON.parse(readTemplate('demo/session.json')));
}

/** A scratch repository in which a recording is played. */
export interface Scratch {
  repository: string;
  /** The environment of its hooks: its own home, and git-mem on PATH. */
  env: Environment;
  git: ReturnType<typeof openGit>;
}

/** Creates the repository as it was when the session began. `program` is the git-mem that its hooks will find. */
export async function createScratch(folder: string, recording: Recording, program: string): Promise<Scratch> {
  const repository = join(folder, 'repository');
  mkdirSync(repository, { recursive: true });
  const env = createEnvironment(folder, program);
  const git = openGit(repository, env, { config: ['user.name=Demo', 'user.email=demo@example.com'] });
  for (const [path, content] of Object.entries(recording.files)) write(repository, path, content);
  await git.init([`--initial-branch=${recording.branch}`]);
  await git.add('--all').commit('The repository before the session');
  return { repository, env, git };
}

type Place = Pick<Scratch, 'repository' | 'env'>;

/** Notified while a recording is played: of hook runs, and of MCP tool calls with their answers. */
interface Audience {
  onHook(run: HookRun, payload: Record<string, unknown>): void;
  onCall(tool: string, input: Record<string, unknown>, answer: string): void;
}

/** Plays every event through the launcher, and every tool call through the MCP server. */
export async function play(recording: Recording, scratch: Scratch, audience: Audience): Promise<void> {
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
  const local = (payload: object) =>
    JSON.stringify(payload).replaceAll(inJson(recording.root), () => inJson(scratch.repository));
  for (const { before = [], event, payload } of recording.events) {
    for (const step of before) {
      if ('write' in step) write(scratch.repository, step.write, step.content);
      else if ('remove' in step) rmSync(join(scratch.repository, step.remove));
      else if ('commit' in step) await scratch.git.add(['--all', '--', '.', ':!.memory']).commit(step.commit);
      else audience.onCall(step.call, step.arguments, await callTool(step.call, step.arguments, scratch));
    }
    audience.onHook(await runHook(event, `${local(payload)}\n`, scratch), payload);
  }
}

const answer = z.object({ id: z.number(), result: z.object({ content: z.array(z.object({ text: z.string() })) }) });

/** The text that an MCP tool answers; the server is started for this one call. */
async function callTool(name: string, input: object, { repository, env }: Scratch): Promise<string> {
  const child = spawn('git-mem', ['mcp'], { cwd: repository, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'claude-code', version: '2' };
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/call', params: { name, arguments: input } });
  for await (const line of createInterface(child.stdout)) {
    const { success, data } = answer.safeParse(JSON.parse(line));
    if (!success || data.id !== 2) continue;
    child.stdin.end();
    return data.result.content.map(({ text }) => text).join('\n');
  }
  throw new Error(`The MCP server ended without an answer to ${name}.`);
}

/** Fires one hook through the launcher of a repository. */
async function runHook(event: string, payload: string, { repository, env }: Place): Promise<HookRun> {
  const child = spawn('sh', ['.memory/hook', 'claude-code', event], {
    cwd: repository,
    env: { ...env, CLAUDE_PROJECT_DIR: repository },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.on('error', () => {}); // A hook may end without reading its input; its exit code shows the result.
  child.stdin.end(payload);
  const [stdout, [code]] = await Promise.all([textOf(child.stdout), once(child, 'close')]);
  return { exitCode: code ?? -1, stdout };
}

const reply = z.object({ hookSpecificOutput: z.object({ additionalContext: z.string() }) });

/** The text that the SessionStart hook injects, from the host's JSON; empty if there is none. */
export async function sessionStart(scratch: Place, payload: Record<string, unknown>): Promise<string> {
  const { stdout } = await runHook('SessionStart', `${JSON.stringify(payload)}\n`, scratch);
  return stdout === '' ? '' : reply.parse(JSON.parse(stdout)).hookSpecificOutput.additionalContext;
}

/** Creates a home and a folder on PATH with `program` as git-mem, both inside `folder`. */
export function createEnvironment(folder: string, program: string): Environment {
  const bin = join(folder, 'bin');
  const home = join(folder, 'home');
  for (const dir of [bin, home]) mkdirSync(dir, { recursive: true });
  writeFileSync(join(bin, 'git-mem'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(join(bin, 'git-mem'), 0o755);
  return {
    ...gitEnvironment(process.env),
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_STATE_HOME: join(home, '.local/state'),
    PATH: `${bin}:${process.env.PATH ?? ''}`,
    GIT_CONFIG_GLOBAL: '/dev/null',
    // The demo runs offline: it uses no key, even if one is set.
    GIT_MEM_EXTRACT_PROVIDER: 'none',
  };
}

/** Writes a file of a repository, with its folders. */
function write(repository: string, path: string, content: string): void {
  const file = join(repository, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Ten seconds: a drain that was woken still writes for a moment. */
const ATTEMPTS = 50;
const PAUSE_MS = 200;

/** Removes a folder that a drain may still write into; Node's `maxRetries` does not help there. */
export async function removeFolder(folder: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rm(folder, { recursive: true, force: true });
    } catch (error) {
      if (attempt >= ATTEMPTS || !isSystemError(error, 'ENOTEMPTY', 'EEXIST', 'EBUSY', 'EPERM')) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
