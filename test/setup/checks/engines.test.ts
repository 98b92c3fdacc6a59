import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { openWorkspace } from '../../../src/memory/store/workspace.ts';
import { checkExtractor } from '../../../src/setup/checks/engines.ts';
import { installClaude, installProgram } from '../../support/claude-program.ts';
import { createRepository } from '../../support/repository.ts';

describe('the check of the extractor', () => {
  it('says which provider is used, why, where and on whose account, and what is missing', () => {
    const { root, env: base } = createRepository();
    const extractor = (env: Record<string, string>, part: 'message' | 'hint' = 'message') => {
      const given = Object.entries(env).map(([name, value]) => [name.replace(/^_/, 'GIT_MEM_EXTRACT_'), value]);
      const all = { ...base, ...Object.fromEntries(given) };
      const workspace = openWorkspace(root, all);
      const loaded = loadConfig(workspace.layout.memory, all);
      const now = new Date('2026-11-20T12:00:00Z');
      const patient = { workspace, loaded, env: all, node: '24.1.0', version: '1.2.3', now };
      const lines = checkExtractor(patient).map(({ status, [part]: words }) => `${status}: ${words}`);
      return lines.join('\n');
    };
    const why = '(extract.provider, environment)';
    expect(extractor({ _PROVIDER: 'auto' })).toBe(
      'ok: No model reads sessions (no key in this shell; drains that an agent starts may see one).',
    );
    expect(extractor({ _PROVIDER: 'none' })).toBe('ok: No model reads sessions (extract.provider, environment).');
    expect(extractor({ _PROVIDER: 'ollama', _FALLBACK: 'gemini' })).toContain(
      '\nwarn: extract.fallback is gemini, but GEMINI_API_KEY is not set.',
    );
    expect(extractor({ _PROVIDER: 'ollama' })).toBe(
      `ok: Ollama with qwen2.5-coder:7b at http://127.0.0.1:11434/v1 ${why}; without a key; 0 tokens today.`,
    );
    expect(extractor({ _PROVIDER: 'gemini', _API_KEY_ENV: 'MINE' })).toBe(
      'warn: extract.provider is gemini, but MINE is not set.',
    );
    const secret = ['sk', 'x'.repeat(30)].join('-');
    const command = { _PROVIDER: 'openai', _API_KEY_COMMAND: `echo ${secret}`, _MODEL: 'm' };
    expect(extractor({ ...command, _BASE_URL: 'https://example.org/v1' })).toBe(
      `ok: OpenAI with m at https://example.org/v1 ${why}; key by extract.api_key_command; 0 of 2000000 tokens today.`,
    );
    expect(extractor({ ...command, _BASE_URL: `https://me:${secret}@example.org/v1` })).toBe(
      'warn: extract.provider is openai, but extract.base_url holds a password.',
    );
    expect(extractor({ _PROVIDER: 'gemini' }, 'hint')).toContain('; drains that an agent starts may see one.');
    expect(extractor({ _PROVIDER: 'lmstudio' })).toContain('extract.model is not set');
    expect(extractor({ _PROVIDER: 'claude-cli' })).toContain('claude is not on PATH');
    expect(extractor({ _PROVIDER: 'gemini-cli' })).toContain('gemini is not on PATH');
    const codex = { PATH: `${base.PATH}:${installProgram('codex', 'throw new Error("Nobody asked.")').env.PATH}` };
    expect(extractor({ _PROVIDER: 'codex-cli', ...codex })).toBe(
      `ok: codex exec with its own model ${why}; on the subscription of the user who is logged in; 0 of 2000000 tokens today.`,
    );
    const { env } = installClaude('throw new Error("Nobody asked.")');
    const path = { PATH: `${base.PATH}:${env.PATH}` };
    expect(extractor({ _PROVIDER: 'claude-cli', ...path })).toBe(
      `ok: claude -p with haiku ${why}; on the subscription of the user who is logged in; 0 of 2000000 tokens today.`,
    );
  });
});
