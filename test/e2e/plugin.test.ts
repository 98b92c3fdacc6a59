import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pending, readEvent } from '../../src/capture/spool/spool.ts';
import { idOf } from '../../src/memory/id.ts';
import { payloadOf } from '../support/payloads.ts';
import { initialised } from '../support/prepared-repository.ts';
import { PROGRAM } from '../support/program.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { FULL } from '../support/trials.ts';
import { observationOf, put } from '../support/written-records.ts';

const it = test.extend('user', () => createUser());

/** What the client really sent, a file for each event that the plugin registers. */
const SENT: Record<string, string> = {
  SessionStart: 'SessionStart-startup',
  UserPromptSubmit: 'UserPromptSubmit',
  PreToolUse: 'PreToolUse-Bash',
  PostToolUse: 'PostToolUse-Edit',
  PostToolUseFailure: 'PostToolUseFailure-Bash',
  SubagentStart: 'SubagentStart',
  SubagentStop: 'SubagentStop',
  Stop: 'Stop',
  // None was recorded; it differs from Stop by what we do not read.
  StopFailure: 'Stop',
  SessionEnd: 'SessionEnd-other',
};
const EVENTS = Object.keys(SENT);
/** These are answered with a briefing. */
const STARTS = ['SessionStart', 'SubagentStart'];
/** Those of a test of where the plugin is, not of what each event brings: one answered, one kept, and one that only asks. */
const SOME = FULL ? EVENTS : ['SessionStart', 'UserPromptSubmit', 'PreToolUse'];
/** These only ask. */
const keptOf = (events: string[]) =>
  events.filter((event) => event !== 'PreToolUse' && event !== 'SubagentStart').sort();
const BARE_PATH = '/usr/bin:/bin';
const SILENCE = { code: 0, stdout: '', stderr: '' };

describe('the hooks of the plugin', () => {
  it('are exactly those that the recorded payloads cover', async () => {
    expect(Object.keys(await pluginHooks(createUser()))).toEqual(EVENTS);
  });

  it('capture and answer in a repository that has a memory but no hooks', async () => {
    const user = createUser('with spaces, it\'s a "repo"');
    remember(user);
    const hooks = await pluginHooks(user, 'my plugins');
    for (const event of EVENTS) {
      const [ran] = await fire(user, event, [hooks]);
      if (STARTS.includes(event)) expect(told(ran?.stdout)).toContain('Old knowledge');
      else expect({ event, ...ran }).toEqual({ event, ...SILENCE });
    }
    expect(captured(user)).toEqual(keptOf(EVENTS));
  });

  it('work in a sub-directory, where the client reads no settings of the repository', async () => {
    const user = await createInitialised();
    remember(user);
    const below = join(user.root, 'packages/a');
    mkdirSync(below, { recursive: true });
    const hooks = await pluginHooks(user);
    const [start] = await fire(user, 'SessionStart', [hooks], { project: below });
    expect(told(start?.stdout)).toContain('Old knowledge');
    for (const event of SOME.slice(1)) await fire(user, event, [hooks], { project: below });
    expect(captured(user)).toEqual(keptOf(SOME));
  });

  it('work where the client gives the plugin folder as a relative path', async ({ user }) => {
    remember(user);
    const hooks = await pluginHooks(user);
    const root = '../plugin/git-mem';
    const relative = Object.fromEntries(SOME.map((event) => [event, { command: hooks[event]?.command ?? '', root }]));
    for (const event of SOME) await fire(user, event, [relative]);
    expect(captured(user)).toEqual(keptOf(SOME));
  });

  it('stay with the repository in which the session started, wherever the agent went', async ({ user }) => {
    remember(user);
    const elsewhere = createRepository('elsewhere');
    const hooks = await pluginHooks(user);
    for (const event of SOME) await fire(user, event, [hooks], { cwd: elsewhere.root });
    expect(captured(user)).toEqual(keptOf(SOME));
    expect(readdirSync(elsewhere.root)).toEqual(['.git']);
  });

  it('start nothing, silently, in a repository without a memory and outside any repository', async ({ user }) => {
    const hooks = await pluginHooks(user);
    const started = join(user.folder, 'started');
    writeFileSync(join(user.folder, 'bin/git-mem'), `#!/bin/sh\ntouch '${started}'\n`);
    const outside = join(user.folder, 'outside');
    mkdirSync(outside);
    const before = readdirSync(join(user.root, '.git'));
    for (const event of SOME) {
      for (const project of [user.root, outside, join(user.folder, 'gone')]) {
        expect(await fire(user, event, [hooks], { project }), `${event} ${project}`).toEqual([SILENCE]);
      }
    }
    expect(readdirSync(user.root)).toEqual(['.git']);
    expect(readdirSync(join(user.root, '.git'))).toEqual(before);
    expect(readdirSync(outside)).toEqual([]);
    expect(existsSync(started)).toBe(false);
  });

  it.each([
    ['git-mem is not on PATH', { PATH: BARE_PATH }],
    ['git-mem is switched off', { GIT_MEM: '0' }],
  ])('do nothing, silently, where %s', async (_, env) => {
    const user = createUser();
    remember(user);
    const hooks = await pluginHooks(user);
    rmSync(join(user.root, '.git/git-mem'), { recursive: true, force: true });
    for (const event of SOME) expect(await fire(user, event, [hooks], { env }), event).toEqual([SILENCE]);
    expect(existsSync(join(user.root, '.git/git-mem'))).toBe(false);
  });

  it('do nothing, silently, after the plugin is removed during a session', async ({ user }) => {
    remember(user);
    const hooks = await pluginHooks(user);
    for (const gone of ['plugin/git-mem/hooks/launcher', 'plugin/git-mem']) {
      rmSync(join(user.folder, gone), { recursive: true });
      for (const event of SOME) expect(await fire(user, event, [hooks]), event).toEqual([SILENCE]);
    }
    expect(captured(user)).toEqual([]);
  });

  it('run no program that a repository contains', async ({ user }) => {
    remember(user);
    const trap = `touch '${join(user.folder, 'trapped')}'; exit 2\n`;
    for (const path of ['.memory/hook', '.memory/launcher', 'git-mem', 'hooks/hook', 'hooks/launcher', 'launcher']) {
      user.write(path, trap);
      chmodSync(join(user.root, path), 0o755);
    }
    const hooks = await pluginHooks(user);
    for (const event of SOME) expect((await fire(user, event, [hooks]))[0]).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(join(user.folder, 'trapped'))).toBe(false);
    expect(captured(user)).toEqual(keptOf(SOME));
  });
});

