import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { splitFrontMatter } from '../../src/memory/front-matter.ts';
import { hostTemplate } from '../../src/setup/host-template.ts';
import { HOSTS, hostFiles } from '../../src/setup/hosts.ts';
import { MARKETPLACE, PLUGIN, pluginFiles, writePlugin } from '../../src/setup/plugin.ts';
import { packageVersion, readTemplate } from '../../src/templates.ts';
import { gitMem } from '../support/command-line.ts';
import { createRepository } from '../support/repository.ts';
import { scratchFolder } from '../support/scratch.ts';

/** The events that Claude Code 2.1.329 itself says it knows. */
const KNOWN_EVENTS = (
  'PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit UserPromptExpansion SessionStart ' +
  'SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PreModelSwitch PostModelSwitch ' +
  'PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted Elicitation ElicitationResult ' +
  'ConfigChange InstructionsLoaded CwdChanged FileChanged DirectoryAdded'
).split(' ');

/** A hook of a plugin runs wherever its user is: these say where that is, and what a repository brings. */
const OF_THE_REPOSITORY = /CLAUDE_PROJECT_DIR|\.memory/;

const textOf = (path: string) =>
  pluginFiles()
    .find((file) => file.path === path)
    ?.content.toString('utf8') ?? expect.fail(`The plugin has no ${path}.`);
const commands = pluginFiles().filter(({ path }) => path.startsWith('commands/'));
const skill = 'skills/mem-search/SKILL.md';

