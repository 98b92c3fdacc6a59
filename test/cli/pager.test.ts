import { spawnSync } from 'node:child_process';
import { describe, expect } from 'vitest';
import { gitMem } from '../support/command-line.ts';
import { PROGRAM } from '../support/program.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { it } from '../support/with-repository.ts';
import { observationOf, put } from '../support/written-records.ts';

const RECORD = observationOf({ id: 'aaaaaaaaaa', title: 'The gherkin is pickled' });

/** What a person sees who types a command at a terminal. */
function typed({ root, env }: TestRepository, line: string, changes: Record<string, string> = {}): string {
  const command = `'${process.execPath}' '${PROGRAM}' ${line}`;
  const options = { cwd: root, env: { ...env, TERM: 'xterm', ...changes }, encoding: 'utf8' } as const;
  return spawnSync('script', ['-qec', command, '/dev/null'], options).stdout;
}

// `script` of macOS has other options, and Windows has none.
describe.skipIf(process.platform !== 'linux')('the pager', () => {
  const GIT_PAGER = "sed 's/^/paged: /'";

  it('gets the output of reading commands on a terminal, including colours', ({ repository }) => {
    put(repository, RECORD);
    const paged = typed(repository, 'list', { GIT_PAGER });
    expect(paged).toMatch(/^paged: .*gherkin/m);
    expect(paged).toContain('\x1b[');
    expect(typed(repository, 'search gherkin', { GIT_PAGER })).toMatch(/^paged: .*gherkin/m);
    expect(typed(repository, 'config', { GIT_PAGER })).not.toContain('paged:');
    for (const words of ['--no-pager list', 'list --no-pager'])
      expect(typed(repository, words, { GIT_PAGER })).toMatch(/^(?!paged).*gherkin/m);
  });

  it('is the one that git is configured to use, and none where it is missing or stdout is no terminal', () => {
    const repository = createRepository();
    put(repository, RECORD);
    repository.git('config', 'core.pager', "sed 's/^/core: /'");
    const { GIT_PAGER: _, ...env } = repository.env;
    expect(typed({ ...repository, env }, 'list')).toMatch(/^core: .*gherkin/m);
    expect(typed(repository, 'list', { GIT_PAGER: 'no-such-pager' })).toMatch(/^(?!core).*gherkin/m);
    expect(repository.gitMem('list')).not.toContain('core:');
  });

  it('causes no error when it is quit early', ({ repository }) => {
    for (let i = 0; i < 40; i++) put(repository, { ...RECORD, id: `aaaaaaaa${10 + i}` });
    const shown = typed(repository, 'list --limit 40 --json', { GIT_PAGER: 'head -n 1' });
    expect(shown.trim()).toBe('{');
  });
});

it('--color forces or forbids colours, terminal or not', async ({ repository }) => {
  put(repository, RECORD);
  expect((await gitMem(repository, ['--color=always', 'list', '-n', '1'])).stdout).toContain('\x1b[');
  expect((await gitMem(repository, ['--color', 'never', 'list'], { tty: true })).stdout).not.toContain('\x1b[');
  expect((await gitMem(repository, ['list'], { tty: true })).stdout).toContain('\x1b[');
  expect((await gitMem(repository, ['--color=purple', 'list'])).code).toBe(2);
  expect((await gitMem(repository, ['list', '--color=always'])).stdout).toContain('\x1b[');
  expect((await gitMem(repository, ['list', '--color', 'always'])).stdout).toContain('\x1b[');
  expect((await gitMem(repository, ['list', '--color', 'never'], { tty: true })).stdout).not.toContain('\x1b[');
  expect((await gitMem(repository, ['search', 'gherkin', '--color', 'purple'])).code).toBe(2);
  expect((await gitMem(repository, ['search', '--', '--color=always'])).stdout).not.toContain('\x1b[');
});

it('takes a terminal that does not say how wide it is for a usual one', async ({ repository }) => {
  const title = 'The gherkin is pickled in brine with dill and mustard seeds';
  put(repository, { ...RECORD, title });
  expect((await gitMem(repository, ['list'], { tty: true, columns: 0 })).stdout).toContain(title);
});
