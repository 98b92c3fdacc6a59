import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openProject } from '../../src/project.ts';
import { hookedSession } from '../support/hooked-session.ts';
import { createRepository } from '../support/repository.ts';
import { useSettings } from '../support/team-settings.ts';

it('writes records with the types of the mode that the team has set', async () => {
  const repository = createRepository();
  useSettings(repository, 'extract: {mode: operations}\n');
  repository.write('src/limit.ts', 'export const LIMIT = 10;\n');
  hookedSession(repository.root).work('p1', 40);
  const { drain } = openProject(repository.root, repository.env);
  await drain({ all: true, now: true, signal: new AbortController().signal });
  const folder = join(repository.root, '.memory', 'observations');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'));
  const types = files.map((path) => /^type: (.*)$/m.exec(readFileSync(join(folder, path), 'utf8'))?.[1]);
  expect(types).toEqual(['incident']);
});
