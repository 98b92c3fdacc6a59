import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestRepository } from '../repository.ts';
import type { ScriptedModel, Step } from '../scripted-model.ts';

/** A real coding agent in a repository, whose model is a script. */
export interface RealAgent {
  model: ScriptedModel;
  /** Asks one prompt; every prompt but the first goes on with the same session. `flags`: more arguments of the client's own. */
  ask(prompt: string, steps: Step[], flags?: string[]): Promise<{ code: number | null; said: string }>;
  does: Deeds;
}

/** A client's own way to do some things, as steps of its model. */
export interface Deeds {
  /** Absent where files are read by commands alone. */
  read?(path: string): Step;
  /** A file that is not there yet. */
  write(path: string, content: string): Step;
  edit(path: string, removed: string, added: string): Step;
  run(command: string): Step;
  /** Calls a tool of our MCP server, or one of our extension; absent where a repository can have neither. */
  mcp?(tool: string, input: Record<string, unknown>): Step;
  /** Gives a task to a sub-agent, which the script answers for next; absent where none can be driven. */
  delegate?(task: string): Step;
}

/** A client that may be installed. */
export interface RealClient {
  host: string;
  /** Its name in `pinned.json`. */
  name: string;
  /** It asks its model before MCP servers have answered: whether it lists their tools in time differs from run to run. */
  isAheadOfServers?: true;
  start(program: string[], repository: TestRepository): Promise<RealAgent>;
}

interface Pin {
  packages: string[];
  program: string[];
}

const PINNED: Record<string, Pin> = JSON.parse(readFileSync(new URL('pinned.json', import.meta.url), 'utf8'));

/** A hang is ended after this long where a core is free. */
const PATIENCE_MS = 180_000;

/** A time that is meant for a free core, as long as it takes where so many processes share the cores as do now. */
export function whereBusy(ms: number): number {
  const [waiting = 0] = loadavg();
  return Math.round(ms * Math.max(1, waiting / availableParallelism()));
}

/** The version of a client that is driven. */
export function pinnedVersion({ name }: RealClient): string {
  return PINNED[name]?.packages[0]?.split('@').at(-1) ?? '';
}

/** The command of a client in the folder that `GIT_MEM_CLIENTS` names; undefined where it is not installed. */
export function findClient({ name }: RealClient): string[] | undefined {
  const folder = process.env.GIT_MEM_CLIENTS;
  const only = (process.env.GIT_MEM_CLIENTS_ONLY ?? '').split(',').filter(Boolean);
  if (!folder || (only.length > 0 && !only.includes(name))) return undefined;
  const platform = `${process.platform}-${process.arch}`;
  const command = (PINNED[name]?.program ?? []).map((part) =>
    part === '{node}'
      ? process.execPath
      : join(
          folder,
          name,
          'node_modules',
          part.replaceAll('{platform}', () => platform),
        ),
  );
  return command.length > 0 && command.every((part) => existsSync(part)) ? command : undefined;
}

/** The arguments of a prompt; `before` is what the client printed at the first one, with whose session it goes on. */
type Arguments = (prompt: string, before: string | undefined) => string[];

/** Runs the client once a prompt, as a person does in a shell. */
export function asker(
  command: string[],
  { root }: TestRepository,
  { model, env, args }: { model: ScriptedModel; env: Record<string, string | undefined>; args: Arguments },
): RealAgent['ask'] {
  let before: string | undefined;
  return async (prompt, steps, flags = []) => {
    model.script(steps);
    const ended = await run(command, [...args(prompt, before), ...flags], { cwd: root, env });
    before ??= ended.said;
    return ended;
  };
}

/** Runs a client to its end. */
export async function run(
  command: string[],
  args: string[],
  place: { cwd: string; env: Record<string, string | undefined> },
): Promise<{ code: number | null; said: string }> {
  const [program = '', ...before] = command;
  const child = spawn(program, [...before, ...args], {
    ...place,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: whereBusy(PATIENCE_MS),
    killSignal: 'SIGKILL',
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, said };
}

/** Writes a file of settings, below the home of a repository's environment or wherever it is. */
export function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
