import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noteFailure } from '../../src/capture/extract/budget.ts';
import { chosenProviders } from '../../src/capture/extract/chosen-provider.ts';
import { accept, setAside } from '../../src/capture/spool/spool.ts';
import { loadConfig } from '../../src/config.ts';
import { tryLock } from '../../src/memory/store/lock.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import type { Check } from '../../src/setup/check.ts';
import { indexWords } from '../../src/setup/checks/engines.ts';
import { checkSwitches } from '../../src/setup/checks/hosts.ts';
import { installing } from '../../src/setup/checks/machine.ts';
import { examineMachine, examineRepository } from '../../src/setup/doctor.ts';
import { HOSTS, hostFiles } from '../../src/setup/hosts.ts';
import { applyInit, planInit } from '../../src/setup/init.ts';
import { memoryFiles } from '../../src/setup/memory-files.ts';
import { noteProgram } from '../../src/setup/program.ts';
import { readTemplate } from '../../src/templates.ts';
import { hookCall } from '../support/hook-call.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { ENGINE } from '../support/sqlite.ts';
import { observationOf, put } from '../support/written-records.ts';

const it = test.extend('repository', () => createHealthy());

const VERSION = '1.2.3';
const NOW = new Date('2026-11-20T12:00:00Z');
const SETTINGS = '.claude/settings.json';

/** A repository that is set up, with a git-mem of the same version on PATH. */
function createHealthy(): TestRepository {
  const repository = createRepository();
  installProgram(repository, VERSION);
  const { checkout, layout } = openWorkspace(repository.root, repository.env);
  const place = { root: checkout.root, state: layout.state };
  noteProgram(checkout);
  applyInit(place, planInit(place, [...memoryFiles(), ...hostFiles(HOSTS.slice(0, 1))]));
  writeFileSync(preCommit(repository), `#!/bin/sh\n${readTemplate('git-hooks/pre-commit')}`, { mode: 0o755 });
  return repository;
}

const preCommit = ({ root }: TestRepository) => join(root, '.git', 'hooks', 'pre-commit');

function installProgram({ folder }: TestRepository, version: string): void {
  const lines = ['#!/bin/sh', `[ "$1" = hook ] && echo "\${GIT_MEM_REPLY:+git-mem reply 1}" || echo ${version}`, ''];
  writeFileSync(join(folder, 'bin', 'git-mem'), lines.join('\n'));
  chmodSync(join(folder, 'bin', 'git-mem'), 0o755);
}

function examine(
  { root, env }: TestRepository,
  changes: { env?: Record<string, string>; node?: string } = {},
): Promise<Check[]> {
  const all = { ...env, ...changes.env };
  const workspace = openWorkspace(root, all);
  const loaded = loadConfig(workspace.layout.memory, all);
  return examineRepository({ workspace, loaded, env: all, node: changes.node ?? '24.1.0', version: VERSION, now: NOW });
}

/** What the doctor says where better-sqlite3 does not load, as in every repository of such a machine. */
const LACKING = 'MiniSearch: better-sqlite3 does not load';

/** What is not well, apart from a machine without SQLite. */
async function troubles(...given: Parameters<typeof examine>) {
  const checks = await examine(...given);
  for (const { status, hint } of checks) expect(hint === '', `${status} ${hint}`).toBe(status === 'ok');
  const own = checks.filter(({ status, message }) => status !== 'ok' && !message.startsWith(LACKING));
  return own.map(({ status, name, message }) => [status, name, message]);
}

/** Expects these troubles and no others; a message contains the words given. */
async function expectOnly(repository: TestRepository, expected: [string, string, string][], changes = {}) {
  const said = expected.map(([status, name, words]) => [status, name, containing(words)]);
  expect(await troubles(repository, changes)).toEqual(said);
}

const state = ({ root }: TestRepository) => join(root, '.git', 'git-mem');
const containing = (text: string) => expect.stringContaining(text);

