import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { isUsersOwn } from '../../src/config-schema.ts';
import { hostTemplate } from '../../src/setup/host-template.ts';
import { HOSTS, hostFiles } from '../../src/setup/hosts.ts';
import { applyInit, planInit } from '../../src/setup/init.ts';
import { memoryFiles } from '../../src/setup/memory-files.ts';
import { readTemplate } from '../../src/templates.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { FULL } from '../support/trials.ts';
import { it } from '../support/with-repository.ts';
import { placeOf, read, setUp as setUpFiles } from './world.ts';

const files = (destination: 'team' | 'private' = 'team') => [
  ...memoryFiles(destination, '/nonexistent'),
  ...hostFiles(HOSTS.slice(0, 1), '/nonexistent'),
];
const SETTINGS = '.claude/settings.json';

const setUp = (repository: TestRepository, destination?: 'team' | 'private') =>
  setUpFiles(placeOf(repository), files(destination));

describe('init', () => {
  it('writes the folder, the launcher and the hooks', ({ repository }) => {
    expect(setUp(repository)).toEqual({
      '.memory/README.md': 'created',
      '.memory/.gitattributes': 'created',
      '.memory/.npmignore': 'created',
      '.memory/.prettierrc': 'created',
      '.memory/.markdownlint.json': 'created',
      '.memory/config.yaml': 'created',
      '.memory/hook': 'created',
      [SETTINGS]: 'created',
      '.mcp.json': 'created',
      '.claude/skills/mem-search/SKILL.md': 'created',
    });
    expect(read(repository, '.memory/.gitattributes')).toBe('* text eol=lf export-ignore\n');
    expect(read(repository, '.memory/hook')).toBe(readTemplate('init/hook'));
    expect(statSync(join(repository.root, '.memory/hook')).mode & 0o111).not.toBe(0);
    expect(statSync(join(repository.root, '.memory/README.md')).mode & 0o777).toBe(0o666 & ~process.umask());
    expect(statSync(join(repository.root, '.memory')).mode & 0o777).toBe(0o777 & ~process.umask());
    expect(readdirSync(join(repository.root, '.memory')).sort()).toEqual([
      '.gitattributes',
      '.markdownlint.json',
      '.npmignore',
      '.prettierrc',
      'README.md',
      'config.yaml',
      'hook',
    ]);
    expect(repository.git('status', '--porcelain', '-uall').split('\n').filter(Boolean)).toHaveLength(10);
  });

  it('changes nothing on a second run', ({ repository }) => {
    setUp(repository);
    expect(new Set(Object.values(setUp(repository)))).toEqual(new Set(['unchanged']));
  });

  it('keeps people’s changes to files that become theirs, and updates the launcher', ({ repository }) => {
    setUp(repository);
    repository.write('.memory/README.md', '# Ours\n');
    repository.write('.memory/config.yaml', 'summaries: turn\n');
    repository.write('.memory/hook', '#!/bin/sh\n# older\n');
    const plan = planInit(placeOf(repository), files());
    const told = plan.filter(({ action, note }) => note !== undefined || action !== 'unchanged');
    expect(told.map(({ path, action, note }) => [path, action, note])).toEqual([
      ['.memory/README.md', 'unchanged', 'yours, left as it is'],
      ['.memory/config.yaml', 'unchanged', 'yours, left as it is'],
      ['.memory/hook', 'updated', undefined],
    ]);
    applyInit(placeOf(repository), plan);
    expect(read(repository, '.memory/README.md')).toBe('# Ours\n');
    expect(read(repository, '.memory/hook')).toBe(readTemplate('init/hook'));
  });

  it('updates a file of an older version where nobody changed it', ({ repository }) => {
    const older = memoryFiles().map((file) => ({ ...file, add: () => 'older\n' }));
    setUpFiles(placeOf(repository), older);
    expect(setUp(repository)['.memory/README.md']).toBe('updated');
    expect(read(repository, '.memory/README.md')).toBe(readTemplate('init/README.md'));
  });

  it('writes nothing at all when the settings cannot be merged', ({ repository }) => {
    repository.write(SETTINGS, '{\n  "model": "opus"\n  "env": {}\n}\n');
    const message = expect.stringContaining(`${SETTINGS} is not valid JSON: line 3`);
    expect(() => setUp(repository)).toThrow(expect.objectContaining({ code: 'bad-settings', message }));
    expect(existsSync(join(repository.root, '.memory'))).toBe(false);
  });

  it('refuses settings that are not UTF-8 rather than losing bytes', ({ repository }) => {
    repository.write(SETTINGS, '');
    writeFileSync(join(repository.root, SETTINGS), Buffer.from([0x7b, 0xff, 0x7d]));
    expect(() => setUp(repository)).toThrow(expect.objectContaining({ code: 'bad-settings' }));
  });

  it('writes nothing when somebody changes a file between planning and execution', ({ repository }) => {
    const plan = planInit(placeOf(repository), files());
    repository.write(SETTINGS, '{}');
    expect(() => applyInit(placeOf(repository), plan)).toThrow(expect.objectContaining({ code: 'busy' }));
    expect(existsSync(join(repository.root, '.memory'))).toBe(false);
  });

  it('does not follow links out of the checkout', ({ repository }) => {
    const home = join(repository.folder, 'home', '.claude');
    mkdirSync(home);
    writeFileSync(join(home, 'settings.json'), '{}');
    symlinkSync(home, join(repository.root, '.claude'));
    expect(() => setUp(repository)).toThrow(expect.objectContaining({ code: 'cannot-write' }));
    expect(readFileSync(join(home, 'settings.json'), 'utf8')).toBe('{}');
    expect(existsSync(join(repository.root, '.memory'))).toBe(false);
  });

  it('writes through links inside the checkout, and keeps the mode of existing files', ({ repository }) => {
    repository.write('shared/settings.json', '{}');
    chmodSync(join(repository.root, 'shared/settings.json'), 0o664);
    symlinkSync('shared', join(repository.root, '.claude'));
    setUp(repository);
    expect(read(repository, 'shared/settings.json')).toBe(hostTemplate('hosts/claude-code.json').trimEnd());
    expect(statSync(join(repository.root, 'shared/settings.json')).mode & 0o777).toBe(0o664);
  });

  it('keeps a byte order mark', ({ repository }) => {
    repository.write(SETTINGS, '\ufeff{\n  "model": "opus"\n}\n');
    expect(setUp(repository)[SETTINGS]).toBe('updated');
    expect(read(repository, SETTINGS)).toMatch(/^\ufeff\{\n {2}"model": "opus",\n {2}"hooks": /);
    expect(setUp(repository)[SETTINGS]).toBe('unchanged');
  });

  it('names a path that cannot be written', ({ repository }) => {
    repository.write('.memory', 'a file\n');
    expect(() => setUp(repository)).toThrow(
      expect.objectContaining({ code: 'cannot-write', message: expect.stringContaining('.memory/README.md') }),
    );
  });
});

describe("the team's settings", () => {
  const uncommented = (text: string) => text.replace(/^# (?=[a-z]+:| )/gm, '');

  it('set nothing while they are commented out', ({ repository }) => {
    setUp(repository);
    const { origins, warnings } = loadConfig(join(repository.root, '.memory'), {});
    expect([...origins]).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('list every key that a team may set, with its default', ({ repository }) => {
    const defaults = loadConfig(join(repository.root, '.memory'), {}).config;
    repository.write('.memory/config.yaml', uncommented(readTemplate('init/config.yaml')));
    const { config, origins, warnings } = loadConfig(join(repository.root, '.memory'), {});
    expect(warnings).toEqual([]);
    expect(config).toEqual(defaults);
    const dotted = Object.entries(defaults).flatMap(([key, value]) =>
      typeof value === 'object' && !Array.isArray(value) ? Object.keys(value).map((name) => `${key}.${name}`) : [key],
    );
    const teams = dotted.filter((key) => !isUsersOwn(key));
    expect(teams.length).toBeLessThan(dotted.length);
    expect([...origins.keys()].sort()).toEqual(teams.sort());
  });

  it('keep records private to each clone when that was chosen', ({ repository }) => {
    setUp(repository, 'private');
    const { config, origins, warnings } = loadConfig(join(repository.root, '.memory'), {});
    expect(warnings).toEqual([]);
    expect([...origins.keys()]).toEqual(['capture.destination']);
    expect(config.capture.destination).toBe('private');
    expect(setUp(repository, 'team')['.memory/config.yaml'], 'a choice is never undone').toBe('unchanged');
    repository.write('.memory/config.yaml', uncommented(read(repository, '.memory/config.yaml')));
    expect(loadConfig(join(repository.root, '.memory'), {}).warnings).toEqual([]);
  });
});

describe('the committed hook command', () => {
  const { hooks }: { hooks: Record<string, [{ hooks: [{ command: string }] }]> } = JSON.parse(
    hostTemplate('hosts/claude-code.json'),
  );
  const commands = Object.values(hooks).map(([group]) => group.hooks[0].command);
  const ODD = ['plain', 'with spaces', `it's "quoted"`, 'a$HOME`b`;c', 'ünï-世界', '-dash'];

  /** As a host runs it: a payload on stdin, which nobody has to read. */
  function run(shell: string, command: string, { cwd, env }: { cwd: string; env: Record<string, string | undefined> }) {
    const { status, stdout, stderr } = spawnSync(shell, ['-c', command], {
      cwd,
      env,
      input: '{"a":1}\n',
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  }
  const silence = { status: 0, stdout: '', stderr: '' };

  const shells = ['dash', 'bash'];
  it.each(shells)('exits 0 and prints nothing under %s when git-mem is absent, wherever the project is', (shell) => {
    for (const name of ODD) {
      const repository = createRepository(name);
      const env = { PATH: '/usr/bin:/bin', HOME: repository.env.HOME, CLAUDE_PROJECT_DIR: repository.root };
      // They differ in the event alone: by default one of them is tried wherever the project lies.
      const tried = FULL || name === 'plain' ? commands : commands.slice(0, 1);
      const all = () => tried.map((command) => run(shell, command, { cwd: '/', env }));
      const silent = tried.map(() => silence);
      expect(all(), 'an older branch, without .memory').toEqual(silent);
      setUp(repository);
      expect(all(), 'a colleague without git-mem').toEqual(silent);
      expect(existsSync(join(repository.root, '.git/git-mem/spool'))).toBe(false);
      writeFileSync(join(repository.root, '.memory/hook'), 'if broken\r\n');
      expect(all(), 'a launcher that breaks').toEqual(silent);
    }
  });

  it.each(['dash', 'bash'])('passes the event to the launcher under %s, wherever the project is', (shell) => {
    for (const name of ODD) {
      const repository = createRepository(name);
      setUp(repository);
      const bin = join(repository.folder, 'bin');
      writeFileSync(join(bin, 'git-mem'), '#!/bin/sh\necho git-mem reply 1\necho "$@"\n');
      const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: repository.env.HOME };
      const fire = (event: string, place: { cwd: string; env: Record<string, string | undefined> }) =>
        run(shell, commands.find((one) => one.includes(` ${event} `)) ?? '', place);
      const inside = { cwd: '/', env: { ...env, CLAUDE_PROJECT_DIR: repository.root } };
      expect(fire('SessionStart', inside)).toEqual({ ...silence, stdout: 'hook claude-code SessionStart\n' });
      expect(fire('PostToolUse', inside)).toEqual(silence);
      // Other hosts read the same settings and do not set the variable: they start hooks in the project.
      expect(fire('SubagentStop', { cwd: repository.root, env })).toEqual(silence);
      const spool = join(repository.root, '.git/git-mem/spool/new');
      const events = readdirSync(spool).map((file) => readFileSync(join(spool, file), 'utf8'));
      expect(events.map((text) => /^event (.*)$/m.exec(text)?.[1]).sort()).toEqual(['PostToolUse', 'SubagentStop']);
      expect(events.every((text) => text.endsWith('\n\n{"a":1}\n'))).toBe(true);
    }
  });
});
