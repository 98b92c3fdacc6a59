import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { AGENTS } from '../../src/capture/agents/agents.ts';
import { hostTemplate } from '../../src/setup/host-template.ts';
import { detectHosts, HOSTS, hostFiles } from '../../src/setup/hosts.ts';
import { planInit } from '../../src/setup/init.ts';
import { readTemplate } from '../../src/templates.ts';
import { createRepository } from '../support/repository.ts';
import { it } from '../support/with-repository.ts';
import { placeOf, read, setUp, takeDown } from './world.ts';

/** Every command in a template, with the event it stands under. */
function commandsOf(template: string): { event: string; command: string }[] {
  const { hooks }: { hooks: Record<string, unknown[]> | { trigger: string }[] } = JSON.parse(hostTemplate(template));
  const groups = Array.isArray(hooks)
    ? hooks.map((hook): [string, unknown] => [hook.trigger, hook])
    : Object.entries(hooks).map(([event, [group]]): [string, unknown] => [event, group]);
  return groups.map(([event, group]) => {
    const found = JSON.stringify(group).matchAll(/(?<="(?:command|bash|linux|osx)":)"(?:[^"\\]|\\.)*"/g);
    const commands = new Set([...found].map(([text]) => String(JSON.parse(text))));
    expect(commands.size, event).toBe(1);
    return { event, command: [...commands].join() };
  });
}

const written = AGENTS.filter(({ setup }) => setup.hooks.some(({ template }) => template.endsWith('.json')));

describe.each(written)('the template of $name', (agent) => {
  const commands = agent.setup.hooks.flatMap(({ template }) => commandsOf(template));

  it('registers only events that the adapter knows, and all that wake a drain or get an answer', () => {
    const events = commands.map(({ event }) => event);
    for (const event of events) expect([...agent.events, ...agent.replies]).toContain(event);
    for (const event of agent.replies) expect(events).toContain(event);
    // The launcher knows Grok Build, which runs the hooks of another host.
    const caller = agent.name === 'grok' ? 'claude-code' : agent.name;
    for (const { event, command } of commands) expect(command).toContain(` ${caller} ${event} `);
  });

  it('is silent and exits 0 without a launcher, without git-mem, and with a launcher that fails', () => {
    const { root, write } = createRepository();
    const options = { cwd: root, env: { PATH: '/usr/bin:/bin' }, input: '{', encoding: 'utf8' } as const;
    const run = (command: string) => {
      const { status, stdout, stderr } = spawnSync('sh', ['-c', command], options);
      return { status, stdout, stderr };
    };
    const silence = { status: 0, stdout: '', stderr: '' };
    for (const { command } of commands) expect(run(command)).toEqual(silence);
    write('.memory/hook', readTemplate('init/hook'));
    for (const { command } of commands) expect(run(command)).toEqual(silence);
    write('.memory/hook', 'echo noise >&2; exit 3\n');
    for (const { command } of commands) expect(run(command)).toEqual(silence);
  });
});

describe.each(HOSTS)('$name', (host) => {
  it('is set up, passes doctor, is left alone, and leaves nothing behind', ({ repository }) => {
    const files = hostFiles([host]);
    setUp(placeOf(repository), files);
    for (const file of files) expect(file.missing(read(repository, file.path))).toEqual([]);
    expect(planInit(placeOf(repository), files).map(({ action }) => action)).toEqual(files.map(() => 'unchanged'));
    // Grok Build runs the hooks of another host, and is found by its own folder.
    const owner = HOSTS.find(({ hooks }) => hooks()[0]?.path === host.hooks()[0]?.path);
    expect(detectHosts(repository.root, {})).toContain(owner);
    takeDown(placeOf(repository), hostFiles(HOSTS));
    expect(readdirSync(repository.root)).toEqual(['.git']);
  });

  it("leaves nothing behind in a colleague's clone, which has no backup of the original", ({ repository }) => {
    const elsewhere = { ...placeOf(repository), state: join(repository.root, '.git', 'other') };
    setUp(elsewhere, hostFiles([host]));
    takeDown(placeOf(repository), hostFiles(HOSTS));
    expect(readdirSync(repository.root)).toEqual(['.git']);
  });
});

describe('all hosts together', () => {
  it('share files without removing each other’s entries', ({ repository }) => {
    const place = placeOf(repository);
    const own = {
      'AGENTS.md': '# Ours\n\nRules.\n',
      '.gemini/settings.json': '{\n  "theme": "x",\n  "mcpServers": { "db": { "command": "x" } }\n}\n',
      '.codex/config.toml': 'model = "gpt"\n\n[mcp_servers.db]\ncommand = "x"\n',
      '.cursor/hooks.json': '{"version":1,"hooks":{"stop":[{"command":"say done"}]}}',
      'opencode.json': '{\n  // ours\n  "model": "x",\n}\n',
    };
    for (const [path, text] of Object.entries(own)) repository.write(path, text);
    const files = hostFiles(HOSTS);
    expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
    setUp(place, files);
    for (const path of Object.keys(own)) expect(read(repository, path), path).toMatch(/git-mem|\.memory\/hook/);
    expect(JSON.parse(read(repository, '.gemini/settings.json'))).toMatchObject({
      theme: 'x',
      mcpServers: { db: {}, 'git-mem': { command: 'git-mem' } },
      hooks: { BeforeAgent: [{ hooks: [{ timeout: 10000 }] }] },
    });
    expect(JSON.parse(read(repository, '.cursor/hooks.json')).hooks.stop).toHaveLength(2);

    // As a colleague, who has no backup.
    const bare = { ...place, state: join(repository.root, '.git', 'other') };
    takeDown(bare, hostFiles(HOSTS));
    for (const [path, text] of Object.entries(own)) expect(read(repository, path), path).toBe(text);
    expect(readdirSync(repository.root).sort().join(' ')).toBe('.codex .cursor .gemini .git AGENTS.md opencode.json');
  });

  it('are detected by their folders, each independently', ({ repository: { root } }) => {
    expect(detectHosts(root, {}).map(({ name }) => name)).toEqual(['claude-code']);
    mkdirSync(join(root, '.codex'));
    mkdirSync(join(root, '.gemini'));
    expect(detectHosts(root, {}).map(({ name }) => name)).toEqual(['codex', 'gemini-cli']);
  });
});