describe('the plugin for Claude Code', () => {
  it('has a name, and the version of the package', () => {
    expect(JSON.parse(textOf('.claude-plugin/plugin.json'))).toMatchObject({
      name: 'git-mem',
      version: packageVersion(),
      description: expect.stringMatching(/\S{3}/),
    });
  });

  it('contains every template, with every placeholder filled', () => {
    const templates = readdirSync('templates/plugin', { recursive: true, encoding: 'utf8' });
    const names = templates.filter((name) => statSync(join('templates/plugin', name)).isFile());
    const paths = pluginFiles().map(({ path }) => path.replace(/^(?:\.claude-plugin|hooks)\//, ''));
    expect(names.filter((name) => !paths.includes(name))).toEqual([]);
    for (const { path, content } of pluginFiles()) expect(content.toString('latin1'), path).not.toMatch(/\{\{\w+\}\}/);
  });

  it('hooks the same events as `init`, in the same way, and runs nothing from a repository', () => {
    const { description, hooks, ...rest } = JSON.parse(textOf('hooks/hooks.json'));
    expect({ description, rest }).toEqual({ description: expect.any(String), rest: {} });
    const committed = JSON.parse(hostTemplate('hosts/claude-code.json')).hooks;
    expect(Object.keys(hooks)).toEqual(Object.keys(committed));
    for (const [event, groups] of Object.entries<Record<string, unknown>[]>(hooks)) {
      expect(KNOWN_EVENTS).toContain(event);
      const command = `sh "\${CLAUDE_PLUGIN_ROOT}/hooks/hook" claude-code ${event} 2>/dev/null || true`;
      expect(groups).toEqual([
        { matcher: committed[event][0].matcher, hooks: [{ type: 'command', command, timeout: expect.any(Number) }] },
      ]);
      expect(JSON.stringify(groups)).not.toMatch(OF_THE_REPOSITORY);
    }
  });

  it('ships the launcher that `init` commits, with both scripts executable', () => {
    expect(textOf('hooks/launcher')).toBe(readTemplate('init/hook'));
    const out = scratchFolder();
    writePlugin(out);
    for (const name of ['hook', 'launcher']) {
      expect(statSync(join(out, PLUGIN, 'hooks', name)).mode & 0o111).not.toBe(0);
    }
  });

  it('costs the model nothing where there is no memory: its commands and its skill are for the person', () => {
    for (const { path, content } of [...commands, { path: skill, content: textOf(skill) }]) {
      const { data } = splitFrontMatter(content.toString('utf8'), path);
      expect(data, path).toMatchObject({ 'disable-model-invocation': expect.anything() });
    }
  });

  it('registers the server as `init` does, so that Claude Code treats both as one', () => {
    const committed = hostFiles(HOSTS.slice(0, 1)).find(({ path }) => path === '.mcp.json');
    expect(textOf('.mcp.json')).toBe(committed?.add(undefined, false));
  });
});

describe.each(commands)('$path', ({ path, content }) => {
  const text = content.toString('utf8');
  const { data, body } = splitFrontMatter(text, path);
  const allowed = String(data['allowed-tools']).split(', ');

  it('says what it is for and may run a few commands of git-mem, nothing else', () => {
    expect(data.description).toEqual(expect.stringMatching(/^[A-Z].{10,80}$/));
    const known = ['description', 'argument-hint', 'allowed-tools', 'disable-model-invocation'];
    expect(Object.keys(data).filter((key) => !known.includes(key))).toEqual([]);
    for (const tool of allowed) expect(tool).toMatch(/^Bash\(git-mem [a-z]+:\*\)$/);
    expect(text.includes('$ARGUMENTS')).toBe('argument-hint' in data);
    // What a user types is never put into a shell by the host: only the agent quotes.
    expect(body).not.toMatch(/!`/);
  });

  it('uses existing commands and options, and may run them', async () => {
    const asked = callsIn(body, 'git-mem');
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.map(({ name }) => `Bash(git-mem ${name}:*)`).filter((tool) => !allowed.includes(tool))).toEqual([]);
    expect(allowed.filter((tool) => !asked.some(({ name }) => tool.includes(` ${name}:`)))).toEqual([]);
    await expectKnown([...asked, ...callsIn(body, 'git mem')]);
  });
});

describe('the skill', () => {
  it('has the front matter that all hosts require', () => {
    const { data } = splitFrontMatter(textOf(skill), skill);
    expect(data).toMatchObject({ name: 'mem-search', description: expect.stringMatching(/^.{50,1024}$/) });
  });

  it('teaches the three steps with existing commands, and with the tools of the server', async () => {
    const calls = callsIn(textOf(skill), 'git mem');
    expect([...new Set(calls.map(({ name }) => name))]).toEqual(['search', 'timeline', 'show', 'add', 'bootstrap']);
    await expectKnown(calls);
    const tools = [...textOf(skill).matchAll(/[Tt]ool `([a-z_]+)`/g)].map(([, name]) => name ?? '');
    expect(tools).toEqual(['search', 'timeline', 'get_observations']);
    for (const name of tools) expect(readTemplate('mcp/instructions.md')).toContain(`\`${name}\``);
  });
});

describe('a marketplace', () => {
  it('is created with the plugin in it, and left alone the second time', () => {
    const out = join(scratchFolder(), 'new', 'folder');
    const { marketplace, files } = writePlugin(out);
    expect(marketplace).toBe('git-mem');
    expect(new Set(files.map(({ action }) => action))).toEqual(new Set(['created']));
    const { name, owner, plugins } = JSON.parse(readFileSync(join(out, MARKETPLACE), 'utf8'));
    expect({ name, owner }).toEqual({ name: 'git-mem', owner: { name: expect.any(String) } });
    expect(plugins).toEqual([{ name: 'git-mem', source: './git-mem', description: expect.any(String) }]);
    expect(statSync(join(out, plugins[0].source, '.claude-plugin/plugin.json')).isFile()).toBe(true);
    expect(new Set(writePlugin(out).files.map(({ action }) => action))).toEqual(new Set(['unchanged']));
  });

  it('of somebody else keeps every byte of theirs, and lists the plugin once', () => {
    const out = scratchFolder();
    const theirs =
      '{\n  "name": "acme", // ours\n  "owner": { "name": "Acme" },\n  "plugins": [{ "name": "x", "source": "./x" }]\n}\n';
    mkdirSync(join(out, '.claude-plugin'));
    writeFileSync(join(out, MARKETPLACE), theirs);
    expect(writePlugin(out).marketplace).toBe('acme');
    const text = readFileSync(join(out, MARKETPLACE), 'utf8');
    expect(text.startsWith(theirs.slice(0, theirs.indexOf(' }]') + 2))).toBe(true);
    expect(text).toContain('"./git-mem"');
    writePlugin(out);
    expect(readFileSync(join(out, MARKETPLACE), 'utf8')).toBe(text);
  });

  it.each(['[]', '{', '{"name": "x"}', '{"name": 1, "plugins": []}'])('is refused when invalid: %s', (text) => {
    const out = scratchFolder();
    mkdirSync(join(out, '.claude-plugin'));
    writeFileSync(join(out, MARKETPLACE), text);
    expect(() => writePlugin(out)).toThrow(expect.objectContaining({ code: 'bad-settings' }));
    expect(readdirSync(out)).toEqual(['.claude-plugin']);
  });

  it('is never written into a folder git-mem that is something else', () => {
    const out = scratchFolder();
    mkdirSync(join(out, 'git-mem'));
    writeFileSync(join(out, 'git-mem', 'notes.txt'), 'mine');
    expect(() => writePlugin(out)).toThrow(expect.objectContaining({ code: 'cannot-write' }));
    expect(readdirSync(out)).toEqual(['git-mem']);
    expect(readdirSync(join(out, 'git-mem'))).toEqual(['notes.txt']);
  });
});

/** The commands that a text names after a spelling of the program, with the options on the same line. */
function callsIn(text: string, program: string): { name: string; options: string[] }[] {
  return text.split('\n').flatMap((line) => {
    const names = [...line.matchAll(new RegExp(`${program} ([a-z]+)\\b`, 'g'))].map(([, name]) => name ?? '');
    const ours = line.replace(/`(?!git[ -]mem)[^`]*`/g, '');
    const options = [...ours.matchAll(/(?<![\w-])--[a-z-]+/g)].map(([option]) => option);
    // Options may belong to any command of the line; most lines name one.
    return names.map((name) => ({ name, options: names.length === 1 ? options : [] }));
  });
}

async function expectKnown(calls: { name: string; options: string[] }[]): Promise<void> {
  const repository = createRepository();
  for (const { name, options } of calls) {
    const { code, stdout } = await gitMem(repository, [name, '--help']);
    expect({ name, code }).toEqual({ name, code: 0 });
    for (const option of options) expect(stdout, `${name} ${option}`).toMatch(new RegExp(`${option}\\b`));
  }
}
