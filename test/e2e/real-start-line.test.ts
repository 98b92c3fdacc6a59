import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { idOf } from '../../src/memory/id.ts';
import { findClient } from '../support/clients/client.ts';
import { kilo, opencode, settingsOf } from '../support/clients/opencode.ts';
import { startTerminal } from '../support/clients/terminal.ts';
import { createRepository } from '../support/repository.ts';
import { CHAT, startScriptedModel } from '../support/scripted-model.ts';
import { observationOf, put } from '../support/written-records.ts';

const hasTerminals = spawnSync('script', ['--version']).status === 0;
if (!hasTerminals) console.log('skipped: no `script` of util-linux makes a terminal here.');

describe.each([opencode, kilo])('the line of a session start in the terminal of a real $name', (client) => {
  const program = findClient(client);

  it.skipIf(program === undefined || !hasTerminals)('is a toast, and the model is not told', async () => {
    const repository = createRepository();
    repository.gitMem('init', '--yes', '--host', client.host);
    put(repository, observationOf({ id: idOf('one'), title: 'Migrations are never edited once they ran' }));
    repository.commit('remember');
    const model = await startScriptedModel(CHAT);
    model.script([{ text: 'It is done.' }]);
    const env = { ...settingsOf(repository, client.name, model.url), TERM: 'xterm-256color' };
    const terminal = startTerminal(program ?? [], { cwd: repository.root, env });
    await terminal.shows('Ask anything');
    terminal.type('make the column a text');
    await terminal.shows('make the column a text');
    terminal.type('\r');
    await terminal.shows('git-mem: 1 record injected.');
    await terminal.shows('It is done.');
    expect(model.requests().length).toBeGreaterThan(0);
    expect(model.requests().join()).not.toContain('git-mem: 1 record injected.');
  });
});
