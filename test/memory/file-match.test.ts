import { expect, it } from 'vitest';
import { citesFile } from '../../src/memory/glob.ts';

it.each([
  ['src/auth.ts', 'src/auth.ts', true],
  ['./src/auth.ts', 'src/auth.ts', true],
  ['auth.ts', 'src/auth.ts', false],
  ['src', 'src/auth.ts', true],
  ['src/', 'src/deep/auth.ts', true],
  ['sr', 'src/auth.ts', false],
  ['.', 'src/auth.ts', true],
  ['src/*.ts', 'src/auth.ts', true],
  ['src/*.ts', 'src/deep/auth.ts', false],
  ['src/**/*.ts', 'src/auth.ts', true],
  ['src/**/*.ts', 'src/deep/er/auth.ts', true],
  ['src/**', 'src/deep/auth.ts', true],
  ['*.sql', 'db/migrations/1.sql', true],
  ['migr*', 'db/migrations/1.sql', true],
  ['pack*/src', 'packages/src/a.ts', true],
  ['app/[id]/page.tsx', 'app/[id]/page.tsx', true],
  ['src/?.ts', 'src/ab.ts', false],
])('--file %s finds a record that cites %s: %s', (wanted, path, found) => expect(citesFile(path, wanted)).toBe(found));
