import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { blobId } from '../../src/memory/id.ts';
import type { Observation } from '../../src/memory/record.ts';
import { appendLine } from '../../src/memory/store/atomic.ts';
import { recordFile } from '../../src/memory/store/store.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { PROGRAM } from './program.ts';
import type { TestRepository } from './repository.ts';
import { observationOf } from './written-records.ts';

/** Runs git-mem as a person would and returns everything it printed, with its exit code. */
export function run(
  { root, env }: TestRepository,
  args: string[],
  { input = '', cwd = root, ...changes }: { input?: string; cwd?: string; [variable: string]: string | undefined } = {},
): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd,
    env: { ...env, ...changes },
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return { status, stdout, stderr };
}

/** The same while this process goes on, for what talks to a server of the test. Killed after two minutes, which nothing but a hang takes. */
export async function runAlongside(
  { root, env }: TestRepository,
  args: string[],
  { input = '', ...changes }: { input?: string; [variable: string]: string | undefined } = {},
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: root,
    env: { ...env, ...changes },
    timeout: 120_000,
    killSignal: 'SIGKILL',
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (output.stdout += chunk));
  child.stderr.on('data', (chunk) => (output.stderr += chunk));
  child.stdin.end(input);
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { status, ...output };
}

/** Puts observations into a store of the repository, as git-mem itself would; what is left out is uneventful. */
export function remember(
  { root, env }: TestRepository,
  records: (Partial<Observation> & { id: string })[],
  store: 'team' | 'private' = 'team',
): void {
  const { stores, ledger, format } = openWorkspace(root, env);
  const files = records.map((record) =>
    recordFile(
      observationOf({ title: `Record ${record.id}`, generated: { by: 'test', at: '2026-11-20T12:00:00Z' }, ...record }),
    ),
  );
  appendLine(ledger, files.map(({ bytes }) => blobId(bytes, format)).join('\n'));
  for (const { path, bytes } of files) {
    const file = join(stores[store].dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
}
