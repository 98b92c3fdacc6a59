import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';

/** Corrects a record in an editor that replaces a text. */
function edit(repository: TestRepository, id: string, from: string, to: string) {
  const editor = join(repository.root, '.git', 'editor.sh');
  writeFileSync(editor, `#!/bin/sh\nsed -i 's/${from}/${to}/' "$1"\n`, { mode: 0o755 });
  return gitMem(repository, ['edit', id, '--json'], { tty: true, env: { EDITOR: editor } });
}

async function added(repository: TestRepository): Promise<string> {
  const text = ['--title', 'The limit is ten megabytes', '--narrative', 'Eleven were too many.'];
  return JSON.parse(await repository.call('add', '--team', '--type', 'decision', ...text, '--json')).id;
}

const shown = async (repository: TestRepository, id: string) =>
  JSON.parse(await repository.call('show', id, '--json')).records[0];

it('edits in place what this clone wrote and never committed, and keeps its id, time and trust', async () => {
  const repository = createRepository();
  repository.write('a', '');
  repository.commit('a');
  const id = await added(repository);
  const { created } = await shown(repository, id);
  const { code, stdout } = await edit(repository, id, 'is ten', 'is nine');
  expect({ code, id: JSON.parse(stdout).id }).toEqual({ code: 0, id });
  expect(await shown(repository, id)).toMatchObject({ title: 'The limit is nine megabytes', created, trust: 'own' });
  expect(JSON.parse(await repository.call('list', '--all', '--json')).total).toBe(1);
  expect(await repository.call('salvage', '--json')).not.toContain('is ten');
});

it('supersedes what was committed, and what somebody else wrote; nothing where nothing was changed', async () => {
  const repository = createRepository();
  const id = await added(repository);
  repository.commit('a');
  const { stdout } = await edit(repository, id, 'is ten', 'is nine');
  const { id: next } = JSON.parse(stdout);
  expect(await shown(repository, next)).toMatchObject({ title: 'The limit is nine megabytes', supersedes: [id] });
  expect(await shown(repository, id)).toMatchObject({ title: 'The limit is ten megabytes', superseded_by: [next] });
  const unchanged = await edit(repository, next, 'nothing', 'anything');
  expect(unchanged).toMatchObject({ code: 1, stdout: '' });
  expect(unchanged.stderr).toContain('Nothing was changed.');
  await repository.call('redact', id);
  expect((await edit(repository, id, 'ten', 'nine')).stderr).toContain('is redacted');
});
