import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { commitMemory } from '../../src/review/commit/policy.ts';
import { takeBack } from '../../src/review/commit/user-index.ts';
import { run } from '../support/command.ts';
import { committedBase, standing } from '../support/git-states.ts';
import { hookedSession } from '../support/hooked-session.ts';
import type { TestRepository } from '../support/repository.ts';
import { drop, observationOf, put, summaryOf } from '../support/written-records.ts';

const one = observationOf({ id: 'k3v9x2qd7m', title: 'Retry uploads', session: 's1' });
const summary = summaryOf({ id: 'p8w2m4ta1c', title: 'Upload retries', session: 's1' });

/** A hook or filter of git works on that git's own index otherwise. */
const UNSET = 'unset GIT_INDEX_FILE GIT_DIR GIT_PREFIX';

/** Runs the policy as the end of a session does. */
async function commit(
  { root, env }: TestRepository,
  changes: Record<string, string> = {},
  options: { waitMs?: number } = {},
): Promise<string | undefined> {
  const workspace = openWorkspace(root, { ...env, ...changes });
  const settings = { GIT_MEM_COMMIT: 'auto', GIT_MEM_COMMIT_AFTER: '0s' };
  const { config } = loadConfig(workspace.layout.memory, { ...env, ...settings, ...changes });
  return commitMemory(workspace, config, new Date(), options);
}