describe('the settings of Codex', () => {
  const file = HOSTS.find(({ name }) => name === 'codex')?.servers()[0] ?? expect.fail('Codex has no servers.');

  it.each([
    ['', '[mcp_servers.git-mem]\ncommand = "git-mem"\nargs = ["mcp"]\n'],
    ['a = 1', 'a = 1\n\n[mcp_servers.git-mem]\ncommand = "git-mem"\nargs = ["mcp"]\n'],
    ['a = 1\r\n', 'a = 1\r\n\r\n[mcp_servers.git-mem]\r\ncommand = "git-mem"\r\nargs = ["mcp"]\r\n'],
  ])('get a table after %j', (before, after) => {
    expect(file.add(before, false)).toBe(after);
    expect(file.add(after, false)).toBe(after);
    expect(file.missing(after)).toEqual([]);
    expect(file.remove(after)?.trim() ?? '').toBe(before.trim());
  });

  it.each([
    '[mcp_servers."git-mem"]\ncommand = "/opt/git-mem"\n',
    '[mcp_servers]\ngit-mem = { command = "git-mem" }\n',
  ])('keep an existing entry: %j', (text) => {
    expect(file.add(text, false)).toBe(text);
    expect(file.remove(text)).toBe(text);
  });

  it('are refused where adding a table would make the TOML invalid', () => {
    expect(() => file.add('mcp_servers = { db = { command = "x" } }\n', false)).toThrow(
      expect.objectContaining({ code: 'bad-settings' }),
    );
  });
});

describe('the note in AGENTS.md', () => {
  const file = HOSTS.find(({ name }) => name === 'cursor')?.guide() ?? expect.fail('Cursor has no note.');

  it.each(['# Ours\n', '# Ours', '# Ours\r\n\r\nRules.\r\n', 'a\n\n\n'])('is removed without a trace: %j', (text) => {
    const added = file.add(text, false);
    expect(file.missing(added)).toEqual([]);
    expect(file.add(added, false)).toBe(added);
    expect(added.startsWith(text)).toBe(true);
    expect(file.remove(added)?.trimEnd()).toBe(text.trimEnd());
    const older = added.replace('## Memory', '## Old');
    expect(file.missing(older)).toHaveLength(1);
    expect(file.add(older, false)).toBe(added);
  });
});

/** Hosts that read skills from the repository, by their own documentation. */
const SKILLED = ['claude-code', 'codex', 'gemini-cli', 'opencode', 'cursor', 'copilot', 'factory-droid'];

describe.each(SKILLED)('the skill of %s', (name) => {
  const file = HOSTS.find((host) => host.name === name)?.skill() ?? expect.fail(`${name} knows skills and has none.`);
  const current = readTemplate('skills/mem-search/SKILL.md');

  it('is in the folder that its name requires, as in the plugin', () => {
    expect(file.path).toMatch(/^\.(claude|agents|factory)\/skills\/mem-search\/SKILL\.md$/);
    expect(file.add(undefined, false)).toBe(current);
    expect(file.missing(current)).toEqual([]);
    expect(file.remove(current)).toBeUndefined();
  });

  it('is updated, reported as outdated and removed while it carries our mark', () => {
    const older = `${current}More.\n`;
    expect(file.missing(older)).toEqual([file.path]);
    expect(file.add(older, false)).toBe(current);
    expect(file.remove(older)).toBeUndefined();
    const crlf = current.replaceAll('\n', '\r\n');
    expect(file.missing(crlf)).toEqual([]);
    expect(file.add(crlf, false)).toBe(crlf);
  });

  it('is left alone where somebody changed it, or has another one of this name', () => {
    for (const theirs of [current.replace(/^<!-- .*\n/m, ''), '---\nname: mem-search\n---\nUse git-mem.\n']) {
      expect(file.add(theirs, false)).toBe(theirs);
      expect(file.missing(theirs)).toEqual([]);
      expect(file.remove(theirs)).toBe(theirs);
    }
  });
});

it.each(['opencode', 'pi'])('has a plugin for %s that is one file of plain JavaScript without a package', (name) => {
  const plugin = hostTemplate(`hosts/${name}.js`);
  expect([...plugin.matchAll(/^import .* from '(.*)'/gm)].map(([, name]) => name)).toEqual([
    ...(name === 'pi' ? ['node:fs'] : []),
    'node:child_process',
    'node:path',
  ]);
  expect(plugin).not.toMatch(/^export \{|^export const (call|TOOLS)/m);
  expect(plugin.length).toBeLessThan(name === 'pi' ? 8000 : 6000);
});
