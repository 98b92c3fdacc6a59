import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { SETTING_WORDS } from '../../../src/setting-words.ts';
import { gitMem } from '../../support/command-line.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { useSettings } from '../../support/team-settings.ts';
import { it } from '../../support/with-repository.ts';

function ownFile({ env }: TestRepository): string {
  return join(env.HOME ?? '', '.config/git-mem/config.yaml');
}

function own(repository: TestRepository, text: string): void {
  mkdirSync(dirname(ownFile(repository)), { recursive: true });
  writeFileSync(ownFile(repository), text);
}

/** The test environment chooses the extractor, which would go before any file. */
const UNSET = { env: { GIT_MEM_EXTRACT_PROVIDER: '' } };

describe('git mem config', () => {
  it('shows every setting with its origin', async ({ repository }) => {
    useSettings(repository, 'briefing: {tokens: 500}\nextract: {provider: anthropic}\n');
    own(repository, 'recall:\n  tokens: 200\n');
    const { stdout } = await gitMem(repository, ['config', '--json'], { env: { GIT_MEM_EXTRACT_PROVIDER: 'none' } });
    const { settings, warnings } = JSON.parse(stdout);
    expect(settings).toContainEqual({ key: 'briefing.tokens', value: 500, origin: 'team' });
    expect(settings).toContainEqual({ key: 'recall.tokens', value: 200, origin: 'user' });
    expect(settings).toContainEqual({ key: 'extract.provider', value: 'none', origin: 'environment' });
    expect(settings).toContainEqual({ key: 'summaries', value: 'session', origin: 'default' });
    expect(warnings).toEqual([expect.stringContaining('"extract.provider" is ignored in the team file')]);
    expect((await gitMem(repository, ['config', 'briefing.tokens'])).stdout).toBe('500\n');
  });

  it.each([
    ['', 'extract.model', 'claude-haiku-4-5', 'extract:\n  model: claude-haiku-4-5\n'],
    ['', 'summaries', 'turn', 'summaries: turn\n'],
    ['summaries: session # one each\n', 'summaries', 'turn', 'summaries: turn # one each\n'],
    [
      '# mine\nrecall:\n    tokens: 1\n\n# more\n',
      'recall.prompt',
      'no',
      '# mine\nrecall:\n    prompt: false\n    tokens: 1\n\n# more\n',
    ],
    ['embed: {provider: ollama}\n', 'embed.model', 'true', 'embed: {provider: "ollama", model: "true"}\n'],
    ['', 'privacy.redact', 'a-\\d+, b', 'privacy:\n  redact: ["a-\\\\d+","b"]\n'],
  ])('edits %j: %s becomes %s, and the rest stays', async (before, key, value, after) => {
    const repository = createRepository();
    if (before !== '') own(repository, before);
    const { code, stderr } = await gitMem(repository, ['config', key, value], UNSET);
    expect(stderr).toContain(ownFile(repository));
    expect(code).toBe(0);
    expect(readFileSync(ownFile(repository), 'utf8')).toBe(after);
    const now = JSON.parse((await gitMem(repository, ['config', key, '--json'], UNSET)).stdout);
    expect(now.origin).toBe('user');
  });

  it('removes a key, and its section when that is empty', async ({ repository }) => {
    own(repository, 'extract:\n  model: x\n  language: de\nsummaries: turn\n');
    await gitMem(repository, ['config', 'extract.model', '--unset'], UNSET);
    await gitMem(repository, ['config', 'summaries', '--unset'], UNSET);
    expect(readFileSync(ownFile(repository), 'utf8')).toBe('extract:\n  language: de\n');
    const { stderr } = await gitMem(repository, ['config', 'extract.language', '--unset'], UNSET);
    expect(stderr).toBe(`extract.language is en now (default): ${ownFile(repository)} does not set it.\n`);
    expect(readFileSync(ownFile(repository), 'utf8')).toBe('');
  });

  it.each([
    ['an unknown key', ['config', 'tokens', '3'], 'Did you mean'],
    [
      'a value that is none',
      ['config', 'extract.daily_tokens', 'many'],
      'cannot be many: expected a whole number from 0.',
    ],
    ['no number', ['config', 'recall.tokens', ' '], 'expected a whole number from 0.'],
    ['a number below 0', ['config', 'recall.tokens', '-1'], 'expected a whole number from 0.'],
    ['a choice that is none', ['config', 'summaries', 'hourly'], 'cannot be hourly: expected one of session, turn.'],
    ['a switch that is neither', ['config', 'recall.prompt', 'maybe'], 'neither true nor false'],
  ])('refuses %s and writes nothing', async (_, args, message) => {
    const repository = createRepository();
    const { code, stderr } = await gitMem(repository, args, UNSET);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(existsSync(ownFile(repository))).toBe(false);
  });

  const texts = ['extract: &a\n  model: x\nembed: *a\n', 'not a mapping\n', 'extract: {model: x,\n  language: de}\n'];
  it.each(texts)('leaves %j alone when it cannot edit it safely', async (text) => {
    const repository = createRepository();
    own(repository, text);
    const { code, stderr } = await gitMem(repository, ['config', 'extract.model', 'y'], UNSET);
    expect(code).toBe(1);
    expect(stderr).toContain('cannot be edited safely');
    expect(readFileSync(ownFile(repository), 'utf8')).toBe(text);
  });

  it('prints a JSON Schema that knows every key', async () => {
    const schema = JSON.parse((await gitMem(createRepository(), ['config', '--schema'])).stdout);
    expect(schema.properties.extract.properties.provider.enum).toContain('none');
    expect(schema.properties.briefing.properties.tokens.description).toBe(SETTING_WORDS['briefing.tokens']);
    expect(schema.properties.extract.properties.fallback.enum).not.toContain('auto');
    expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(['capture', 'briefing', 'commit', 'embed']));
  });
});
