import { describe, expect, it } from 'vitest';
import { guardsCommand, guardsFile, requirePattern, wordOf } from '../../src/memory/guard-pattern.ts';

describe('the pattern of a guard', () => {
  it.each([
    ['npm publish', 'npm publish', true],
    ['npm publish', 'npm publish --tag next', true],
    ['npm publish', 'npm   publish', true],
    ['npm publish', 'npm publisher', false],
    ['npm publish', 'npm run publish', false],
    ['npm publish *', 'npm publish', true],
    ['git push*--force*', 'git push origin main --force-with-lease', true],
    ['git push*--force*', 'git push origin main', false],
    ['terraform', 'terraform apply -auto-approve', true],
    ['terraform', 'cat terraform', false],
    ['*.sql', 'psql -f db/seeds.sql', false],
    ['db/**', 'cat db/seeds.sql', false],
  ])('%j guards the command %j: %s', (pattern, command, expected) => {
    expect(guardsCommand(pattern, command)).toBe(expected);
  });

  it.each([
    ['db/migrations/**', 'db/migrations/2026/001.sql', true],
    ['db/migrations', 'db/migrations/001.sql', true],
    ['*.sql', 'db/migrations/001.sql', true],
    ['package.json', 'package.json', true],
    ['npm publish', 'npm', false],
  ])('%j guards the file %j: %s', (pattern, path, expected) => {
    expect(guardsFile(pattern, path)).toBe(expected);
  });

  it.each(['', '*', '**', '**/*', ' ', '.', './', '?*', `${'a'.repeat(201)}`])('%j is refused', (pattern) => {
    expect(() => requirePattern(pattern)).toThrow('cannot be used as a guard pattern');
  });

  it.each([
    ['db/migrations/**', 'migrations'],
    ['npm publish', 'publish'],
    ['git push*--force*', 'git'],
    ['*.sql', undefined],
    ['src/*.generated.ts', 'src'],
    ['./Makefile', 'Makefile'],
    ['größe', 'gr'],
  ])('every event in which %j matches has the word %s', (pattern, word) => {
    expect(wordOf(pattern)).toBe(word);
  });
});
