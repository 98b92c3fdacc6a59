import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { remember } from '../../support/command.ts';
import { gitMem } from '../../support/command-line.ts';
import type { EmbeddingsApi } from '../../support/embeddings-api.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';

/**
 * Waits of the program take this many times as long here, so that no answer depends on how busy the machine is. Where a
 * wait has to end, a test goes back to the real clock.
 */
const SLOWER = 100;

/** Makes the waits of the program last that much longer in all tests of a file. */
export function slowDown(): void {
  beforeEach(() => {
    const [wait, abort] = [globalThis.setTimeout, AbortSignal.timeout];
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms = 0) =>
      wait(run, ms * SLOWER)) as never);
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => abort.call(AbortSignal, ms * SLOWER));
  });
  afterEach(() => vi.restoreAllMocks());
}

export const SIGN_IN = 'Sign-in is refused after a deployment';

/** A repository whose user has a model at that server, with two records. */
export function createMemory(api: Pick<EmbeddingsApi, 'base'>): TestRepository {
  const repository = createRepository();
  configure(repository, `embed: {provider: openai, model: toy, base_url: "${api.base}"}\n`);
  remember(repository, [
    { id: 'aaaaaaaaaa', title: SIGN_IN, narrative: 'The nodes disagreed about keys.' },
    { id: 'bbbbbbbbbb', title: 'Buttons of the page are green', narrative: 'For the contrast.' },
  ]);
  return repository;
}

export function configure({ env }: TestRepository, yaml: string): void {
  const folder = join(env.HOME ?? '', '.config', 'git-mem');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.yaml'), yaml);
}

export async function json(repository: TestRepository, ...args: string[]) {
  const { stdout, stderr, code } = await gitMem(repository, [...args, '--json']);
  expect(code).toBe(0);
  return { ...JSON.parse(stdout), stderr };
}

export const QUESTIONS = 'green\nkeys\nnodes\n';

export function expectLocalAnswers(stdout: string): void {
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers.map(({ embedder }) => embedder)).toEqual(['local', 'local', 'local']);
  expect(answers.map(({ hits }) => hits.length)).toEqual([1, 1, 1]);
}

export const idsOf = ({ hits }: { hits: { id: string }[] }) => hits.map(({ id }) => id);

export const embedderCheck = async (repository: TestRepository) => {
  const { stdout } = await gitMem(repository, ['doctor', '--json']);
  const checks: { name: string }[] = JSON.parse(stdout).checks;
  return checks.find(({ name }) => name === 'embedder');
};
