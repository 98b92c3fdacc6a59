import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROGRAM } from '../support/program.ts';

const DIST = dirname(PROGRAM);

/** What a command may make Node parse, in bytes: a schema library that comes along whole is half a megabyte. */
const MOST = 650_000;

/** Bytes of files of the bundle with all that they import statically. */
function weight(...starts: string[]): number {
  const seen = new Map<string, number>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    const text = readFileSync(join(DIST, file), 'utf8');
    seen.set(file, text.length);
    for (const [, name = ''] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) visit(name);
  };
  for (const start of starts) visit(start);
  expect(seen.size).toBeGreaterThan(5);
  return [...seen.values()].reduce((sum, size) => sum + size, 0);
}

describe('the bundle', () => {
  it.each(['search', 'list', 'show', 'context', 'status'])('makes %s load no more than it needs', (command) => {
    const chunk = readdirSync(DIST).find((name) => name.startsWith(`${command}-`) && name.endsWith('.js'));
    expect(chunk).toBeDefined();
    expect(weight('main.js', chunk ?? '')).toBeLessThan(MOST);
  });
});
