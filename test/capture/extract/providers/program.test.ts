import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ProviderError } from '../../../../src/capture/extract/provider.ts';
import { createProgramProvider, type ProgramOptions } from '../../../../src/capture/extract/providers/program.ts';
import { PROGRAMS } from '../../../../src/capture/extract/providers/programs.ts';
import { answering, type ClaudeProgram, installClaude } from '../../../support/claude-program.ts';
import { isAlive } from '../../../support/processes-at.ts';
import { scratchFolder } from '../../../support/scratch.ts';
import { TEMPTING_REQUEST } from '../../../support/turns.ts';

function provider(program: ClaudeProgram, changes: Partial<ProgramOptions> = {}) {
  const { env } = program;
  const cwd = join(env.HOME ?? '', 'empty', 'folder');
  const options = { name: 'claude-cli', model: 'haiku', cwd, env, ...changes };
  return createProgramProvider(PROGRAMS['claude-cli'], options);
}

async function failure(...given: Parameters<typeof provider>): Promise<ProviderError> {
  const error = await provider(...given)
    .complete(TEMPTING_REQUEST)
    .catch((reason: unknown) => reason);
  if (error instanceof ProviderError) return error;
  throw new Error(`This is no ProviderError: ${JSON.stringify(error)}`);
}

/** The act of refusing with these words, as the program does. */
const refusing = (text: string) => `${answering(text, { is_error: true })}; process.exitCode = 1`;

describe('claude -p', () => {
  it('reads the last element of a list, which a verbose setting turns the answer into', async () => {
    const act = answering('{}').replace(/^print\((.*)\)$/s, 'print([{ type: "system" }, $1])');
    expect((await provider(installClaude(act)).complete(TEMPTING_REQUEST)).text).toBe('{}');
  });

  it('is not asked until its limit passes', async () => {
    const reset = Math.floor(Date.now() / 1000) + 7200;
    const error = await failure(installClaude(refusing(`Claude AI usage limit reached|${reset}`)));
    expect(error.class).toBe('quota');
    expect(error.retryAfterMs).toBeGreaterThan(7_100_000);
    expect(error.retryAfterMs).toBeLessThanOrEqual(7_200_000);
  });

  it('that hangs is killed with everything it started', async () => {
    const pids = join(scratchFolder(), 'pids');
    const act = `const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      require('node:fs').writeFileSync(${JSON.stringify(pids)}, process.pid + ' ' + child.pid);
      setInterval(() => {}, 1000)`;
    // The limit passes once the program and its child are there, however long they take to start.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const failing = failure(installClaude(act), { timeoutMs: 1500 });
    while (!existsSync(pids) || !readFileSync(pids, 'utf8').includes(' ')) await sleep(20);
    vi.advanceTimersByTime(1500);
    const error = await failing;
    vi.useRealTimers();
    expect([error.class, error.message]).toEqual(['transient', 'claude gave no whole answer within 1500 ms.']);
    const alive = () =>
      readFileSync(pids, 'utf8')
        .split(' ')
        .filter((pid) => isAlive(Number(pid)));
    await vi.waitFor(() => expect(alive()).toEqual([]), { timeout: 60_000 });
  });

  it('is killed when the drain is interrupted', async () => {
    const controller = new AbortController();
    const program = installClaude('setInterval(() => {}, 1000)');
    const answer = provider(program).complete({ ...TEMPTING_REQUEST, signal: controller.signal });
    while (program.runs().length === 0) await sleep(20);
    controller.abort();
    await expect(answer).rejects.toMatchObject({ class: 'transient', message: expect.stringContaining('interrupted') });
  });
});
