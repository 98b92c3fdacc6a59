import { spawn } from 'node:child_process';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { remember } from '../../support/command.ts';
import { PROGRAM } from '../../support/program.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';

function start({ root, env }: TestRepository, args: string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (output.stdout += chunk));
  child.stderr.on('data', (chunk) => (output.stderr += chunk));
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)));
  onTestFinished(() => void child.kill('SIGKILL'));
  const seen = (stream: 'stdout' | 'stderr', text: string) =>
    vi.waitFor(() => expect(output[stream]).toContain(text), { timeout: 60_000, interval: 50 });
  return { child, output, ended, seen };
}

describe('git mem watch', () => {
  it('prints changes until Ctrl-C', async () => {
    const repository = createRepository();
    remember(repository, [{ id: 'aaaaaaaaaa', title: 'One' }]);
    const { child, output, ended, seen } = start(repository, ['watch']);
    await seen('stderr', 'Watching 1 record. Ctrl-C ends this.\n');
    remember(repository, [{ id: 'bbbbbbbbbb', title: 'Two', type: 'decision' }]);
    await seen('stdout', '+ bbbbbbbbbb decision  Two\n');
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(output).toEqual({
      stdout: '+ bbbbbbbbbb decision  Two\n',
      stderr: 'Watching 1 record. Ctrl-C ends this.\n',
    });
  });

  it('prints JSON lines, and exits when asked to', async () => {
    const repository = createRepository();
    const { child, output, ended, seen } = start(repository, ['sync', '--watch', '--json']);
    await seen('stderr', 'Watching 0 records');
    remember(repository, [{ id: 'bbbbbbbbbb', title: 'Two' }], 'private');
    await seen('stdout', '\n');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(JSON.parse(output.stdout)).toEqual({
      added: [{ id: 'bbbbbbbbbb', kind: 'observation', type: 'discovery', title: 'Two' }],
      edited: [],
      removed: [],
      took_ms: expect.any(Number),
    });
  });
});
