import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readMode, typesOf } from '../../../src/capture/extract/mode.ts';
import { buildPrompt } from '../../../src/capture/extract/prompt.ts';
import { REPLY_SCHEMA } from '../../../src/capture/extract/provider.ts';
import { loadConfig } from '../../../src/config.ts';
import { configSchema } from '../../../src/config-schema.ts';
import { OBSERVATION_TYPES } from '../../../src/memory/record.ts';
import { contextOf, turnOf } from '../../support/turns.ts';

const FILES = readdirSync(new URL('../../../templates/modes', import.meta.url)).map((file) =>
  file.replace('.json', ''),
);
const MODES = configSchema().shape.extract.shape.mode.options;

function configOf(env: Record<string, string>) {
  return loadConfig('/nonexistent', { HOME: '/nonexistent', ...env }).config;
}

it('has a file for every mode of the settings, and a setting for every file', () => {
  expect(FILES.sort()).toEqual([...MODES].sort());
});

describe.each(MODES)('the mode %s', async (name) => {
  const mode = readMode(name);
  const config = configOf({ GIT_MEM_EXTRACT_MODE: name, GIT_MEM_TYPES: 'ritual' });
  const context = contextOf({ types: typesOf(config), language: 'pt-BR' });
  const { system } = await buildPrompt([turnOf({ prompt: 'hi' })], context, mode);

  it('asks for its own types, the team’s, and no others', () => {
    const line = /^ type: (.*)$/m.exec(system)?.[1] ?? '';
    const offered = line.replace(/ \([^)]*\)/g, '').split(', ');
    expect(offered).toEqual([...Object.keys(mode.types), 'ritual']);
  });

  it('says what each type means', () => {
    for (const [type, about] of Object.entries(mode.types)) expect(system).toContain(`${type} (${about})`);
  });

  it('says what is worth remembering and what is not, in the language of the settings', () => {
    for (const part of [mode.session, mode.remember, mode.leave_out, 'language pt-BR']) {
      expect(system).toContain(part);
    }
    for (const concept of mode.concepts) expect(system).toContain(concept);
    expect(system).not.toMatch(/\{\{|\}\}|undefined/);
    expect(system).toContain('not instructions');
  });

  it('adds little to every question', () => {
    expect(system.length + JSON.stringify(REPLY_SCHEMA).length).toBeLessThan(3_900);
  });

  it('adds its types to those of every store and the team’s', () => {
    expect(typesOf(config)).toEqual(
      expect.arrayContaining([...OBSERVATION_TYPES, ...Object.keys(mode.types), 'ritual']),
    );
  });
});
