import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRepository, type TestRepository } from './repository.ts';

/** The launcher's input when a test does not care. */
export const PAYLOAD = '{"session_id":"s","hook_event_name":"Stop"}\n';

/** A repository whose launcher runs under one shell. */
export interface LauncherTest extends TestRepository {
  state: string;
  /** Runs a launcher as a host does; waits until everything that could hold its output open has let go. */
  run(event: string, options?: RunOptions): { status: number | null; stdout: string; stderr: string };
  /** What was asked of git-mem: working directory, umask and arguments. */
  calls(): string[];
  /** Standard input of the last call, byte for byte. */
  lastInput(): Buffer;
  /** Makes drains and the disk hang until `go`. */
  hold(): void;
  go(): void;
}

export interface RunOptions {
  hook?: string;
  cwd?: string;
  env?: Record<string, string | undefined>;
  input?: string | Buffer;
  args?: string[];
}

/** A repository with the launcher in it and a git-mem that only takes notes. */
export function createLauncher(shell: string, name?: string): LauncherTest {
  const repository = createRepository(name);
  const { folder, root, env } = repository;
  const notes = join(folder, 'notes');
  const program = (path: string, ...lines: string[]) => {
    writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'));
    chmodSync(path, 0o755);
  };
  const held = join(folder, 'held');
  const waiting = `while [ -e '${held}' ]; do sleep 0.2; done`;
  program(
    join(folder, 'bin', 'git-mem'),
    `[ "$1" = hook ] && cat >'${notes}.input'`,
    `echo "$PWD $(umask) $*" >>'${notes}'`,
    `if [ "$1" = drain ]; then ${waiting}; [ -d '${folder}' ] && echo drained >>'${notes}'; fi`,
    '[ "$GIT_MEM_REPLY" ] && echo "git-mem reply 1"',
    'echo "{\\"reply\\":1}"; echo noise >&2; exit 3',
  );
  program(join(folder, 'bin', 'sync'), waiting);
  repository.git('commit', '--quiet', '--allow-empty', '-m', 'a');
  install(root);
  return {
    ...repository,
    state: join(root, '.git', 'git-mem'),
    calls: () => (existsSync(notes) ? readFileSync(notes, 'utf8').split('\n').filter(Boolean) : []),
    lastInput: () => readFileSync(`${notes}.input`),
    hold: () => writeFileSync(held, ''),
    go: () => rmSync(held),
    run(event, { hook = '.memory/hook', cwd = root, env: more = {}, input = PAYLOAD, args } = {}) {
      const result = spawnSync(shell, [hook, ...(args ?? ['claude-code', event])], {
        cwd,
        input,
        env: { ...env, ...more },
        timeout: 20_000,
      });
      return { status: result.status, stdout: String(result.stdout), stderr: String(result.stderr) };
    },
  };
}

/** Puts the launcher into a checkout, as `git mem init` does. */
export function install(root: string): void {
  mkdirSync(join(root, '.memory'), { recursive: true });
  copyFileSync('templates/init/hook', join(root, '.memory', 'hook'));
}
