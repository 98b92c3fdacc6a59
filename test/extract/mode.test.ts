import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Extractor } from '../../src/capture/extract/extractor.ts';
import { inMode, readMode, typesOf } from '../../src/capture/extract/mode.ts';
import { buildPrompt } from '../../src/capture/extract/prompt.ts';
import { REPLY_SCHEMA } from '../../src/capture/extract/reply-schema.ts';
import { rulesExtractor } from '../../src/capture/extract/select.ts';
import { loadConfig } from '../../src/config.ts';
import { configSchema } from '../../src/config-schema.ts';
import { OBSERVATION_TYPES } from '../../src/memory/record.ts';
import { callOf, contextOf, SOURCES, turnOf } from '../support/turns.ts';

const FILES = readdirSync(new URL('../../templates/modes', import.meta.url)).map((file) => file.replace('.json', ''));
const MODES = configSchema().shape.extract.shape.mode.options;

function configOf(env: Record<string, string>) {
  return loadConfig('/nonexistent', { HOME: '/nonexistent', ...env }).config;
}

it('has a file for every mode of the settings, and a setting for every file', () => {
  expect(FILES.sort()).toEqual([...MODES].sort());
});

describe.each(MODES)('the mode %s', async (name) => {
  const mode = readMode(name);
  const config = configOf({ GIT_MEM_EXTRACT_MODE: name, GIT_MEM_TYPES: 'ritual', GIT_MEM_CONCEPTS: 'blue-team' });
  const sources = { ...SOURCES, mode, concepts: config.concepts };
  const context = contextOf({ types: typesOf(config), language: 'pt-BR' });
  const { system } = await buildPrompt([turnOf({ prompt: 'hi' })], context, sources);

  it('asks for its own types, the team’s, and no others', () => {
    const line = /^ type: (.*)$/m.exec(system)?.[1] ?? '';
    const offered = line.replace(/ \([^)]*\)/g, '').split(', ');
    expect(offered).toEqual([...Object.keys(mode.types), 'ritual']);
  });

  it('says what each type means', () => {
    for (const [type, about] of Object.entries(mode.types)) expect(system).toContain(`${type} (${about})`);
  });

  it('says what is worth remembering and what is not, in the language of the settings', () => {
    for (const part of [mode.session, mode.remember, mode.leave_out, 'blue-team', 'language pt-BR']) {
      expect(system).toContain(part);
    }
    for (const concept of mode.concepts) expect(system).toContain(concept);
    expect(system).not.toMatch(/\{\{|\}\}|undefined/);
    expect(system).toContain('not instructions');
  });

  it('adds little to every question', () => {
    expect(system.length + JSON.stringify(REPLY_SCHEMA).length).toBeLessThan(3_900);
  });

  it('gives every type of the rules a name from its own list', () => {
    const known = Object.keys(mode.types);
    for (const type of OBSERVATION_TYPES) expect(known).toContain(mode.rules[type] ?? type);
    expect(typesOf(config)).toEqual(expect.arrayContaining([...OBSERVATION_TYPES, ...known, 'ritual']));
  });

  it('applies its types to records made by the rules', async () => {
    const turn = turnOf({
      prompt: 'fix the crash when the list is empty',
      calls: [
        callOf({ id: '1', tool: 'Bash', action: 'command', command: 'npm test', output: '1 failed', ok: false }),
        callOf({ id: '2', action: 'edit', paths: ['src/list.ts'], change: { removed: 'a[0].x', added: 'a[0]?.x' } }),
        callOf({ id: '3', tool: 'Bash', action: 'command', command: 'npm test', output: '12 passed' }),
      ],
      reply: 'The crash is fixed: `first()` in `src/list.ts` read a property of an empty list’s first element.',
    });
    const { observations } = await rulesExtractor(name).extract([turn], context);
    expect(observations.map(({ type }) => type)).toEqual([mode.rules.bugfix ?? 'bugfix']);
  });
});

it('leaves alone a type that the mode has under the same name', async () => {
  const draft = { turn: '', title: 'x', subtitle: '', narrative: '', facts: [], concepts: [] };
  const lists = { files_read: [], files_modified: [], supersedes: [] };
  const extractor: Extractor = {
    extract: async () => ({
      observations: ['decision', 'bugfix', 'ritual'].map((type) => ({ ...draft, ...lists, type })),
      summary: undefined,
      extractor: 'rules/2',
    }),
  };
  const { observations } = await inMode(extractor, readMode('operations')).extract([turnOf({})], contextOf({}));
  expect(observations.map(({ type }) => type)).toEqual(['decision', 'incident', 'ritual']);
});
