import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { idOf } from '../../src/memory/id.ts';
import { launched } from '../support/hook-call.ts';
import { install } from '../support/launcher.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { observationOf, put } from '../support/written-records.ts';

const REVIEWED = 'capture: {destination: private}\nprivacy: {redact: ["Bluebird"], prompts: "off"}\n';
const CONFIG = '.memory/config.yaml';
const TITLE = 'Tokens are rotated by the hour';

let repository: TestRepository;

/** Settings on the default branch, others (or none) in the branch that is checked out. */
function bring(theirs: string | undefined, reviewed = REVIEWED): void {
  repository.write(CONFIG, reviewed);
  put(repository, observationOf({ id: idOf('known'), title: TITLE, files_modified: ['src/a.ts'] }));
  repository.write('src/a.ts', 'a\n');
  repository.commit('reviewed');
  repository.git('switch', '--quiet', '-c', 'theirs');
  if (theirs === undefined) rmSync(join(repository.root, CONFIG));
  else repository.write(CONFIG, theirs);
  repository.commit('theirs');
}

async function settingOf(key: string): Promise<unknown> {
  return JSON.parse(await repository.call('config', key, '--json')).value;
}

/** What a starting session is told, by the launcher that hosts call. */
const started = () =>
  launched(repository, 'claude-code', 'SessionStart', { session_id: 's', source: 'startup' }).stdout;

beforeEach(() => {
  repository = createRepository();
  install(repository.root);
});

describe('law: the settings of a branch that nobody reviewed only make privacy stricter', () => {
  it.each([
    ['other values', 'capture: {destination: team}\nprivacy: {redact: [], prompts: private}\n'],
    ['no file', undefined],
    ['an empty file', ''],
    ['no YAML', 'privacy: ['],
  ])('with %s', async (_, theirs) => {
    bring(theirs);
    expect(await settingOf('capture.destination')).toBe('private');
    expect(await settingOf('privacy.redact')).toEqual(['Bluebird']);
    expect(await settingOf('privacy.prompts')).toBe('off');
    const title = 'The launch of Bluebird is a secret of ours';
    const { id } = JSON.parse(await repository.call('add', '--type', 'discovery', '--title', title, '--json'));
    expect(await repository.call('show', id)).not.toContain('Bluebird');
  });

  it('and stricter settings count at once', async () => {
    bring(REVIEWED.replace('Bluebird', 'Heron'), 'privacy: {redact: ["Bluebird"]}\n');
    expect(await settingOf('capture.destination')).toBe('private');
    expect(await settingOf('privacy.redact')).toEqual(['Bluebird', 'Heron']);
    expect(await settingOf('privacy.prompts')).toBe('off');
  });

  it.each(['briefing: {tokens: 0}', 'briefing: {observations: 0, summaries: 0}'])(
    'so that %s silences no session',
    async (theirs) => {
      bring(`${theirs}\n`, '');
      expect(await repository.call('context')).toContain(TITLE);
      expect(started()).toContain(TITLE);
    },
  );

  it.each([
    ['capture.ignore_paths', '["**"]', []],
    ['capture.skip_tools', '["*"]', []],
    ['capture.ask', 'stop', 'commit'],
    ['extract.language', 'de', 'en'],
    ['recall.prompt', 'false', true],
    ['types', '[trap]', []],
  ])('nor does %s change', async (key, theirs, value) => {
    const [first = '', second] = key.split('.');
    bring(second === undefined ? `${first}: ${theirs}\n` : `${first}: {${second}: ${theirs}}\n`, '');
    expect(await settingOf(key)).toEqual(value);
  });

  it('is reported by context, doctor and check', async () => {
    bring('briefing: {tokens: 0}\n', '');
    const said = 'config.yaml is not the reviewed version: briefing.tokens is ignored here.';
    const { gitMem } = await import('../support/command-line.ts');
    for (const command of ['context', 'doctor', 'check', 'config']) {
      const { stdout, stderr } = await gitMem(repository, [command]);
      expect(`${stdout}${stderr}`, command).toContain(said);
    }
  });

  it('until this clone accepts them, or the default branch has them', async () => {
    bring('briefing: {tokens: 700}\n', '');
    expect(await settingOf('briefing.tokens')).toBe(1000);
    await repository.call('trust', '--branch');
    expect(await settingOf('briefing.tokens')).toBe(700);
    repository.write(CONFIG, 'briefing: {tokens: 600}\n');
    expect(await settingOf('briefing.tokens'), 'another file than the accepted one').toBe(1000);
    repository.commit('again');
    repository.git('switch', '--quiet', 'main');
    repository.git('merge', '--quiet', 'theirs');
    expect(await settingOf('briefing.tokens')).toBe(600);
  });
});
