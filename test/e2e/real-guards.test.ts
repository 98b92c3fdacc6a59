import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { idOf } from '../../src/memory/id.ts';
import { claudeCode } from '../support/clients/claude-code.ts';
import { findClient, put as write } from '../support/clients/client.ts';
import { REAL_CLIENTS } from '../support/clients/clients.ts';
import { startTerminal } from '../support/clients/terminal.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { MESSAGES, startScriptedModel } from '../support/scripted-model.ts';
import { observationOf, put } from '../support/written-records.ts';

const TITLE = 'Migrations are never edited once they ran';
const NARRATIVE = 'Production refuses to start where the checksum of a migration is another.';
const SECOND = 'Releases are cut on Tuesdays by the release job';
const REASON = 'Whatever is released by hand lacks the signature.';
const FILE = 'db/migrations/001.sql';
const KEY = 'sk-ant-dummy-0000-000000000000000000';

/** A memory whose records guard the migrations and the release, on the reviewed branch, set up for a host. */
function guarded(host = 'claude-code'): TestRepository {
  const repository = createRepository();
  repository.gitMem('init', '--yes', '--host', host);
  repository.write(FILE, 'create table a (b int);\n');
  put(repository, observationOf({ id: idOf('guard'), type: 'decision', title: TITLE, narrative: NARRATIVE }));
  put(repository, observationOf({ id: idOf('second'), type: 'decision', title: SECOND, narrative: REASON }));
  repository.gitMem('pin', idOf('guard'), '--guard', 'db/migrations/**', '--ask');
  repository.gitMem('pin', idOf('second'), '--guard', 'touch released', '--ask');
  repository.commit('remember');
  return repository;
}

const edit = (repository: TestRepository) => ({
  tool: {
    name: 'Edit',
    input: { file_path: join(repository.root, FILE), old_string: 'b int', new_string: 'b text' },
  },
});
const read = (repository: TestRepository) => ({
  tool: { name: 'Read', input: { file_path: join(repository.root, FILE) } },
});

const program = findClient(claudeCode);
const hasTerminals = spawnSync('script', ['--version']).status === 0;
const missing = REAL_CLIENTS.filter((client) => findClient(client) === undefined).map(({ name }) => name);
if (missing.length > 0) console.log(`skipped: ${missing.join(', ')} not installed: npm run test:hosts.`);
if (!hasTerminals) console.log('skipped: no `script` of util-linux makes a terminal here.');

/** Claude Code in a terminal, asking the model at `url`, in a repository that its user trusts. */
function inTerminal(repository: TestRepository, url: string) {
  const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
  const seen = { hasCompletedOnboarding: true, theme: 'dark', numStartups: 5 };
  const known = { customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] } };
  const projects = { [repository.root]: trusted };
  write(join(repository.env.HOME ?? '', '.claude.json'), JSON.stringify({ ...seen, ...known, projects }));
  const env = {
    ...repository.env,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    TERM: 'xterm-256color',
  };
  const strict = ['--strict-mcp-config', '--permission-mode', 'acceptEdits'];
  return startTerminal([...(program ?? []), ...strict], { cwd: repository.root, env });
}

describe.skipIf(program === undefined || !hasTerminals)('a real Claude Code', () => {
  it('says nothing of git-mem to a person who compacts the context', async () => {
    const repository = guarded();
    const model = await startScriptedModel(MESSAGES);
    model.script([{ text: 'I see.' }, { text: '<summary>They said hello.</summary>' }]);
    const terminal = inTerminal(repository, model.url);
    await terminal.shows('git-mem: 2 records injected.');
    for (const [typed, shown] of [
      ['hello there', 'I see.'],
      ['/compact', 'Compacted'],
    ] as const) {
      terminal.type(typed);
      await terminal.shows(typed);
      terminal.type('\r');
      await terminal.shows(shown);
    }
    terminal.type('and now');
    await terminal.shows('and now');
    expect(terminal.screen()).not.toContain('.memory/hook');
  });

  it('asks the person in the terminal about what a guard is about, who has seen the line of the session start, and is said to the model', async () => {
    const repository = guarded();
    const model = await startScriptedModel(MESSAGES);
    const release = { tool: { name: 'Bash', input: { command: 'touch released', description: 'Release' } } };
    model.script([read(repository), edit(repository), release, { text: 'It is done.' }]);
    const terminal = inTerminal(repository, model.url);
    await terminal.shows('git-mem: 2 records injected.');
    terminal.type('make the column a text');
    await terminal.shows('make the column a text');
    terminal.type('\r');
    await terminal.shows('Do you want to make this edit to 001.sql?');
    expect(readFileSync(join(repository.root, FILE), 'utf8')).toContain('b int');
    terminal.type('\r');
    // Its question about an edit has no room for the reason.
    await terminal.shows(`PreToolUse:Edit says: git-mem: ${TITLE} (record ${idOf('guard')} guards db/migrations/**).`);
    await terminal.shows('requires confirmation for this command:');
    await terminal.shows(`git-mem: ${SECOND} (record ${idOf('second')} guards touch released).`);
    expect(existsSync(join(repository.root, 'released'))).toBe(false);
    terminal.type('\r');
    await terminal.shows('It is done.');
    expect(readFileSync(join(repository.root, FILE), 'utf8')).toContain('b text');
    expect(existsSync(join(repository.root, 'released'))).toBe(true);
    const [first = '', beforeEdit = '', afterEdit = ''] = model.requests();
    expect([first, beforeEdit].join()).not.toContain(NARRATIVE);
    expect(afterEdit).toContain(NARRATIVE);
    expect(model.requests().join()).not.toContain('git-mem: 2 records injected.');
  });
});

/** Kimi Code hears nothing with a call. */
const HEARING = REAL_CLIENTS.filter(({ host }) => host !== 'kimi-code');

describe.each(HEARING)('a guard in a real $name where nobody attends', (client) => {
  const command = findClient(client);

  it.skipIf(command === undefined)('is said to the model, and the command is run', async () => {
    const repository = guarded(client.host);
    const agent = await client.start(command ?? [], repository);
    const { code, said } = await agent.ask('release it', [agent.does.run('touch released'), { text: 'Done.' }]);
    expect({ code, said }).toMatchObject({ code: 0 });
    expect(existsSync(join(repository.root, 'released'))).toBe(true);
    const [first, ...others] = agent.model.requests();
    expect(first).not.toContain(REASON);
    expect(others.at(-1)).toContain(REASON);
    // The other clients show the line of a session start only in a terminal, if at all.
    expect(said.includes('git-mem: 2 records injected.')).toBe(client.name === 'gemini');
    expect(agent.model.requests().join()).not.toContain('git-mem: 2 records injected.');
  });

  it.skipIf(command === undefined)('is said to the model, and the edit is made', async () => {
    const repository = guarded(client.host);
    const agent = await client.start(command ?? [], repository);
    const { does, model } = agent;
    // Some clients edit only what their model has read.
    const look = does.read?.(FILE) ?? does.run(`cat ${FILE}`);
    const change = does.edit(FILE, 'create table a (b int);', 'create table a (b text);');
    const { code, said } = await agent.ask('make the column a text', [look, change, { text: 'Done.' }]);
    expect({ code, said }).toMatchObject({ code: 0 });
    expect(readFileSync(join(repository.root, FILE), 'utf8')).toContain('b text');
    const requests = model.requests();
    expect(requests).toHaveLength(3);
    expect(requests.slice(0, 2).join()).not.toContain(NARRATIVE);
    expect(requests[2]).toContain(NARRATIVE);
  });
});
