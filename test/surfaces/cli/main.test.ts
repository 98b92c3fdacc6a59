import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { idOf } from '../../../src/memory/id.ts';
import { COMMANDS } from '../../../src/program.ts';
import { SECTIONS } from '../../../src/surfaces/cli/help.ts';
import { packageVersion } from '../../../src/templates.ts';
import { HIDDEN } from '../../support/attacks.ts';
import { gitMem } from '../../support/command-line.ts';
import { createRepository } from '../../support/repository.ts';
import { it } from '../../support/with-repository.ts';
import { drop, observationOf, put } from '../../support/written-records.ts';

const ESCAPE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

describe('git mem', () => {
  it('explains its commands on stdout, with examples for every command', async ({ repository }) => {
    const help = await gitMem(repository, ['help', '--all']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    const commands = [...help.stdout.matchAll(/^ {2}([a-z]+)[ |]/gm)].map((match) => match[1] ?? '');
    expect(commands).toEqual(
      expect.arrayContaining('init uninstall doctor status list show add context drain demo'.split(' ')),
    );
    for (const command of commands.filter((name) => name !== 'help' && name !== 'git')) {
      const { code, stdout, stderr } = await gitMem(repository, [command, '--help']);
      expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: '' });
      expect(stdout, command).toMatch(/^Examples?:/m);
    }
  });

  it('shows at most twenty commands in its first help, and places every command in one section', async ({
    repository,
  }) => {
    const { stdout } = await gitMem(repository, ['--help']);
    const shown = [...stdout.matchAll(/^ {2}([a-z][a-z-]*)[ |]/gm)]
      .map(([, name]) => name)
      .filter((name) => name !== 'git');
    expect(shown).toEqual(expect.arrayContaining(['init', 'search', 'add', 'diff']));
    expect(shown.length).toBeLessThanOrEqual(20);
    const placed = SECTIONS.flatMap(([, ...names]) => names.join(' ').split(' ')).filter((name) => name !== '');
    expect(placed.sort()).toEqual(
      Object.keys(COMMANDS)
        .filter((name) => name !== 'pre-commit')
        .sort(),
    );
  });

  it('stops background work with GIT_MEM=0, as the help says, but no typed command', async ({ repository }) => {
    put(repository, observationOf({ id: 'aaaaaaaaaa', title: 'Still here' }));
    const off = { env: { GIT_MEM: '0' } };
    expect(await gitMem(repository, ['list'], off)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Still here'),
    });
    const { stdout } = await gitMem(repository, ['--help']);
    expect(stdout).toMatch(
      /GIT_MEM=0 stops what runs by itself: hooks, drains,[^.]*\. Other commands that you type go on/,
    );
  });

  it('is available as `git mem` where it is on PATH', ({ repository }) => {
    expect(repository.git('mem', '--version')).toBe(`${packageVersion()}\n`);
  });

  it('keeps stack traces for bugs, which exit 70', async () => {
    const repository = createRepository();
    // A command cannot know what to do with a terminal that is not one.
    const process = {
      env: repository.env,
      stdin: {},
      stdout: { on() {} },
      stderr: { on() {}, write: (text: string) => said.push(text) },
    };
    const said: string[] = [];
    const { main } = await import('../../../src/program.ts');
    expect(await main(['-C', repository.root, 'status'], process as unknown as NodeJS.Process)).toBe(70);
    expect(said.join('')).toMatch(/this is a bug\. Report it: https:\S+code\+[0-9a-f]{8}\S*\n.*TypeError.*\n {4}at /s);
  });

  it('links to the form for a bug of the built program, with its version and the code filled in', ({ repository }) => {
    repository.write('no-output.cjs', 'process.stdout.write = undefined;\n');
    const { status, stderr } = spawnSync('git-mem', ['config'], {
      cwd: repository.root,
      env: { ...repository.env, NODE_OPTIONS: '--require ./no-output.cjs' },
      encoding: 'utf8',
    });
    expect(status).toBe(70);
    const link = new URL(/^git-mem: this is a bug\. Report it: (https:\S+)\nTypeError: /.exec(stderr)?.[1] ?? '');
    expect(link.origin + link.pathname).toBe('https://github.com/git-mem/git-mem/issues/new');
    const [, code] = /^Bug ([0-9a-f]{8})$/.exec(link.searchParams.get('title') ?? '') ?? [];
    expect(link.searchParams.get('body')).toContain(
      `git-mem ${packageVersion()}, Node ${process.versions.node}, ${process.platform}, code ${code}\n`,
    );
  });

  it('works in the directory given with -C, as git does', async ({ repository }) => {
    put(repository, observationOf({ id: idOf('1'), title: 'Found from elsewhere' }));
    mkdirSync(join(repository.root, 'a/b'), { recursive: true });
    const ran = (cwd: string, ...args: string[]) =>
      execFileSync('git-mem', [...args, 'list'], { cwd, env: { ...process.env, ...repository.env }, encoding: 'utf8' });
    for (const args of [
      ['-C', 'repository'],
      ['-Crepository'],
      ['-C', 'repository/a', '-C', 'b'],
      ['-C', repository.root],
    ]) {
      expect(ran(repository.folder, ...args), args.join(' ')).toContain('Found from elsewhere');
    }
  });
});