describe('the plugin where `git mem init` set hooks up as well', () => {
  it.each(['.claude/settings.json', '.claude/settings.local.json', 'home/.claude/settings.json'])(
    'leaves every event to the hooks in %s: captured once, injected once',
    async (where) => {
      const user = await createInitialised();
      remember(user);
      const settings = readFileSync(join(user.root, '.claude/settings.json'), 'utf8');
      rmSync(join(user.root, '.claude/settings.json'));
      const path = where.startsWith('home/') ? join(user.folder, where) : join(user.root, where);
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, settings);
      const both = [hooksOf(settings), await pluginHooks(user)];
      for (const event of where === SETTINGS ? EVENTS : SOME) {
        const replies = (await fire(user, event, both)).filter(({ stdout }) => stdout !== '');
        expect({ event, replies: replies.length }).toEqual({ event, replies: STARTS.includes(event) ? 1 : 0 });
      }
      expect(captured(user)).toEqual(keptOf(where === SETTINGS ? EVENTS : SOME));
    },
  );

  it.each([
    ['on one line', (text: string) => JSON.stringify(JSON.parse(text)), true],
    ['with CRLF', (text: string) => text.replaceAll('\n', '\r\n'), true],
    ['of somebody else', () => '{"hooks": {"SessionStart": [{"hooks": [{"command": "echo claude-code"}]}]}}', false],
    ['broken', () => '{"hooks": ', false],
  ])('understands settings %s', async (_, change, isYielding) => {
    const user = await createInitialised();
    remember(user);
    const path = '.claude/settings.json';
    user.write(path, change(readFileSync(join(user.root, path), 'utf8')));
    const [start] = await fire(user, 'SessionStart', [await pluginHooks(user)]);
    expect(start?.stdout === '').toBe(isYielding);
  });

  /** What a branch could bring to silence the plugin: settings that hand nothing to a launcher that works. */
  const SILENCERS: Record<string, (user: TestRepository, text: string) => void> = {
    'a note that holds the words': (user, text) =>
      user.write(SETTINGS, JSON.stringify({ note: commandOf(text), hooks: {} })),
    'a permission that holds the words': (user, text) =>
      user.write(SETTINGS, JSON.stringify({ permissions: { allow: [`Bash(${commandOf(text)})`] } })),
    'a hook of another event that holds the words': (user, text) =>
      user.write(SETTINGS, text.replace('"SessionStart": [', '"Notification": [')),
    'a command that is commented out': (user, text) =>
      user.write(SETTINGS, text.replaceAll('"sh \\"', '"true # sh \\"')),
    'a matcher that never matches': (user, text) =>
      user.write(SETTINGS, text.replaceAll('"matcher": ""', '"matcher": "never"')),
    'a condition that we do not know': (user, text) =>
      user.write(SETTINGS, text.replaceAll('"timeout": 10', '"timeout": 10, "if": "Bash(never)"')),
    'a type that runs no command': (user, text) =>
      user.write(SETTINGS, text.replaceAll('"type": "command"', '"type": "prompt"')),
    'hooks that are named twice': (user, text) => user.write(SETTINGS, text.replace(/\}\s*$/, ', "hooks": {}}')),
    'hooks that are named twice, once in other letters': (user, text) =>
      user.write(SETTINGS, text.replace(/\}\s*$/, ', "\\u0068ooks": {}}')),
    'something after the end': (user, text) => user.write(SETTINGS, `${text}}`),
    'a comma too many': (user, text) => user.write(SETTINGS, text.replace(/\}\s*$/, ',}')),
    'a launcher that does nothing': (user) => user.write('.memory/hook', '#!/bin/sh\nexit 0\n'),
  };

  it.each(Object.keys(SILENCERS))('is not silenced by %s', async (name) => {
    const user = await createInitialised();
    remember(user);
    SILENCERS[name]?.(user, readFileSync(join(user.root, SETTINGS), 'utf8'));
    const [start] = await fire(user, 'SessionStart', [await pluginHooks(user)]);
    expect(told(start?.stdout)).toContain('Old knowledge');
  });

  it('handles events that an older set-up does not hook, and those of a set-up whose launcher is gone', async () => {
    const user = await createInitialised();
    remember(user);
    const path = '.claude/settings.json';
    const { hooks } = JSON.parse(readFileSync(join(user.root, path), 'utf8'));
    user.write(path, JSON.stringify({ hooks: { Stop: hooks.Stop } }));
    const plugin = await pluginHooks(user);
    await fire(user, 'StopFailure', [plugin]);
    await fire(user, 'Stop', [plugin]);
    expect(captured(user)).toEqual(['StopFailure']);
    rmSync(join(user.root, '.memory/hook'));
    await fire(user, 'Stop', [plugin]);
    expect(captured(user)).toEqual(['Stop', 'StopFailure']);
  });
});