describe('doctor', () => {
  it('finds that no hook of git adds records to commits, and counts those that are not committed', async () => {
    const repository = createHealthy();
    put(repository, observationOf({ id: 'k3v9x2qd7m' }));
    const committing = async () =>
      (await examine(repository)).filter(({ name }) => name === 'commits' || name === 'uncommitted');
    expect(await committing()).toMatchObject([
      { status: 'ok', message: "Git's pre-commit hook adds new records to commits." },
      { status: 'ok', message: '1 record is not committed.' },
    ]);
    rmSync(preCommit(repository));
    expect((await committing())[0]).toMatchObject({ name: 'commits', status: 'warn', hint: 'Run `git mem init`.' });
    writeFileSync(join(repository.root, 'lefthook.yml'), 'pre-commit: {}\n');
    const hint = containing('Lefthook is configured here');
    expect((await committing())[0]).toMatchObject({ status: 'warn', hint });
    repository.write('lefthook.yml', 'pre-commit: {commands: {memory: {run: git-mem pre-commit}}}\n');
    expect((await committing())[0]).toMatchObject({ status: 'warn', hint: containing('`lefthook install`') });
    writeFileSync(preCommit(repository), '#!/bin/sh\ncall_lefthook run "pre-commit" "$@"\n');
    expect((await committing())[0]).toMatchObject({ status: 'ok' });
    repository.env.GIT_MEM_COMMIT = 'manual';
    expect((await committing())[0]).toMatchObject({ message: 'Records wait for your own `git add`.' });
  });

  it('finds no problem in a repository that was just set up', async ({ repository }) => {
    await expectOnly(repository, []);
    const names = (await examine(repository)).map(({ name }) => name);
    expect(names.join(' ')).toBe(
      'git node program repository reviewed memory launcher hooks claude-code events claude-code mcp claude-code skill claude-code ignored state events drain log settings extractor records commits index embedder',
    );
  });

  it('shows when each host last reported, and recognises hooks outside the checkout by their reports', async () => {
    const repository = createHealthy();
    const last = async () => (await examine(repository)).filter(({ name }) => /^events .|^hooks/.test(name));
    expect(await last()).toMatchObject([
      { name: 'hooks claude-code', status: 'ok' },
      { name: 'events claude-code', status: 'ok', message: 'Last event of Claude Code: never.' },
    ]);
    await hookCall(repository, 'claude-code', 'SessionStart', { session_id: 's', cwd: repository.root });
    const arrived =
      /^The last event of Claude Code came \d{4}-\d\d-\d\d \d\d:\d\d UTC, later than it is by this clock\.$/;
    expect(await last()).toMatchObject([{}, { message: expect.stringMatching(arrived) }]);
    await repository.call('drain', '--wait', '--all');
    expect(await last()).toMatchObject([{}, { message: expect.stringMatching(arrived) }]);
    rmSync(join(repository.root, '.claude/settings.json'));
    expect(await last()).toMatchObject([
      { name: 'hooks', status: 'ok', message: containing('Claude Code reports by a plugin') },
      { name: 'events claude-code', message: expect.stringMatching(arrived) },
    ]);
  });

  it('reports a host whose events of the last week were not understood, but not events ignored on purpose', async () => {
    const repository = createHealthy();
    const strange = async () => (await examine(repository)).filter(({ name }) => name.startsWith('payloads'));
    const common = { session_id: 's', cwd: repository.root };
    await hookCall(repository, 'claude-code', 'PreCompact', common);
    await hookCall(repository, 'claude-code', 'PostToolUse', { ...common, tool_name: 'Bash', tool_input: {} });
    await repository.call('drain', '--wait', '--all');
    expect(await strange()).toEqual([]);
    await hookCall(repository, 'claude-code', 'PostToolUse', { ...common, toolName: 'Bash', toolInput: {} });
    await hookCall(repository, 'claude-code', 'Stop', { conversation: 's', cwd: repository.root });
    await repository.call('drain', '--wait', '--all');
    const message = '2 events of Claude Code in the last 7 days were not understood (PostToolUse, Stop).';
    expect(await strange()).toMatchObject([{ name: 'payloads claude-code', status: 'warn', message }]);
    const path = join(state(repository), 'hook.log');
    const eightDaysAgo = new Date(NOW.getTime() - 8 * 86_400_000).toISOString();
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/^\S+(?= payload of)/gm, eightDaysAgo));
    expect(await strange()).toEqual([]);
  });

  it('checks the machine where there is no repository', async () => {
    const checks = await examineMachine({ env: { PATH: '/nowhere' }, node: '20.18.3', version: VERSION, now: NOW });
    expect(checks.map(({ name, status }) => [name, status])).toEqual([
      ['git', 'fail'],
      ['node', 'ok'],
      ['program', 'fail'],
    ]);
  });

  it('finds another version of git-mem on PATH, a broken one, and one that only npm put there', async () => {
    const repository = createHealthy();
    installProgram(repository, '0.9.0');
    await expectOnly(repository, [['warn', 'program', 'is version 0.9.0, this is 1.2.3']]);
    writeFileSync(join(repository.folder, 'bin', 'git-mem'), '#!/bin/sh\nexit 3\n');
    await expectOnly(repository, [['fail', 'program', 'does not run']]);
    writeFileSync(join(repository.folder, 'bin', 'git-mem'), `#!/bin/sh\necho ${VERSION}\n`);
    await expectOnly(repository, [['fail', 'program', 'another program of this name']]);
    const passing = join(repository.folder, 'node_modules', '.bin');
    mkdirSync(passing, { recursive: true });
    rmSync(join(repository.folder, 'bin', 'git-mem'));
    symlinkSync('/bin/true', join(passing, 'git-mem'));
    const env = { PATH: `${passing}:${repository.env.PATH}`, npm_execpath: '/npm' };
    await expectOnly(repository, [['fail', 'program', 'not on PATH']], { env });
  });

  it('distinguishes a repository that is not set up from one set up by another version', async ({ repository }) => {
    repository.write('.memory/hook', '#!/bin/sh\n');
    repository.write(SETTINGS, '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "sh .memory/hook"}]}]}}');
    await expectOnly(repository, [
      ['warn', 'launcher', 'not the one of this version'],
      ['warn', 'hooks claude-code', 'SessionStart, UserPromptSubmit, PreToolUse, PostToolUse'],
    ]);
    rmSync(join(repository.root, '.memory/hook'));
    repository.write(SETTINGS, '{"model": "opus"}');
    await expectOnly(repository, [
      ['fail', 'launcher', 'is not there'],
      ['fail', 'hooks', 'nothing is captured'],
    ]);
    rmSync(join(repository.root, '.memory'), { recursive: true });
    rmSync(join(repository.root, SETTINGS));
    await expectOnly(repository, [
      ['fail', 'memory', 'not set up'],
      ['fail', 'hooks', 'nothing is captured'],
    ]);
  });

  it('finds a missing or outdated skill, and accepts one that people made their own', async ({ repository }) => {
    const path = '.claude/skills/mem-search/SKILL.md';
    const current = readTemplate('skills/mem-search/SKILL.md');
    repository.write(path, `${current}Older.\n`);
    await expectOnly(repository, [['warn', 'skill claude-code', `${path} is not the one of this version`]]);
    repository.write(path, current.replace(/^<!-- .*\n/m, ''));
    await expectOnly(repository, []);
    rmSync(join(repository.root, path));
    await expectOnly(repository, [['warn', 'skill claude-code', `${path} is not there`]]);
    symlinkSync('/etc/hostname', join(repository.root, path));
    await expectOnly(repository, [['fail', 'skill claude-code', 'leads out of the checkout']]);
  });

  it('reports an agent that gets injections but has no tools to search', async ({ repository }) => {
    rmSync(join(repository.root, '.mcp.json'));
    const silent = ['warn', 'mcp claude-code', containing('.mcp.json does not name git-mem')];
    expect(await troubles(repository)).toEqual([silent]);
    repository.write('.mcp.json', '{"mcpServers": {"db": {"command": "x"}}}');
    expect(await troubles(repository)).toEqual([silent]);
    repository.write('.mcp.json', '{"mcpServers": ');
    await expectOnly(repository, [['fail', 'mcp claude-code', 'not valid JSON']]);
  });

  it('finds settings that are not JSON, and disabled hooks', async ({ repository }) => {
    repository.write('.claude/settings.local.json', '{ "disableAllHooks": true } // for now');
    mkdirSync(join(repository.folder, 'home/.claude'));
    writeFileSync(join(repository.folder, 'home/.claude/settings.json'), '{ "disableAllHooks": true }');
    await expectOnly(
      repository,
      [
        ['warn', 'switch', 'GIT_MEM=0'],
        ['warn', 'hooks claude-code', `${join(repository.root, '.claude/settings.local.json')} has "disableAllHooks"`],
        ['warn', 'hooks claude-code', 'home/.claude/settings.json has "disableAllHooks"'],
      ],
      { env: { GIT_MEM: '0' } },
    );
    repository.write(SETTINGS, '{');
    expect((await troubles(repository))[0]).toEqual(['fail', 'hooks claude-code', containing('not valid JSON')]);
  });

  it('sees hooks that the settings of their host switch off', ({ repository: { root, folder, env } }) => {
    const cases = [
      ['codex', 'home/.codex/config.toml', '[features]\nhooks = false # for now', 'features.hooks=false'],
      ['codex', 'repo/.codex/config.toml', 'features.codex_hooks = false', 'features.codex_hooks=false'],
      ['codex', 'repo/.codex/config.toml', '["features"]\n  other = true\n"hooks"=false', 'features.hooks=false'],
      ['codex', 'repo/.codex/config.toml', 'features = { other = true, hooks = false }', 'features.hooks=false'],
      ['codex', 'repo/.codex/config.toml', '[other]\nhooks = false\n[features]\nhooks = true', undefined],
      ['gemini-cli', 'home/.gemini/settings.json', '{"hooksConfig": {"enabled": false}}', 'hooksConfig.enabled=false'],
      ['gemini-cli', 'repo/.gemini/settings.json', '{"tools": {"enableHooks": false}}', 'tools.enableHooks=false'],
      [
        'gemini-cli',
        'home/.gemini/settings.json',
        '{"hooksConfig": {"disabled": ["a", "sh .memory/hook b"]}}',
        'hooksConfig.disabled',
      ],
      ['gemini-cli', 'home/.gemini/settings.json', '{"hooksConfig": {"disabled": ["a"]}}', undefined],
      ['qwen-code', 'repo/.qwen/settings.json', '{"disableAllHooks": true}', 'disableAllHooks'],
      ['copilot', 'home/.copilot/settings.json', '{"disableAllHooks": true}', 'disableAllHooks'],
      ['copilot', 'repo/.vscode/settings.json', '{"chat.useHooks": false, // noise\n}', 'chat.useHooks=false'],
      ['factory-droid', 'home/.factory/settings.json', '{"hooks": {"hooksDisabled": true}}', 'hooks.hooksDisabled'],
    ] as const;
    for (const [host, path, text, setting] of cases) {
      const file = join(path.startsWith('home') ? folder : root, path.replace('repo/', ''));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      const setup = HOSTS.find(({ name }) => name === host);
      const found = setup ? checkSwitches(setup, root, env) : [];
      const expected = setting === undefined ? [] : [containing(`${file} has "${setting}": ${setup?.title} `)];
      expect(
        found.map(({ message }) => message),
        text,
      ).toEqual(expected);
      rmSync(file);
    }
  });

  it.each([
    ['is no JSON', (path: string) => writeFileSync(path, '{"disableAllHooks": tru'), 'is not valid JSON'],
    ['cannot be read', (path: string) => mkdirSync(path), 'cannot be read'],
  ])('names a settings file of a host that %s, which may switch hooks off', (_, make, problem) => {
    const { root, folder, env } = createRepository();
    const file = join(folder, 'home/.claude/settings.json');
    mkdirSync(dirname(file), { recursive: true });
    make(file);
    const setup = HOSTS.find(({ name }) => name === 'claude-code');
    const found = setup ? checkSwitches(setup, root, env) : [];
    expect(found.map(({ message }) => message)).toEqual([`${file} ${problem}: Claude Code may run no hook.`]);
  });

  it('says that the history ends early in a shallow clone', async ({ repository: source }) => {
    source.commit('base');
    source.git('commit', '--quiet', '--allow-empty', '-m', 'more');
    const root = join(source.folder, 'shallow');
    source.git('clone', '--quiet', '--depth', '1', `file://${source.root}`, root);
    expect(await troubles({ ...source, root })).toContainEqual(['warn', 'history', containing('shallow clone')]);
  });

  it('finds ignored files, and a repository that git refuses', async ({ repository }) => {
    repository.write('.gitignore', '*.log\n.claude/\n');
    await expectOnly(repository, [
      ['warn', 'ignored', 'git ignores .claude/settings.json because of ".claude/" (.gitignore, line 2)'],
    ]);
    repository.write('.gitignore', '.memory\n');
    await expectOnly(repository, [['warn', 'ignored', '.memory/observations/any.md because of ".memory"']]);
    repository.write('.gitignore', '');
    repository.git('config', 'core.bare', 'true');
    await expectOnly(repository, [['warn', 'repository', 'bare']]);
    repository.write('.git/HEAD', 'nonsense\n');
    expect((await troubles(repository))[0]).toEqual(['fail', 'repository', containing('git does not answer')]);
  });

  it('finds state outside the git folder', async ({ repository }) => {
    const elsewhere = { GIT_MEM_STATE: join(repository.root, '.git/HEAD/nowhere') };
    await expectOnly(repository, [['warn', 'state', join(repository.folder, 'home/.local/state')]], { env: elsewhere });
    expect(
      await troubles(repository, { env: { ...elsewhere, XDG_STATE_HOME: join(repository.root, '.git/HEAD') } }),
    ).toEqual([
      ['fail', 'state', containing('.git/HEAD/nowhere cannot be written')],
      ...(ENGINE !== 'minisearch' ? [['warn', 'index', containing('In memory only')]] : []),
    ]);
  });

  it('reports which search index is in use where it is not the usual one', async ({ repository }) => {
    expect(await troubles(repository, { env: { GIT_MEM_CACHE: 'minisearch' } })).toEqual([
      ['warn', 'index', 'MiniSearch: chosen by GIT_MEM_CACHE.'],
    ]);
    const index = (await examine(repository)).find(({ name }) => name === 'index');
    expect(index).toEqual(
      ENGINE !== 'minisearch'
        ? { name: 'index', status: 'ok', message: containing(`SQLite by ${ENGINE}, 0 searchable.`), hint: '' }
        : { name: 'index', status: 'warn', message: containing(LACKING), hint: containing('install scripts allowed') },
    );
  });

  it.each([
    ['better-sqlite3', undefined, 'better-sqlite3.'],
    ['minisearch', 'MiniSearch: chosen.', /^minisearch\. MiniSearch: chosen\. .* many times the processor time/],
  ] as const)('says what the index %s costs', (engine, reason, words) => {
    expect(indexWords({ engine, reason })).toMatch(words);
  });

  it('counts events that have waited too long or could not be read', async ({ repository }) => {
    repository.git('add', '--all');
    const head = { host: 'claude-code', event: 'Stop', root: repository.root };
    for (let i = 0; i < 3; i++) accept(state(repository), head, Buffer.from('{}'));
    const { pending } = await import('../../src/capture/spool/spool.ts');
    const [first, second, third] = pending(state(repository)).map(({ name }) => name);
    const date = (name = '', at: string) =>
      utimesSync(join(state(repository), 'spool/new', name), new Date(at), new Date(at));
    date(first, '2026-11-20T10:00:00Z');
    date(second, '2026-11-20T11:59:00Z');
    setAside(state(repository), third ?? '');
    await expectOnly(repository, [['warn', 'events', '1 event could not be read']]);
    expect(await examine(repository)).toContainEqual(
      expect.objectContaining({ message: '2 events wait, the oldest for 2 hours.' }),
    );
    date(first, '2026-11-17T12:00:00Z');
    expect((await troubles(repository))[0]).toEqual(['warn', 'events', '2 events wait, the oldest for 3 days.']);
  });

  it('reports a drain at work, a failing provider, and errors in the log', async ({ repository }) => {
    const lock = tryLock(join(state(repository), 'lock'));
    const env = { GIT_MEM_EXTRACT_PROVIDER: 'ollama' };
    const { extract } = loadConfig('/nonexistent', { HOME: '/nonexistent', ...env }).config;
    const [ollama] = chosenProviders(extract, env);
    noteFailure(state(repository), ollama?.id ?? '', new Error('overloaded'), NOW);
    const lines = ['2026-11-18T12:00:00.000Z hook: long ago', '2026-11-20T11:30:00.000Z turn postponed: overloaded'];
    appendFileSync(join(state(repository), 'hook.log'), `${lines.join('\n')}\n`);
    expect(await troubles(repository, { env })).toEqual([
      ['warn', 'provider', 'ollama failed 1 time, next try after 2026-11-20T12:01:00.000Z: overloaded'],
      [
        'warn',
        'log',
        '1 line of trouble in the last day, the last one: 2026-11-20T11:30:00.000Z turn postponed: overloaded',
      ],
    ]);
    expect(await examine(repository)).toContainEqual(
      expect.objectContaining({ name: 'drain', message: 'A drain is running.' }),
    );
    lock?.release();
  });

  it('finds ignored settings, a missing key, and records that do not parse', async ({ repository }) => {
    repository.write('.memory/config.yaml', 'extract:\n  provider: anthropic\nnonsense: 1\n');
    repository.write('.memory/observations/2026-11/20261120T200501Z-broken-k3v9x2qd7m.md', '---\nid: nothing\n---\n');
    expect(await troubles(repository, { env: { GIT_MEM_EXTRACT_PROVIDER: 'anthropic' } })).toEqual([
      ['warn', 'settings', containing('"extract.provider" is ignored in the team file')],
      ['warn', 'settings', containing('"nonsense" is not known')],
      ['warn', 'extractor', 'extract.provider is anthropic, but ANTHROPIC_API_KEY is not set.'],
      ['warn', 'records', containing('1 does not parse and is left out.')],
    ]);
    const withKey = await examine(repository, { env: { GIT_MEM_EXTRACT_PROVIDER: 'auto', ANTHROPIC_API_KEY: 'key' } });
    expect(withKey).toContainEqual(
      expect.objectContaining({
        name: 'extractor',
        message: 'Anthropic with claude-haiku-4-5 (a key is set); key in ANTHROPIC_API_KEY; 0 of 2000000 tokens today.',
      }),
    );
  });

  it('leaves the reviewed branch to init where init would find it', async ({ repository }) => {
    repository.commit('Begin');
    const hint = async () => {
      const checks = await examine(repository, { env: { GIT_MEM_TRUST_BRANCH: '' } });
      return checks.find(({ name }) => name === 'reviewed')?.hint;
    };
    expect(await hint()).toBe('Run `git mem init`.');
    repository.git('remote', 'add', 'origin', repository.folder);
    expect(await hint()).toBe('git remote set-head origin -a');
  });

  it('a folder is installed by a copy of it, since a link breaks when the folder moves', () => {
    for (const root of ['/home/ada/git-mem/', '/home/ada/.npm/_npx/ebf0/node_modules/git-mem/']) {
      expect(installing(root)).toBe(`npm install --global --install-links "${root}"`);
    }
  });
});
