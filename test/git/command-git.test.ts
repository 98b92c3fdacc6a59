import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { commandGit, openGit } from '../../src/git/git.ts';
import { networkGit } from '../../src/git/network.ts';
import { createRepository } from '../support/repository.ts';
import { scratchFolder } from '../support/scratch.ts';
import { it } from '../support/with-repository.ts';

/** A folder with a `git` that runs this script, and an environment in which it is found. */
function createFakeGit(script: string) {
  const folder = scratchFolder();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, 'git'), 0o755);
  return { folder, env: { PATH: `${bin}:/usr/bin:/bin` } };
}

/** The variables and arguments that git gets. */
async function receivedBy(env: Record<string, string>, run: typeof networkGit = networkGit) {
  const fake = createFakeGit('env; echo; for arg; do echo "$arg"; done');
  const [variables = '', args = ''] = (await run(fake.folder, ['fetch'], { ...env, ...fake.env })).split('\n\n');
  return { variables: variables.split('\n'), args: args.trim().split('\n') };
}

describe('a git command', () => {
  it('runs whatever editor, pager and git variables the environment has', async ({ repository: { root, env } }) => {
    const busy = {
      ...env,
      EDITOR: 'vi',
      VISUAL: 'vi',
      PAGER: 'less',
      SSH_ASKPASS: 'x11-ssh-askpass',
      GIT_EDITOR: 'vi',
      GIT_DIR: '/nowhere',
      GIT_PAGER: 'less',
      GIT_TEMPLATE_DIR: '/nowhere',
    };
    const git = openGit(root, busy, { config: ['user.name=Test'] });
    expect((await git.status()).isClean()).toBe(true);
    expect(await commandGit(root, ['rev-parse', '--show-toplevel'], busy)).toBe(`${root}\n`);
  });

  it('gets its whole input, and gives its whole output', async ({ repository: { root, env } }) => {
    const text = 'ä\n'.repeat(200_000);
    const blob = await commandGit(root, ['hash-object', '-w', '--stdin'], env, { input: text });
    expect(await commandGit(root, ['cat-file', 'blob', blob.trim()], env)).toBe(text);
  });

  it('does not wait for an input that nobody gives', async () => {
    const { folder, env } = createFakeGit('cat; echo done');
    expect(await commandGit(folder, ['x'], env)).toBe('done\n');
  });

  it('that fails says why, and without the password of an address', async () => {
    const { folder, env } = createFakeGit(
      'echo "Cloning" >&2; echo "fatal: no https://me:secret@host/x there" >&2; exit 128',
    );
    const failed = commandGit(folder, ['clone'], env);
    await expect(failed).rejects.toMatchObject({
      code: 'git',
      message: 'git clone failed: fatal: no https://host/x there',
    });
    await expect(failed).rejects.not.toMatchObject({ cause: expect.anything() });
  });

  it('that fails without a word, is killed or is missing has failed', async () => {
    const silent = createFakeGit('exit 3');
    await expect(commandGit(silent.folder, ['x'], silent.env)).rejects.toMatchObject({ code: 'git' });
    const killed = createFakeGit('echo half an answer; kill -9 $$');
    await expect(commandGit(killed.folder, ['x'], killed.env)).rejects.toMatchObject({ code: 'git' });
    await expect(commandGit(silent.folder, ['x'], { PATH: silent.folder })).rejects.toMatchObject({
      message: expect.stringContaining('ENOENT'),
    });
    await expect(commandGit(join(silent.folder, 'none'), ['x'], silent.env)).rejects.toMatchObject({ code: 'git' });
    await expect(commandGit(silent.folder, ['a\0b'], silent.env)).rejects.toMatchObject({ code: 'git' });
  });

  it('is ended after its time, by a signal on which git removes its locks', async () => {
    const { folder, env } = createFakeGit(
      `trap 'echo INT >ended; exit 130' INT; echo >started; while :; do sleep 0.1; done`,
    );
    await expect(commandGit(folder, ['x'], env, { patienceMs: 1500 })).rejects.toMatchObject({
      message: 'git x failed: it took longer than 1.5 s',
    });
    expect(existsSync(join(folder, 'started'))).toBe(true);
    expect(readFileSync(join(folder, 'ended'), 'utf8')).toBe('INT\n');
  });

  it('is ended if it writes without end', async () => {
    for (const stream of ['>&1', '>&2']) {
      const { folder, env } = createFakeGit(`exec yes ${'x'.repeat(4000)} ${stream}`);
      await expect(commandGit(folder, ['x'], env)).rejects.toMatchObject({
        message: 'git x failed: its output was too large',
      });
    }
  });

  it('reports the last line of what git says', async () => {
    const { folder, env } = createFakeGit(`printf 'Counting: 1%%\\rCounting: 50%%\\r\\n' >&2`);
    const lines: string[] = [];
    await commandGit(folder, ['x'], env, { onProgress: (line) => lines.push(line) });
    expect(lines.at(-1)).toBe('Counting: 50%');
  });
});

