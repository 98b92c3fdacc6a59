import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../src/capture/agents/claude-code.ts';
import { acknowledge, pending, readEvent } from '../../src/capture/spool/spool.ts';
import { locate, readHead } from '../../src/git/locate.ts';
import { createLauncher, install, type LauncherTest, PAYLOAD, type RunOptions } from '../support/launcher.ts';
import { createRepository } from '../support/repository.ts';
import { FULL } from '../support/trials.ts';

/** The one event that waits, which must be what Node would have written. */
function only(state: string) {
  const waiting = pending(state);
  expect(waiting).toHaveLength(1);
  return readEvent(state, waiting[0]?.name ?? '');
}

/** For what happens behind the launcher's back, on a machine that may be busy. */
const PATIENT = { timeout: 60_000 };

const SILENCE = { status: 0, stdout: '', stderr: '' };
const placeOf = (program: string) =>
  spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim();

// What `sh` is on Debian, and in a full run what it is elsewhere.
describe.each(FULL ? ['dash', 'bash'] : ['dash'])('the launcher under %s', (name) => {
  const shell = placeOf(name);
  const launcherTest = it.extend<{ create: (name?: string) => LauncherTest; test: LauncherTest }>({
    create: async ({ task }, use) => {
      if (shell === '') task.context.skip(`there is no ${name} here`);
      await use((folder) => createLauncher(shell, folder));
    },
    test: ({ create }, use) => use(create()),
  });

  launcherTest('puts an event into the spool, silently', ({ test: { run, state, root } }) => {
    expect(run('PostToolUse')).toEqual(SILENCE);
    const checkout = locate(root);
    expect(only(state)).toEqual({
      head: { host: 'claude-code', event: 'PostToolUse', root, ...(checkout && readHead(checkout)) },
      payload: PAYLOAD,
    });
    expect(readdirSync(join(state, 'spool', 'tmp'))).toEqual([]);
  });

  launcherTest('keeps it from everybody else', ({ test: { run, state } }) => {
    run('PostToolUse');
    for (const folder of ['.', 'spool', 'spool/new', 'spool/tmp'])
      expect(statSync(join(state, folder)).mode & 0o777).toBe(0o700);
    expect(statSync(join(state, 'spool', 'new', pending(state)[0]?.name ?? '')).mode & 0o777).toBe(0o600);
  });

  launcherTest.for([
    'with spaces',
    'it\'s a "repo"',
    '$(touch pwned) `touch pwned` $HOME;&|',
    '-n back\\slash %s * ümläut 日本 ',
  ])('works in a folder called %j, from anywhere', (name, { create }) => {
    const { run, state, root, folder } = create(name);
    const below = join(root, 'src', 'deep er');
    mkdirSync(below, { recursive: true });
    const ways: RunOptions[] = [
      { cwd: root, hook: './.memory/hook' },
      { cwd: below, hook: '../../.memory/hook' },
      { cwd: '/', hook: join(root, '.memory', 'hook') },
      { cwd: join(root, '.memory'), hook: './hook' },
      { cwd: folder, hook: `./${name}/.memory/hook` },
    ];
    for (const way of ways) expect(run('PostToolUse', { ...way, env: { CDPATH: folder } })).toEqual(SILENCE);
    const events = pending(state).map((event) => readEvent(state, event.name));
    expect(events.map((event) => event?.head.root)).toEqual(ways.map(() => root));
    expect(execFileSync('find', [folder, '-name', 'pwned'], { encoding: 'utf8' })).toBe('');
  });

  launcherTest('works in a linked worktree, whose events go to the common spool', ({ create }) => {
    const { run, state, git, folder } = create();
    const linked = join(folder, 'linked tree');
    git('worktree', 'add', '--quiet', '-b', 'side', linked);
    install(linked);
    expect(run('PostToolUse', { cwd: linked })).toEqual(SILENCE);
    expect(only(state)?.head).toMatchObject({ root: linked, branch: 'side', commit: git('rev-parse', 'side').trim() });
  });

  launcherTest('works in a submodule, which has a spool of its own', ({ test: { run, state, root, git } }) => {
    const inner = createRepository('inner');
    inner.git('commit', '--quiet', '--allow-empty', '-m', 'b');
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'lib/inner');
    const place = join(root, 'lib', 'inner');
    install(place);
    expect(run('PostToolUse', { cwd: place })).toEqual(SILENCE);
    expect(only(join(root, '.git', 'modules', 'lib', 'inner', 'git-mem'))?.head).toMatchObject({
      root: place,
      branch: 'main',
    });
    expect(pending(state)).toEqual([]);
  });

  launcherTest('is not misled by the variables of a git hook', ({ test: { run, state, root } }) => {
    run('PostToolUse', { env: { GIT_DIR: '/nonexistent', GIT_WORK_TREE: '/', GIT_INDEX_FILE: '/nonexistent' } });
    expect(only(state)?.head.root).toBe(root);
  });

  launcherTest('says what HEAD is: on a branch, detached, on another name of a branch, unborn', ({ create }) => {
    const { run, state, root, git } = create();
    git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    for (const where of [['-c', 'feature/ä-b'], ['--detach'], ['alias'], ['--orphan', 'empty']]) {
      git('switch', '--quiet', ...where);
      run('PostToolUse');
      const checkout = locate(root);
      const head = { host: 'claude-code', event: 'PostToolUse', root, ...(checkout && readHead(checkout)) };
      expect(only(state)?.head, where.join(' ')).toEqual(head);
      acknowledge(state, pending(state)[0]?.name ?? '');
    }
  });

  launcherTest.for([
    ['the branch is packed', 'refs/heads/main', { branch: 'main' }],
    ['references lie in a table', 'refs/heads/.invalid', {}],
  ] as const)('leaves out what a shell cannot read: %s', ([, ref, expected], { test: { run, state, root, git } }) => {
    git('pack-refs', '--all');
    writeFileSync(join(root, '.git', 'HEAD'), `ref: ${ref}\n`);
    run('PostToolUse');
    expect(only(state)?.head).toEqual({ host: 'claude-code', event: 'PostToolUse', root, ...expected });
  });

  launcherTest('takes any payload byte for byte', ({ test: { run, state } }) => {
    const payloads: Record<string, Buffer> = {
      nothing: Buffer.alloc(0),
      garbage: Buffer.from('\n\n{"a": not json\n'),
      binary: randomBytes(100_000),
      'no line feed at the end': Buffer.from('{"a":"\\u0000 % \\\\n $HOME `x`"}'),
      '50 MB': Buffer.alloc(50_000_000, 'x\n'),
    };
    for (const [what, input] of Object.entries(payloads)) {
      expect(run('PostToolUse', { input }), what).toEqual(SILENCE);
      const name = pending(state)[0]?.name ?? '';
      const bytes = readFileSync(join(state, 'spool', 'new', name));
      expect(bytes.subarray(bytes.indexOf('\n\n') + 2).equals(input), what).toBe(true);
      acknowledge(state, name);
    }
  });

  launcherTest('loses none of fifty events at once, and mixes none', async ({ test: { state, root, env } }) => {
    const payloads = Array.from({ length: 50 }, (_, i) => `${i} `.repeat(5000));
    const ends = payloads.map(
      (payload) =>
        new Promise<unknown>((resolve) => {
          const child = spawn(shell, ['.memory/hook', 'claude-code', 'PostToolUse'], { cwd: root, env });
          child.on('close', resolve);
          child.stdin.end(payload);
        }),
    );
    expect(new Set(await Promise.all(ends))).toEqual(new Set([0]));
    const got = pending(state).map(({ name }) => readEvent(state, name)?.payload);
    expect(got.sort()).toEqual([...payloads].sort());
    expect(readdirSync(join(state, 'spool', 'tmp'))).toEqual([]);
  });

  launcherTest('does nothing where git-mem is not installed, or switched off', ({ test: { run, root, calls } }) => {
    const PATH = '/usr/bin:/bin';
    expect(spawnSync('sh', ['-c', 'command -v git-mem'], { env: { PATH } }).status).not.toBe(0);
    for (const env of [{ PATH }, { PATH: '' }, { GIT_MEM: '0' }]) {
      for (const event of ['SessionStart', 'PostToolUse', 'Stop', '']) expect(run(event, { env })).toEqual(SILENCE);
    }
    expect(existsSync(join(root, '.git', 'git-mem'))).toBe(false);
    expect(calls()).toEqual([]);
  });

  launcherTest(
    'hands what wants a reply to git-mem, in the host’s own folder, and passes the reply on',
    ({ test: { run, root, calls, lastInput } }) => {
      mkdirSync(join(root, 'src'));
      const input = randomBytes(100_000);
      const reply = { status: 0, stdout: '{"reply":1}\n', stderr: '' };
      expect(run('SessionStart', { cwd: join(root, 'src'), hook: '../.memory/hook', input })).toEqual(reply);
      expect(lastInput().equals(input)).toBe(true);
      expect(run('', { args: ['claude-code'] })).toEqual(reply);
      expect(calls().map((call) => call.replace(/ \d+ /, ' '))).toEqual([
        `${join(root, 'src')} hook claude-code SessionStart`,
        `${root} hook claude-code `,
      ]);
    },
  );

  launcherTest('hands nothing on of another program that is called git-mem', ({ test: { run, folder } }) => {
    for (const said of ['{"reply":1}', 'git-mem reply 10\n{"reply":1}', ' git-mem reply 1\n{"reply":1}', '', '\n\n']) {
      // Beside it first: a drain that an event woke may be running the one before, which cannot be written then.
      const program = join(folder, 'bin/git-mem');
      writeFileSync(`${program}.new`, `#!/bin/sh\nprintf '%s\n' '${said}'\n`, { mode: 0o755 });
      renameSync(`${program}.new`, program);
      for (const event of ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'Stop', 'Whatever']) {
        expect(run(event), `${event} ${said}`).toEqual(SILENCE);
      }
    }
  });

  launcherTest('leaves every event to git-mem that the host wants a reply to, and only those', async ({ create }) => {
    const { run, state, calls } = create();
    const { events, replies, wakes } = claudeCode;
    for (const event of events) {
      const isAnswered = replies.includes(event);
      const [before, waiting] = [calls().length, pending(state).length];
      run(event);
      const asked = calls()
        .slice(before)
        .filter((call) => call.endsWith(`hook claude-code ${event}`)).length;
      expect([event, asked, pending(state).length - waiting]).toEqual([event, isAnswered ? 1 : 0, isAnswered ? 0 : 1]);
    }
    const woken = wakes.filter((event) => !replies.includes(event));
    await expect.poll(() => calls().filter((call) => call === 'drained'), PATIENT).toHaveLength(woken.length);
  });

  launcherTest('does without git-mem where recall and requests to save are switched off', ({ create }) => {
    const { run, state, calls } = create();
    for (const value of ['0', 'false', 'off']) {
      const env = { GIT_MEM_RECALL_PROMPT: value, GIT_MEM_RECALL_READ: value, GIT_MEM_CAPTURE_ASK: value };
      expect(run('PreToolUse', { env })).toEqual(SILENCE);
      expect(run('UserPromptSubmit', { env })).toEqual(SILENCE);
      expect(only(state)?.head.event).toBe('UserPromptSubmit');
      acknowledge(state, pending(state)[0]?.name ?? '');
    }
    expect(calls()).toEqual([]);
  });

  describe('for a read, an edit or a command', () => {
    const HOUR_AGO = new Date(Date.now() - 3_600_000);
    const read = (path: string) => JSON.stringify({ session_id: 's', tool_input: { file_path: path } });
    const dated = (path: string, time: Date) => utimesSync(path, time, time);

    /** A checkout that did not change for two hours, and a list of an hour ago. */
    function listed(test: LauncherTest, { first = `git-mem names 1 some ${test.root}`, names = ['auth.ts'] } = {}) {
      const { root, state } = test;
      const month = join(root, '.memory', 'observations', '2026-11');
      const own = join(state, 'private', 'observations', '2026-11');
      const list = join(state, 'names', '.git');
      for (const folder of [month, own, dirname(list)]) mkdirSync(folder, { recursive: true });
      test.git('add', '--all');
      writeFileSync(list, [first, ...names, ''].join('\n'));
      const looked = { month, own, kind: dirname(month) };
      const past = new Date(HOUR_AGO.getTime() - 3_600_000);
      for (const path of [...Object.values(looked), dirname(own)]) dated(path, past);
      dated(list, HOUR_AGO);
      return { list, ...looked };
    }
    const asks = (test: LauncherTest, options: RunOptions, event = 'PreToolUse') => {
      const before = test.calls().length;
      const { status, stdout } = test.run(event, options);
      expect([status, stdout === '']).toEqual([0, test.calls().length === before]);
      return test.calls().length > before;
    };

    launcherTest('starts git-mem where the list has one of the names, and hands it all', ({ test }) => {
      listed(test, { names: ['auth.ts', 'ut.ts'] });
      const input = read(`${test.root}/src/auth.ts`);
      expect(asks(test, { input })).toBe(true);
      expect(String(test.lastInput())).toBe(`${input}\n`);
      const commands = [
        'cat auth.ts',
        'cat\tauth.ts',
        'C:\\auth.ts',
        'a "src/auth.ts"',
        'cat ümlä\\ut.ts',
        'sed -n 1p\tsrc/ümläut.ts',
      ];
      for (const command of commands) {
        const spelled = JSON.stringify({ tool_input: { command } });
        const escaped = spelled.replace(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
        expect([command, asks(test, { input: spelled }), asks(test, { input: escaped })]).toEqual([
          command,
          true,
          true,
        ]);
      }
    });

    launcherTest('does without it where the list has none', ({ test }) => {
      listed(test);
      const unknown = [read('/x/src/oauth.ts'), read('/x/auth.tsx'), '{"tool_input":{"command":"node --test"}}', ''];
      for (const input of unknown) expect([input, asks(test, { input })]).toEqual([input, false]);
      expect(pending(test.state)).toEqual([]);
      // What such a host is told after the fact is kept all the same.
      const kept = { input: read('/x/other.ts'), args: ['factory-droid', 'PostToolUse'] };
      expect(asks(test, kept)).toBe(false);
      expect(only(test.state)).toMatchObject({ head: { host: 'factory-droid' }, payload: `${kept.input}\n` });
    });

    launcherTest('starts it where something is newer than the list', ({ test }) => {
      const { list, ...looked } = listed(test);
      const input = read('/x/other.ts');
      for (const [what, path] of Object.entries(looked)) {
        dated(list, HOUR_AGO);
        expect([what, asks(test, { input })]).toEqual([what, false]);
        dated(path, new Date());
        expect([what, asks(test, { input })]).toEqual([what, true]);
        dated(path, new Date(HOUR_AGO.getTime() - 1000));
      }
      // What was renamed since is known to the hooks only when a drain has written the list anew.
      for (const path of ['index', 'HEAD', 'logs/HEAD']) dated(join(test.root, '.git', path), new Date());
      expect(asks(test, { input })).toBe(false);
      mkdirSync(join(looked.kind, '2026-12'));
      expect(asks(test, { input })).toBe(true);
    });

    launcherTest('starts it where the list is absent, empty, cut off or another checkout’s', ({ test }) => {
      const input = read('/x/other.ts');
      expect(asks(test, { input })).toBe(true);
      for (const first of [
        '',
        'git-mem names 1 some',
        'git-mem names 1 some /other',
        `git-mem names 2 some ${test.root}`,
      ]) {
        const { list } = listed(test, { first, names: [] });
        expect([first, asks(test, { input })]).toEqual([first, true]);
        rmSync(list);
      }
    });

    launcherTest('goes by the checkout that the host works in', ({ test }) => {
      const { root, git } = test;
      const input = read('/x/other.ts');
      git('worktree', 'add', '--quiet', '-b', 'side', join(root, '.worktrees', 'side'));
      mkdirSync(join(root, 'src', 'deep'), { recursive: true });
      listed(test);
      const hook = join(root, '.memory', 'hook');
      expect(asks(test, { input, hook, cwd: join(root, 'src', 'deep') })).toBe(false);
      for (const cwd of [join(root, '.worktrees', 'side'), test.folder, '/']) {
        expect([cwd, asks(test, { input, hook, cwd })]).toEqual([cwd, true]);
        expect(test.calls().at(-1)).toContain(`${cwd} `);
      }
    });
  });

  launcherTest(
    'leaves the end of a turn to git-mem where a session start says that it is asked about',
    ({ test: { run, state, calls } }) => {
      mkdirSync(join(state, 'stops'), { recursive: true });
      writeFileSync(join(state, 'stops', '.git'), '');
      expect(run('Stop')).toMatchObject({ status: 0, stdout: '{"reply":1}\n' });
      expect(calls().at(-1)).toMatch(/hook claude-code Stop$/);
      expect(pending(state)).toEqual([]);
    },
  );

  launcherTest.for([
    ['its state folder is a file', ({ state }: LauncherTest) => writeFileSync(state, '')],
    [
      'GIT_MEM_STATE lies below a file',
      ({ root }: LauncherTest) => writeFileSync(join(root, 'file'), ''),
      { GIT_MEM_STATE: 'file/state' },
    ],
    ['the git folder is gone', ({ root }: LauncherTest) => rmSync(join(root, '.git'), { recursive: true })],
    ['the git folder is empty', ({ root }: LauncherTest) => rmSync(join(root, '.git', 'HEAD'))],
    [
      'the worktree’s repository is gone',
      ({ root }: LauncherTest) => {
        rmSync(join(root, '.git'), { recursive: true });
        writeFileSync(join(root, '.git'), 'gitdir: ../gone/.git/worktrees/x\n');
      },
    ],
  ] as const)('leaves it to git-mem, with the whole payload, where %s', ([, harm, env], { test }) => {
    harm(test);
    expect(test.run('PostToolUse', { ...(env && { env }) })).toMatchObject({ status: 0, stderr: '' });
    expect(test.calls()).toEqual([expect.stringMatching(/hook claude-code PostToolUse$/)]);
    expect(String(test.lastInput())).toBe(PAYLOAD);
    expect(existsSync(join(test.folder, 'gone'))).toBe(false);
  });

  launcherTest('puts events where GIT_MEM_STATE says, counted from the top of the checkout', ({ create }) => {
    const { run, root, folder } = create();
    mkdirSync(join(root, 'src'));
    run('PostToolUse', { cwd: join(root, 'src'), hook: '../.memory/hook', env: { GIT_MEM_STATE: 'build/my state' } });
    run('PostToolUse', { env: { GIT_MEM_STATE: join(folder, 'elsewhere') } });
    expect(only(join(root, 'build', 'my state'))?.payload).toBe(PAYLOAD);
    expect(only(join(folder, 'elsewhere'))?.payload).toBe(PAYLOAD);
    expect(existsSync(join(root, '.git', 'git-mem'))).toBe(false);
  });

  launcherTest('works where the checkout is reached through a symbolic link', ({ create }) => {
    const { run, state, root, folder } = create();
    symlinkSync(root, join(folder, 'link'));
    expect(run('PostToolUse', { cwd: join(folder, 'link') })).toEqual(SILENCE);
    expect(only(state)?.head.root).toBe(root);
  });

  launcherTest(
    'wakes a drain at ends of turns and sessions, and waits neither for it nor for the disk',
    async ({ test: { run, root, calls, hold, go } }) => {
      hold();
      for (const event of ['Stop', 'StopFailure', 'PostCompact', 'SessionEnd']) expect(run(event)).toEqual(SILENCE);
      for (const event of ['PostToolUse', 'SubagentStop', 'PreCompact']) run(event);
      const umask = process.umask().toString(8).padStart(4, '0');
      // With the caller's own umask: the records that the drain writes are for everybody who shares the checkout.
      await expect.poll(calls, PATIENT).toEqual(Array(4).fill(`${root} ${umask} drain`));
      go();
      await expect.poll(calls, PATIENT).toHaveLength(8);
    },
  );

  launcherTest('wakes a drain that outlives its host', async ({ test: { root, env, calls, hold, go } }) => {
    hold();
    const child = spawn(shell, ['-c', '"$0" .memory/hook claude-code Stop </dev/null; sleep 600', shell], {
      cwd: root,
      env,
      detached: true,
    });
    await expect.poll(calls, PATIENT).toHaveLength(1);
    const ended = new Promise((resolve) => child.on('exit', resolve));
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await ended;
    go();
    await expect.poll(calls, PATIENT).toContain('drained');
  });

  launcherTest('wakes a drain where there is no setsid', async ({ test: { run, state, folder, calls } }) => {
    const tools = join(folder, 'tools');
    mkdirSync(tools);
    for (const tool of ['cat', 'mktemp', 'mkdir', 'mv', 'rm', 'sleep', 'sh']) {
      symlinkSync(placeOf(tool), join(tools, tool));
    }
    expect(run('Stop', { env: { PATH: `${join(folder, 'bin')}:${tools}` } })).toEqual(SILENCE);
    expect(only(state)?.head.event).toBe('Stop');
    await expect.poll(calls, PATIENT).toContain('drained');
  });
});
