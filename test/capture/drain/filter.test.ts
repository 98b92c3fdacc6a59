import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/capture/agents/event.ts';
import { isWanted } from '../../../src/capture/drain/clean.ts';
import { type Config, loadConfig } from '../../../src/config.ts';

function configWith(capture: Partial<Config['capture']>): Config {
  const { config } = loadConfig('/nonexistent', { HOME: '/nonexistent' });
  return { ...config, capture: { ...config.capture, ...capture } };
}

function call(tool: string, ...paths: string[]): AgentEvent {
  return {
    kind: 'tool',
    session: 's',
    cwd: '/repo',
    call: { id: 't', tool, action: 'other', paths, ok: true, output: '' },
  };
}

const isIgnored = (pattern: string, path: string) =>
  !isWanted(call('Read', path), configWith({ ignore_paths: [pattern] }));

describe('capture.skip_tools', () => {
  it.each([
    ['WebFetch', 'WebFetch', true],
    ['WebFetch', 'WebFetchX', false],
    ['mcp__*', 'mcp__github__get_issue', true],
    ['mcp__*__get_*', 'mcp__github__get_issue', true],
    ['mcp__*__get_*', 'mcp__github__list', false],
    ['*', 'Anything', true],
    ['Rea?', 'Read', true],
    ['', 'Read', false],
  ])('%j and the tool %s: skipped %s', (pattern, tool, skipped) => {
    expect(isWanted(call(tool), configWith({ skip_tools: [pattern] }))).toBe(!skipped);
  });

  it('leaves prompts and ends alone', () => {
    const config = configWith({ skip_tools: ['*'], ignore_paths: ['**'] });
    expect(isWanted({ kind: 'prompt', session: 's', cwd: '/', text: 'x', from: 'user' }, config)).toBe(true);
    expect(isWanted({ kind: 'turn-end', session: 's', cwd: '/', text: 'x' }, config)).toBe(true);
  });
});

describe('capture.ignore_paths', () => {
  it.each([
    ['secrets/**', '/home/u/repo/secrets/a.txt', true],
    ['secrets/**', '/home/u/repo/secrets/deep/a.txt', true],
    ['secrets/**', 'secrets/a.txt', true],
    ['secrets/**', '/home/u/repo/nosecrets/a.txt', false],
    ['secrets/', '/home/u/repo/secrets/deep/a.txt', true],
    ['secrets/', '/home/u/repo/secrets', false],
    ['*.pem', '/home/u/repo/keys/a.pem', true],
    ['*.pem', '/home/u/repo/a.pem.txt', false],
    ['keys/*.pem', '/home/u/repo/keys/deep/a.pem', false],
    ['.env', '/home/u/repo/.env', true],
    ['.env', '/home/u/repo/.env.example', false],
    ['.env*', '/home/u/repo/.env.local', true],
    ['vendor/**/LICENSE', 'vendor/LICENSE', true],
    ['vendor/**/LICENSE', 'vendor/a/b/LICENSE', true],
    ['vendor/**/LICENSE', 'vendor/a/MYLICENSE', false],
    ['vendor/**/test*/*.js', 'vendor/a/tests/b/test1/x.js', true],
    ['a**/b', 'a/b', true],
    ['a**b', 'a/x/b', true],
    ['**', 'anything', true],
    ['data?.csv', 'data1.csv', true],
    ['a?b', 'a/b', false],
    ['secrets/**', 'C:\\repo\\secrets\\a.txt', true],
    ['', '/home/u/repo/a', false],
  ])('%j and the path %s: ignored %s', (pattern, path, ignored) => expect(isIgnored(pattern, path)).toBe(ignored));

  it('drops a call only when everything it touches is ignored', () => {
    const config = configWith({ ignore_paths: ['secrets/**'] });
    expect(isWanted(call('Edit', 'secrets/a', 'src/b'), config)).toBe(true);
    expect(isWanted(call('Edit', 'secrets/a', 'secrets/b'), config)).toBe(false);
    expect(isWanted(call('Bash'), config)).toBe(true);
  });
});