describe('git on the network', () => {
  it('has the user’s agent, proxy and certificates, prompts for nothing and passes no limit of its own on', async () => {
    const user = {
      SSH_AUTH_SOCK: '/run/agent',
      https_proxy: 'http://proxy:3128',
      NO_PROXY: 'intern',
      SSL_CERT_FILE: '/etc/own.pem',
      GIT_DIR: '/nowhere',
    };
    const { variables } = await receivedBy(user);
    expect(variables).toEqual(
      expect.arrayContaining([
        'SSH_AUTH_SOCK=/run/agent',
        'https_proxy=http://proxy:3128',
        'NO_PROXY=intern',
        'SSL_CERT_FILE=/etc/own.pem',
        'GIT_TERMINAL_PROMPT=0',
        'GIT_NO_LAZY_FETCH=1',
      ]),
    );
    expect(variables.filter((line) => /^GIT_(?:DIR|TEST_DISALLOW_ABBREVIATED_OPTIONS=true)/.test(line))).toEqual([]);
  });

  it('allows four protocols, and gives up a server that sends nothing', async () => {
    const { args } = await receivedBy({});
    expect(args.at(-1)).toBe('fetch');
    expect(args.filter((arg) => arg.startsWith('protocol.'))).toEqual([
      'protocol.allow=never',
      'protocol.ext.allow=never',
      'protocol.http.allow=never',
      'protocol.ftp.allow=never',
      'protocol.ftps.allow=never',
      'protocol.https.allow=always',
      'protocol.ssh.allow=always',
      'protocol.file.allow=always',
      'protocol.git.allow=always',
    ]);
    expect(args).toEqual(expect.arrayContaining(['http.lowSpeedLimit=100', 'http.lowSpeedTime=60']));
  });

  it('refuses other protocols, whatever the user’s settings allow', async ({ repository: { root, env, git } }) => {
    git('config', 'protocol.ext.allow', 'always');
    git('config', 'protocol.http.allow', 'always');
    for (const url of [`ext::sh -c "touch ${root}/ran"`, 'http://127.0.0.1:9/x']) {
      await expect(networkGit(root, ['ls-remote', '--', url, 'HEAD'], env)).rejects.toMatchObject({
        code: 'git',
        message: expect.stringMatching(/transport '(?:ext|http)' not allowed/),
        hint: expect.stringContaining('ls-remote'),
      });
    }
    expect(existsSync(join(root, 'ran'))).toBe(false);
  });

  it('clones without the hooks of the user’s template', async () => {
    const { root, env, git, folder, write, commit } = createRepository();
    write('a.txt', 'a');
    commit.call({ git }, 'a');
    const hook = join(folder, 'template', 'hooks', 'post-checkout');
    mkdirSync(join(folder, 'template', 'hooks'), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\ntouch ${folder}/ran\n`);
    chmodSync(hook, 0o755);
    git('config', '--global', 'init.templateDir', join(folder, 'template'));
    await networkGit(folder, ['clone', '--template=', '--', root, 'copy'], env);
    expect(existsSync(join(folder, 'copy', 'a.txt'))).toBe(true);
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  });
});