describe('the output of git mem', () => {
  it('has colours on a terminal only, and not with NO_COLOR', async ({ repository }) => {
    put(repository, observationOf({ id: idOf('1'), title: 'In colour' }));
    for (const args of [['list'], ['show', idOf('1')], ['status']]) {
      expect((await gitMem(repository, args)).stdout, args.join(' ')).not.toMatch(ESCAPE);
      expect((await gitMem(repository, args, { tty: true, env: { TERM: 'xterm' } })).stdout, args.join(' ')).toMatch(
        ESCAPE,
      );
      expect(
        (await gitMem(repository, args, { tty: true, env: { NO_COLOR: '1' } })).stdout,
        args.join(' '),
      ).not.toMatch(ESCAPE);
      expect((await gitMem(repository, args, { tty: true, env: { TERM: 'dumb' } })).stdout, args.join(' ')).not.toMatch(
        ESCAPE,
      );
      expect((await gitMem(repository, args, { env: { FORCE_COLOR: '1' } })).stdout, args.join(' ')).toMatch(ESCAPE);
    }
  });

  it('may be cut off by its reader', ({ repository }) => {
    for (let i = 0; i < 600; i++) {
      drop(
        repository,
        observationOf({ id: idOf(String(i)), title: `Number ${i} of many`, narrative: 'x'.repeat(200) }),
      );
    }
    const script = '{ git-mem list --limit 1000 --json; echo $? >code; } 2>stderr | head -1';
    const { status, stdout } = spawnSync('sh', ['-c', script], {
      cwd: repository.root,
      env: repository.env,
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '{\n' });
    expect(readFileSync(join(repository.root, 'stderr'), 'utf8')).toBe('');
    expect(readFileSync(join(repository.root, 'code'), 'utf8')).toBe('0\n');
  });

  it('never contains escape sequences, whatever a record or its file is called', async ({ repository }) => {
    const title = '"\\e[31mred\\e[0m \\e]0;title\\a \\u009b2J \\x08\\x7f \\u202e\\rfront"';
    const id = idOf('hostile');
    const front = `---\nid: "${id}"\nkind: observation\ntype: "\\e[2J"\ntitle: ${title}\nbranch: ${title}\nconcepts: [${title}]\nfiles_read: [${title}]\n---\n`;
    const body = '\n\u001b[31mred\u009b2J\n\n## Facts\n\n- \u001b]0;x\u0007\n';
    repository.write(`.memory/observations/2026-11/20261120T200501Z-\u001b[31m-${id}.md`, front + body);
    repository.write(`.memory/observations/2026-11/20261120T200501Z-\u001b[31m-${idOf('broken')}.md`, 'broken');
    for (const args of [
      ['list'],
      ['search', 'front', '--trust', 'unreviewed'],
      ['timeline', 'front'],
      ['show', id],
      ['why', id],
      ['diff'],
      ['show', id, '--json'],
      ['list', '--json'],
      ['context', '--receipt'],
      ['status'],
      ['show', '\u001b[31m'],
    ]) {
      const { stdout, stderr } = await gitMem(repository, args, { env: { GIT_MEM_TRUST_INJECT_UNREVIEWED: 'true' } });
      expect(stdout + stderr, args.join(' ')).not.toMatch(HIDDEN);
      if (/^(?:list|search|timeline|why|diff)$/.test(args[0] ?? '')) expect(stdout, args.join(' ')).toContain('red');
    }
  });
});
