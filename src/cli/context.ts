import { resolve } from 'node:path';
import type { Command } from 'commander';
import { openProject, type Project } from '../project.ts';

/** What commands get instead of globals. */
export interface Context {
  /** The directory that the command is about: `-C DIR`, else the working directory. */
  cwd: string;
  env: Record<string, string | undefined>;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  now: () => Date;
  /** Opens the repository at `cwd`; throws not-a-repository. */
  project(): Project;
  /** Exit code of a command that did its work and found something amiss. */
  setExitCode(code: number): void;
}

/** One command file: adds its commands to the program. */
export interface CommandModule {
  register(program: Command, context: Context): void;
}

export function createContext(process: NodeJS.Process, cwd: string | undefined): Context {
  const { env, stdin, stdout, stderr } = process;
  const context: Context = {
    cwd: resolve(cwd ?? '.'),
    env,
    stdin,
    stdout,
    stderr,
    now: () => new Date(),
    project: () => openProject(context.cwd, env),
    setExitCode(code) {
      process.exitCode = code;
    },
  };
  return context;
}