function script(repository: TestRepository, path: string, body: string): string {
  const file = join(repository.folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
}

function hook(repository: TestRepository, name: string, body: string): void {
  repository.git('config', 'core.hooksPath', join(repository.folder, 'hooks'));
  script(repository, `hooks/${name}`, body);
}

const lastLog = ({ root, env }: TestRepository) =>
  readFileSync(join(openWorkspace(root, env).layout.state, 'hook.log'), 'utf8')
    .trimEnd()
    .split('\n')
    .at(-1);

/** What the user has in their index and working tree, by every way that git offers for it. */
const DIRTY: Record<string, (repository: TestRepository) => TestRepository | undefined> = {
  'nothing changed': () => undefined,
  'staged, unstaged and untracked changes': (repository) => {
    repository.write('a.txt', 'staged\n');
    repository.git('add', 'a.txt');
    repository.write('b.txt', 'unstaged\n');
    repository.write('new.txt', 'untracked\n');
    return undefined;
  },
  'a file staged in part': (repository) => {
    repository.write('a.txt', 'one\n2\nthree\n');
    repository.git('add', 'a.txt');
    repository.write('a.txt', 'one\n2\n3\n');
    return undefined;
  },
  'a staged rename and a staged deletion': (repository) => {
    repository.git('mv', 'a.txt', 'moved.txt');
    repository.git('rm', '--quiet', 'b.txt');
    return undefined;
  },
  'a file that is intended to be added': (repository) => {
    repository.write('later.txt', 'x\n');
    repository.git('add', '--intent-to-add', 'later.txt');
    return undefined;
  },
  'a staged mode and a deleted file': (repository) => {
    repository.git('update-index', '--chmod=+x', 'a.txt');
    rmSync(join(repository.root, 'b.txt'));
    return undefined;
  },
  'skip-worktree and assume-unchanged entries': (repository) => {
    repository.git('update-index', '--skip-worktree', 'a.txt');
    repository.git('update-index', '--assume-unchanged', 'b.txt');
    repository.write('a.txt', 'local\n');
    return undefined;
  },
  'index version 4': (repository) => {
    repository.git('update-index', '--index-version', '4');
    repository.write('a.txt', 'staged\n');
    repository.git('add', 'a.txt');
    return undefined;
  },
  'a split index': (repository) => {
    repository.git('config', 'core.splitIndex', 'true');
    repository.write('a.txt', 'staged\n');
    repository.git('add', 'a.txt');
    return undefined;
  },
  'an untracked cache and a file system monitor': (repository) => {
    repository.git('config', 'core.untrackedCache', 'true');
    repository.git('config', 'core.fsmonitor', script(repository, 'monitor', 'printf "token\\0/\\0"'));
    repository.write('new.txt', 'untracked\n');
    repository.git('status');
    return undefined;
  },
  'a sparse checkout that has .memory': (repository) => {
    repository.write('far/away.txt', 'x\n');
    repository.git('add', 'far');
    repository.git('commit', '--quiet', '-m', 'far');
    repository.git('sparse-checkout', 'set', '--cone', '--sparse-index', '.memory');
    return undefined;
  },
  'a linked worktree': (repository) => {
    const root = join(repository.folder, 'linked');
    repository.git('worktree', 'add', '--quiet', '-b', 'side', root);
    const git = (...args: string[]) => repository.git('-C', root, ...args);
    writeFileSync(join(root, 'a.txt'), 'staged\n');
    git('add', 'a.txt');
    return { ...repository, root, git };
  },
  'line ends of Windows': (repository) => {
    repository.git('config', 'core.autocrlf', 'true');
    repository.write('new.txt', 'a\r\nb\r\n');
    repository.git('add', 'new.txt');
    return undefined;
  },
  'objects named by SHA-256': (repository) => {
    rmSync(join(repository.root, '.git'), { recursive: true });
    repository.git('init', '--quiet', '--object-format=sha256');
    repository.commit('base');
    repository.write('a.txt', 'staged\n');
    repository.git('add', 'a.txt');
    return undefined;
  },
  'hooks that refuse every commit': (repository) => {
    for (const name of ['pre-commit', 'commit-msg', 'prepare-commit-msg', 'post-commit'])
      hook(repository, name, 'exit 1');
    return undefined;
  },
};

describe('the commit at the end of a session', () => {
  it('never holds the index lock during one of the user’s commands, and waits when one of them changed the index', async () => {
    const repository = committedBase();
    repository.write('mine.txt', 'mine\n');
    // A filter runs while git builds an index. Each time something else is staged, so that the index is written.
    const add = `${UNSET}; date +%N >mine.txt; git add mine.txt || echo failed >>"${join(repository.folder, 'failed')}"`;
    const filter = script(repository, 'filter', `(${add}); exec cat`);
    repository.git('config', 'filter.slow.clean', filter);
    repository.write('.git/info/attributes', '.memory/** filter=slow\n');
    put(repository, one);
    expect(await commit(repository, {}, { waitMs: 0 })).toBeUndefined();
    expect(existsSync(join(repository.folder, 'failed'))).toBe(false);
    expect(repository.git('diff', '--cached', '--name-only').trim()).toBe('mine.txt');
    expect(lastLog(repository)).toContain('waiting, because the index changed in the meantime, or is locked');
    repository.git('config', '--unset', 'filter.slow.clean');
    expect(await commit(repository)).toBeDefined();
    expect(repository.git('diff', '--cached', '--name-only').trim()).toBe('mine.txt');
  });

  it('removes what it added to the index when the branch did not move, except for what the user committed', async () => {
    const repository = committedBase();
    const taken = put(repository, one);
    repository.git('add', '.memory');
    repository.git('commit', '--quiet', '-m', 'mine');
    const left = put(repository, summary);
    repository.git('add', '.memory');
    const scratch = join(repository.root, '.git/scratch');
    await takeBack(openWorkspace(repository.root, repository.env), [taken, left], scratch);
    expect(repository.git('status', '--porcelain', '--untracked-files=all').trim()).toBe(`?? ${left}`);
    expect(existsSync(scratch)).toBe(false);
  });

  it('releases a lock that a killed git-mem left, and no others', async () => {
    const repository = committedBase();
    put(repository, one);
    const lock = join(repository.root, '.git/index.lock');
    for (const held of ['', `git-mem ${process.pid}\n`]) {
      writeFileSync(lock, held);
      expect(await commit(repository)).toBeUndefined();
      expect(readFileSync(lock, 'utf8')).toBe(held);
    }
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    writeFileSync(lock, `git-mem ${gone}\n`);
    expect(await commit(repository)).toBeDefined();
    expect(existsSync(lock)).toBe(false);
  });

  it.each(Object.keys(DIRTY))('leaves all of the user’s state unchanged, with %s', async (name) => {
    const base = committedBase();
    const repository = DIRTY[name]?.(base) ?? base;
    const paths = [put(repository, one), put(repository, summary)].sort();
    const before = standing(repository);
    const made = await commit(repository);
    expect(made).toBe(repository.git('rev-parse', 'HEAD').trim());
    expect(standing(repository)).toEqual(before);
    expect(repository.git('status', '--porcelain', '--untracked-files=all', '--', '.memory')).toBe('');
    expect(repository.git('log', '-1', '--format=%s%n%an %ae%n%P')).toBe(
      `memory: 1 observation, 1 summary of session Upload retries\nTest test@example.com\n${before.head}\n`,
    );
    expect(repository.git('show', '--no-renames', '--name-status', '--format=', 'HEAD').trim().split('\n')).toEqual(
      paths.map((path) => `A\t${path}`),
    );
    expect(await commit(repository)).toBeUndefined();
    repository.git('fsck', '--strict');
  });

  it('takes only files that this clone wrote and git does not track', async () => {
    const repository = committedBase();
    const mine = put(repository, one);
    const staged = put(repository, observationOf({ id: 'aaaaaaaaa1', title: 'Staged by hand' }));
    repository.git('add', staged);
    drop(repository, observationOf({ id: 'aaaaaaaaa2', title: 'Of a stranger' }));
    const edited = put(repository, observationOf({ id: 'aaaaaaaaa3', title: 'Edited by hand' }));
    writeFileSync(join(repository.root, edited), `${readFileSync(join(repository.root, edited), 'utf8')}\nMore.\n`);
    const secret = `gh${'p_'}${'a1B2'.repeat(9)}`;
    put(repository, observationOf({ id: 'aaaaaaaaa4', title: 'Leaky', narrative: `The token is ${secret}.` }));
    repository.write('.memory/notes.txt', 'mine\n');
    const before = standing(repository);
    await commit(repository);
    expect(repository.git('show', '--name-only', '--format=%s', 'HEAD')).toBe(`memory: 1 observation\n\n${mine}\n`);
    expect(standing(repository)).toEqual(before);
    expect(repository.git('diff', '--cached', '--name-only').trim()).toBe(staged);
  });

  it('counts kinds and sessions, and keeps the subject on one line', async () => {
    const repository = committedBase();
    put(repository, one);
    const title = `A title\u202e that is so long that it cannot stand in one subject at all 🦊🦊🦊🦊🦊🦊`;
    put(repository, summaryOf({ id: 'p8w2m4ta1c', title, session: 's1' }));
    await commit(repository);
    const subject = repository.git('log', '-1', '--format=%B').trimEnd();
    expect(subject).toBe('memory: 1 observation, 1 summary of session A title that is so long…');
    put(repository, observationOf({ id: 'aaaaaaaaa1', session: 's2' }));
    put(repository, observationOf({ id: 'aaaaaaaaa2', session: 's3' }));
    await commit(repository);
    expect(repository.git('log', '-1', '--format=%s').trim()).toBe('memory: 2 observations of 2 sessions');
  });

  it('is not made under the other policies', async () => {
    const repository = committedBase();
    put(repository, one);
    const workspace = openWorkspace(repository.root, repository.env);
    for (const policy of ['manual', 'stage']) {
      const { config } = loadConfig(workspace.layout.memory, { ...repository.env, GIT_MEM_COMMIT: policy });
      expect(await commitMemory(workspace, config, new Date())).toBeUndefined();
    }
    expect(repository.git('rev-list', '--count', 'HEAD').trim()).toBe('1');
  });

  it('is signed where the user signs commits', async () => {
    const repository = committedBase();
    put(repository, one);
    const signer = script(repository, 'sign', 'cat > /dev/null\necho "[GNUPG:] SIG_CREATED " >&2\necho signature');
    repository.git('config', 'gpg.program', signer);
    repository.git('config', 'commit.gpgSign', 'true');
    await commit(repository);
    expect(repository.git('cat-file', 'commit', 'HEAD')).toContain('gpgsig signature');
  });
});

/** What is going on when the session ends, and what the log says of it. */
const BUSY: Record<string, [reason: string, prepare: (repository: TestRepository) => TestRepository | undefined]> = {
  'a merge with conflicts': ['a merge is in progress', (repository) => conflict(repository, 'merge', 'other')],
  'a rebase with conflicts': ['a rebase is in progress', (repository) => conflict(repository, 'rebase', 'other')],
  'an interactive rebase that stopped': [
    'a rebase is in progress',
    (repository) => {
      repository.git('commit', '--quiet', '--allow-empty', '-m', 'second');
      repository.git('-c', 'sequence.editor=sed -i 1ibreak', 'rebase', '--quiet', '-i', 'HEAD~1');
      return undefined;
    },
  ],
  'a cherry-pick with conflicts': [
    'a cherry-pick is in progress',
    (repository) => conflict(repository, 'cherry-pick', 'other'),
  ],
  'a revert with conflicts': [
    'a revert is in progress',
    (repository) => {
      repository.write('a.txt', 'changed\n');
      repository.git('commit', '--quiet', '-am', 'changed');
      repository.write('a.txt', 'again\n');
      repository.git('commit', '--quiet', '-am', 'again');
      return failing(repository, 'revert', '--no-edit', 'HEAD~1');
    },
  ],
  'a squash merge': [
    'a squash merge is in progress',
    (repository) => {
      repository.git('switch', '--quiet', '-c', 'other');
      repository.write('c.txt', 'c\n');
      repository.git('add', 'c.txt');
      repository.git('commit', '--quiet', '-m', 'c');
      repository.git('switch', '--quiet', 'main');
      repository.git('merge', '--quiet', '--squash', 'other');
      return undefined;
    },
  ],
  'a popped stash with conflicts': [
    'there are conflicts',
    (repository) => {
      repository.write('a.txt', 'stashed\n');
      repository.git('stash', '--quiet');
      repository.write('a.txt', 'changed\n');
      repository.git('commit', '--quiet', '-am', 'changed');
      return failing(repository, 'stash', 'pop', '--quiet');
    },
  ],
  'a bisect': [
    'a bisect is in progress',
    (repository) => {
      for (const n of [1, 2, 3, 4]) repository.git('commit', '--quiet', '--allow-empty', '-m', `${n}`);
      repository.git('bisect', 'start', 'HEAD', 'HEAD~4');
      return undefined;
    },
  ],
  'a detached HEAD': ['HEAD is detached', (repository) => void repository.git('switch', '--quiet', '--detach')],
  'an unborn branch': [
    'there is no first commit yet',
    (repository) => void repository.git('switch', '--quiet', '--orphan', 'unborn'),
  ],
  'a locked index': ['the index is locked', (repository) => void repository.write('.git/index.lock', '')],
  'a locked branch': [
    'the branch moved, or its lock is held',
    (repository) => void repository.write('.git/refs/heads/main.lock', ''),
  ],
  'no author': [
    'git knows no author (user.name and user.email)',
    (repository) => void writeFileSync(`${repository.env.GIT_CONFIG_GLOBAL}`, ''),
  ],
  'a signature that fails': [
    'the commit could not be signed',
    (repository) => {
      repository.git('config', 'commit.gpgSign', 'true');
      repository.git('config', 'gpg.program', 'false');
      return undefined;
    },
  ],
  'a hook that lets no branch move': [
    'the branch moved, or its lock is held',
    (repository) => void hook(repository, 'reference-transaction', '[ "$1" != prepared ]'),
  ],
  'a filter that changes records': [
    'the files changed in the meantime',
    (repository) => {
      repository.git('config', 'filter.upper.clean', 'tr a-z A-Z');
      writeFileSync(join(repository.root, '.git/info/attributes'), '.memory/** filter=upper\n');
      return undefined;
    },
  ],
  'a sparse checkout without .memory': [
    '.memory is outside the sparse checkout',
    (repository) => {
      repository.write('near/by.txt', 'x\n');
      repository.write('.memory/README.md', 'x\n');
      repository.commit('near');
      repository.git('sparse-checkout', 'set', '--cone', 'near');
      return undefined;
    },
  ],
  'a submodule': [
    'this is a submodule',
    (repository) => {
      const outer = join(repository.folder, 'outer');
      const git = (...args: string[]) =>
        execFileSync('git', args, {
          cwd: outer,
          env: repository.env,
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe'],
        });
      mkdirSync(outer);
      git('init', '--quiet');
      git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', repository.root, 'inner');
      const root = join(outer, 'inner');
      return { ...repository, root, git: (...args: string[]) => git('-C', root, ...args) };
    },
  ],
};

function failing(repository: TestRepository, ...args: string[]): undefined {
  expect(() => repository.git(...args), args.join(' ')).toThrow();
}

function conflict(repository: TestRepository, ...args: string[]): undefined {
  repository.git('switch', '--quiet', '-c', 'other');
  repository.write('a.txt', 'theirs\n');
  repository.git('commit', '--quiet', '-am', 'theirs');
  repository.git('switch', '--quiet', 'main');
  repository.write('a.txt', 'ours\n');
  repository.git('commit', '--quiet', '-am', 'ours');
  return failing(repository, ...args);
}

describe('no commit is made and nothing changes at all', () => {
  it.each(Object.keys(BUSY))('during %s', async (name) => {
    const base = committedBase();
    const [reason, prepare] = BUSY[name] ?? ['', () => undefined];
    const repository = prepare(base) ?? base;
    put(repository, one);
    const before = standing(repository);
    expect(await commit(repository)).toBeUndefined();
    expect(standing(repository)).toEqual(before);
    expect(lastLog(repository)).toMatch(new RegExp(`commit: waiting, because ${reason.replace(/[()]/g, '\\$&')}\\.$`));
  });

  it.each(['GIT_INDEX_FILE', 'GIT_DIR'])('inside a git hook, which sets %s', async (variable) => {
    const repository = committedBase();
    put(repository, one);
    expect(await commit(repository, { [variable]: join(repository.root, '.git/index') })).toBeUndefined();
    expect(lastLog(repository)).toContain('a hook of git is running');
  });

  it('where .memory is ignored', async () => {
    const repository = committedBase();
    repository.write('.git/info/exclude', '.memory\n');
    put(repository, one);
    expect(await commit(repository)).toBeUndefined();
    expect(repository.git('rev-list', '--count', 'HEAD').trim()).toBe('1');
  });

  // Only a process tells of it, and only Linux lets it be looked at.
  it.runIf(process.platform === 'linux')("while a commit's hooks run, so that the commit goes through", async () => {
    const repository = committedBase();
    put(repository, one);
    const [started, go] = [join(repository.folder, 'started'), join(repository.folder, 'go')];
    execFileSync('mkfifo', [go]);
    hook(repository, 'pre-commit', `: > '${started}'; read -r line < '${go}'`);
    repository.write('a.txt', 'mine\n');
    repository.git('add', 'a.txt');
    const user = spawn('git', ['commit', '--quiet', '-m', 'mine'], { cwd: repository.root, env: repository.env });
    const ended = new Promise((resolve) => user.on('exit', resolve));
    await vi.waitFor(() => expect(existsSync(started)).toBe(true), 60_000);
    expect(await commit(repository, {}, { waitMs: 0 })).toBeUndefined();
    expect(lastLog(repository)).toContain('git commit is running');
    // The end of a session waits for it.
    const later = commit(repository);
    writeFileSync(go, 'go\n');
    expect(await ended).toBe(0);
    expect(await later).toBeDefined();
    expect(repository.git('log', '--format=%s').trim()).toBe('memory: 1 observation\nmine\nbase');
    expect(repository.git('status', '--porcelain', '--', '.memory', 'a.txt')).toBe('');
  });

  it('while a commit message is being written, so that the commit goes through', async () => {
    const repository = committedBase();
    const [open, go] = [join(repository.folder, 'open'), join(repository.folder, 'go')];
    execFileSync('mkfifo', [go]);
    const editor = script(repository, 'editor', `echo mine > "$1"; : > '${open}'; cat '${go}'`);
    repository.write('a.txt', 'mine\n');
    repository.git('add', 'a.txt');
    const child = spawn('git', ['commit', '--quiet'], {
      cwd: repository.root,
      env: { ...repository.env, GIT_EDITOR: editor },
      stdio: 'ignore',
    });
    const done = new Promise((resolve) => child.on('close', resolve));
    await vi.waitFor(() => expect(existsSync(open)).toBe(true), { timeout: 60_000, interval: 5 });
    put(repository, one);
    expect(await commit(repository, {}, { waitMs: 0 })).toBeUndefined();
    expect(lastLog(repository)).toContain('a commit message is being written');
    writeFileSync(go, '');
    expect(await done).toBe(0);
    expect(await commit(repository)).toBeDefined();
    expect(repository.git('log', '--format=%s').trim()).toBe('memory: 1 observation\nmine\nbase');
  });

  it.each<[string, string, string]>([
    ['the user commits', 'git commit --quiet --allow-empty -m mine', 'the branch moved'],
    ['the user switches to another branch', 'git switch --quiet -c elsewhere', 'another branch was checked out'],
    ['a merge begins', ': > .git/MERGE_HEAD', 'a merge is in progress'],
    ['the index is locked', ': > .git/index.lock', 'the index is locked'],
  ])('when %s in the meantime', async (_, command, reason) => {
    const repository = committedBase();
    put(repository, one);
    // Signing is the moment that others can use.
    const signer = script(
      repository,
      'sign',
      `cat > /dev/null\n(unset GIT_DIR GIT_INDEX_FILE; cd '${repository.root}' && git config commit.gpgSign false && ${command})\necho "[GNUPG:] SIG_CREATED " >&2\necho signature`,
    );
    repository.git('config', 'gpg.program', signer);
    repository.git('config', 'commit.gpgSign', 'true');
    expect(await commit(repository)).toBeUndefined();
    expect(lastLog(repository)).toContain(reason);
    expect(repository.git('log', '--all', '--format=%s')).not.toContain('memory:');
    expect(repository.git('diff', '--cached', '--name-only')).toBe('');
    renameIfThere(join(repository.root, '.git/index.lock'));
    renameIfThere(join(repository.root, '.git/MERGE_HEAD'));
    expect(await commit(repository)).toBeDefined();
  });
});

describe('a tip that the user may amend', () => {
  /** A commit of the user's, of which HEAD has the reflog's time. */
  function committed(minutesAgo: number): TestRepository {
    const repository = committedBase();
    repository.write('a.txt', 'mine\n');
    repository.git('commit', '--quiet', '-am', 'mine');
    const then = Date.now() / 1000 - minutesAgo * 60;
    utimesSync(join(repository.root, '.git/COMMIT_EDITMSG'), then, then);
    utimesSync(join(repository.root, '.git/logs/HEAD'), then, then);
    put(repository, one);
    return repository;
  }
  const patient = { GIT_MEM_COMMIT_AFTER: '30m' };

  it('makes the memory wait, so that an amendment changes the user’s own commit', async () => {
    const repository = committed(29);
    expect(await commit(repository, patient)).toBeUndefined();
    expect(lastLog(repository)).toContain('its commit may still be amended');
    repository.write('b.txt', 'forgotten\n');
    repository.git('commit', '--quiet', '--all', '--amend', '--no-edit');
    expect(repository.git('log', '--format=%s').trim()).toBe('mine\nbase');
    expect(repository.git('show', '--name-only', '--format=', 'HEAD').trim()).toBe('a.txt\nb.txt');
  });

  it('gets a memory commit on top once HEAD has been still long enough', async () => {
    const repository = committed(31);
    expect(await commit(repository, patient)).toBeDefined();
    expect(repository.git('log', '--format=%s').trim()).toBe('memory: 1 observation\nmine\nbase');
  });

  it('does not count once the remote has reviewed it', async () => {
    const repository = committed(0);
    const { git } = repository;
    git('update-ref', 'refs/remotes/origin/feature', 'HEAD');
    git('update-ref', 'refs/remotes/origin/main', 'HEAD~1');
    git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
    expect(await commit(repository, patient)).toBeUndefined();
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    expect(await commit(repository, patient)).toBeDefined();
  });

  it('gets a memory commit on top when the next session begins', () => {
    const repository = committed(31);
    hookedSession(repository.root).report('SessionStart', { source: 'startup' });
    expect(run(repository, ['drain', '--wait'], { GIT_MEM_COMMIT: 'auto' })).toMatchObject({ status: 0 });
    expect(repository.git('log', '--format=%s').trim()).toBe('memory: 1 observation\nmine\nbase');
  });

  it('is dated by the commit itself where the repository keeps no reflog', async () => {
    const repository = committed(0);
    repository.git('config', 'core.logAllRefUpdates', 'false');
    rmSync(join(repository.root, '.git/logs'), { recursive: true });
    expect(await commit(repository, patient)).toBeUndefined();
    const date = `${Math.floor(Date.now() / 1000) - 1900} +0000`;
    execFileSync('git', ['commit', '--quiet', '--amend', '--no-edit'], {
      cwd: repository.root,
      env: { ...repository.env, GIT_COMMITTER_DATE: date },
    });
    // Without a reflog a message counts as open for an hour.
    utimesSync(join(repository.root, '.git/COMMIT_EDITMSG'), 0, 0);
    expect(await commit(repository, patient)).toBeDefined();
  });
});

function renameIfThere(path: string): void {
  if (existsSync(path)) renameSync(path, `${path}.gone`);
}
