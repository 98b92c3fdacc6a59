import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Check } from '../../src/setup/check.ts';
import { detectHosts, HOSTS, hostFiles } from '../../src/setup/hosts.ts';
import { planInit } from '../../src/setup/init.ts';
import { readTemplate } from '../../src/templates.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { it } from '../support/with-repository.ts';
import { placeOf, read, setUp } from './world.ts';

/** What the doctor says of the hooks of Cline. */
async function doctorOn(repository: TestRepository): Promise<Check[]> {
  const { checks }: { checks: Check[] } = JSON.parse(await repository.call('doctor', '--json'));
  return checks.filter(({ name }) => name === 'hooks cline');
}

describe('the hooks of Cline', () => {
  const path = '.clinerules/hooks/PostToolUse';
  const files = hostFiles(HOSTS.filter(({ name }) => name === 'cline'));
  const silence = { status: 0, stdout: '{"cancel":false}\n', stderr: '' };

  function run({ root }: TestRepository, hook = path, cwd = root) {
    const options = { cwd, env: { PATH: '/usr/bin:/bin' }, input: '{'.repeat(200_000), encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(join(root, hook), options);
    return { status, stdout, stderr };
  }

  it('let everything pass without a launcher, without git-mem, and with a launcher that fails or prints noise', () => {
    const repository = createRepository();
    setUp(placeOf(repository), files);
    for (const file of files.filter(({ executable }) => executable))
      expect(run(repository, file.path)).toEqual(silence);
    for (const launcher of [
      readTemplate('init/hook'),
      'echo noise >&2; exit 3\n',
      'echo "{"\n',
      'echo \'{"cancel":true}\'\n',
    ]) {
      repository.write('.memory/hook', launcher);
      expect(run(repository)).toEqual(silence);
      expect(run(repository, path, repository.folder)).toEqual(silence);
    }
    repository.write('.memory/hook', 'printf \'{"cancel":false,"contextModification":"%s %s"}\' "$1" "$2"\n');
    expect(run(repository).stdout).toBe('{"cancel":false,"contextModification":"cline PostToolUse"}\n');
  });

  it('leave an existing program alone, even one that mentions git-mem, and say so', async ({ repository }) => {
    const theirs = '#!/bin/sh\n# calls git-mem after .memory/hook\necho "{}"\n';
    repository.write(path, theirs);
    await repository.call('init', '--yes', '--host', 'cline');
    expect(read(repository, path)).toBe(theirs);
    const plan = planInit(placeOf(repository), files);
    expect(plan.find((step) => step.path === path)).toMatchObject({
      action: 'unchanged',
      note: 'yours, left as it is',
    });
    expect(await doctorOn(repository)).toMatchObject([{ status: 'warn', message: expect.stringContaining(path) }]);
    await repository.call('uninstall', '--yes');
    expect(read(repository, path)).toBe(theirs);
    expect(readdirSync(join(repository.root, '.clinerules', 'hooks'))).toEqual(['PostToolUse']);
  });

  it('are reported by doctor when one is missing, changed or not executable', async ({ repository }) => {
    await repository.call('init', '--yes', '--host', 'cline');
    expect(await doctorOn(repository)).toMatchObject([{ status: 'ok' }]);
    chmodSync(join(repository.root, path), 0o644);
    expect(await doctorOn(repository)).toMatchObject([{ message: expect.stringContaining('not executable') }]);
    rmSync(join(repository.root, path));
    expect(await doctorOn(repository)).toMatchObject([{ status: 'warn', message: expect.stringContaining(path) }]);
  });

  it('cause no failure where .clinerules is a file', async ({ repository }) => {
    repository.write('.clinerules', 'Be brief.\n');
    expect(detectHosts(repository.root, {}).map(({ name }) => name)).toEqual(['claude-code']);
    expect(() => planInit(placeOf(repository), files)).toThrow(expect.objectContaining({ code: 'cannot-write' }));
    await repository.call('init', '--yes');
    expect(await doctorOn(repository)).toEqual([]);
    await repository.call('uninstall', '--yes');
    expect(readdirSync(repository.root).sort()).toEqual(['.clinerules', '.git']);
  });
});