const SETTINGS = '.claude/settings.json';

/** The command that settings hand a session start to. */
function commandOf(settings: string): string {
  return hooksOf(settings).SessionStart?.command ?? '';
}

type Hooks = Record<string, { command: string; root?: string }>;

/** A repository whose git-mem drains nothing: what was captured stays to be looked at. */
function createUser(name?: string): TestRepository {
  return withoutDrains(createRepository(name));
}

/** The same, set up for Claude Code. */
async function createInitialised(): Promise<TestRepository> {
  return withoutDrains(await initialised('--host', 'claude-code'));
}

function withoutDrains(repository: TestRepository): TestRepository {
  const program = `#!/bin/sh\n[ "$1" = drain ] && exit 0\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`;
  writeFileSync(join(repository.folder, 'bin/git-mem'), program);
  return repository;
}

/** A memory with something to tell. */
function remember(user: TestRepository): void {
  const generated = { by: 'test', at: `${new Date().toISOString().slice(0, 19)}Z` };
  put(user, observationOf({ id: idOf('old'), title: 'Old knowledge', generated }));
}

/** The commands in settings, one an event, as the client reads them. */
function hooksOf(settings: string, root?: string): Hooks {
  const { hooks }: { hooks: Record<string, { hooks: { command: string }[] }[]> } = JSON.parse(settings);
  return Object.fromEntries(
    Object.entries(hooks).map(([event, [group]]) => [
      event,
      { command: group?.hooks[0]?.command ?? '', ...(root !== undefined && { root }) },
    ]),
  );
}

async function pluginHooks(user: TestRepository, name = 'plugin'): Promise<Hooks> {
  const out = join(user.folder, name);
  await user.call('plugin', '--out', out);
  const root = join(out, 'git-mem');
  return hooksOf(readFileSync(join(root, 'hooks/hooks.json'), 'utf8'), root);
}

/** Runs all hooks of an event at once, as the client does, with what it really sent. */
function fire(
  user: TestRepository,
  event: string,
  all: Hooks[],
  { project = user.root, cwd = existsSync(project) ? project : user.folder, env = {} }: Where = {},
): Promise<{ code: number | null; stdout: string; stderr: string }[]> {
  const payload = { ...payloadOf(`claude-2.1.329/${SENT[event]}`), hook_event_name: event, cwd };
  const children = all.map(({ [event]: hook }) => {
    const more = { CLAUDE_PROJECT_DIR: project, ...(hook?.root !== undefined && { CLAUDE_PLUGIN_ROOT: hook.root }) };
    return spawn('sh', ['-c', hook?.command ?? 'exit 9'], { cwd, env: { ...user.env, ...more, ...env } });
  });
  return Promise.all(
    children.map(
      (child) =>
        new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
          let [stdout, stderr] = ['', ''];
          child.stdout.on('data', (chunk) => (stdout += chunk));
          child.stderr.on('data', (chunk) => (stderr += chunk));
          child.stdin.on('error', () => {}); // A hook that does nothing reads nothing.
          child.stdin.end(`${JSON.stringify(payload)}\n`);
          child.on('close', (code) => resolve({ code, stdout, stderr }));
        }),
    ),
  );
}

interface Where {
  project?: string;
  cwd?: string;
  env?: Record<string, string>;
}

/** The events that wait in the spool, by name. */
function captured({ root }: TestRepository): string[] {
  const state = join(root, '.git/git-mem');
  const events = pending(state).map(({ name }) => readEvent(state, name));
  for (const event of events) expect(event?.head).toMatchObject({ host: 'claude-code', root });
  return events.map((event) => event?.head.event ?? '').sort();
}

function told(stdout = ''): string {
  const reply: { hookSpecificOutput?: { additionalContext?: string } } = stdout === '' ? {} : JSON.parse(stdout);
  return reply.hookSpecificOutput?.additionalContext ?? '';
}
