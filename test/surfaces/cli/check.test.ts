import { resolve } from 'node:path';
import { expect } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
import { it } from '../../support/with-repository.ts';

it("git mem check passes on this project's own memory", async ({ repository }) => {
  const { code, stdout } = await gitMem(repository, ['check', '--json'], { cwd: resolve('.') });
  expect(JSON.parse(stdout)).toMatchObject({ ok: true });
  expect(JSON.parse(stdout).checked).toBeGreaterThan(15);
  expect(code).toBe(0);
});
