import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { gitProgram } from '../../src/git/child.ts';
import { noteLooks } from '../../src/looks.ts';
import { temporaryFolder } from '../support/scratch.ts';

it('searches PATH for git once, and again when the program is gone', () => {
  const folder = temporaryFolder();
  const [empty = '', first = '', second = ''] = ['empty', 'first', 'second'].map((name) => join(folder, name));
  for (const path of [empty, first, second]) mkdirSync(path);
  for (const path of [first, second]) writeFileSync(join(path, 'git'), '#!/bin/sh\n', { mode: 0o755 });
  const env = { PATH: [empty, first, second].join(delimiter) };
  expect(gitProgram(env)).toBe(join(first, 'git'));
  const looks: unknown[] = [];
  const end = noteLooks((path) => looks.push(path));
  expect(gitProgram({ ...env })).toBe(join(first, 'git'));
  end();
  expect(new Set(looks)).toEqual(new Set([join(first, 'git')]));
  rmSync(first, { recursive: true });
  expect(gitProgram(env)).toBe(join(second, 'git'));
});
