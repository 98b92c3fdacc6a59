import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { storePath } from '../../src/memory/file-name.ts';
import type { MemoryRecord } from '../../src/memory/record.ts';
import { readLedgers } from '../../src/memory/store/ledger.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { readEverything } from '../../src/records/read.ts';
import { gitMem } from '../support/command-line.ts';
import { committedBase } from '../support/git-states.ts';
import type { TestRepository } from '../support/repository.ts';
import { drop, observationOf, put, summaryOf } from '../support/written-records.ts';

const it = test.extend('repository', () => committedBase());

interface Answer {
  found: { id: string; title: string; from: string; kind: string; own: boolean }[];
  copied: string[];
  skipped: { id: string; from: string; reason: string }[];
  notes: string[];
}

async function salvage(repository: TestRepository, ...args: string[]): Promise<Answer> {
  const { code, stdout, stderr } = await gitMem(repository, ['salvage', '--json', ...args]);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

const A = 'aaaaaaaaa1';
const record = (id: string, title = `Record ${id}`) => observationOf({ id, title });

/** A mark as a checkout brings it. */
function marked(type: 'redact' | 'retire' | 'undo', targets: string[], id: string): MemoryRecord {
  return { kind: 'mark', id, type, targets, reason: 'Why not.', generated: { by: 'test', at: '2026-11-21T09:00:00Z' } };
}

function committing(repository: TestRepository, ...records: MemoryRecord[]): void {
  for (const one of records) drop(repository, one);
  repository.git('add', '.memory');
  repository.git('commit', '--quiet', '-m', 'memory');
}

/** Does something on another branch and comes back. */
function aside(repository: TestRepository, branch: string, work: () => void): void {
  repository.git('switch', '--quiet', '-c', branch);
  work();
  repository.git('switch', '--quiet', 'main');
}

/** Each place where a record can be and this checkout not have it. */
const PLACES: Record<string, [from: string | RegExp, hide: (repository: TestRepository) => void]> = {
  'an unmerged branch': [
    'branch feature/x',
    (repository) => aside(repository, 'feature/x', () => committing(repository, record(A))),
  ],
  'a branch whose tip is a merge that added it': [
    'branch side',
    (repository) =>
      aside(repository, 'side', () => {
        repository.git('switch', '--quiet', '-c', 'other');
        repository.git('commit', '--quiet', '--allow-empty', '-m', 'other');
        repository.git('switch', '--quiet', 'side');
        repository.git('merge', '--quiet', '--no-ff', '--no-commit', 'other');
        committing(repository, record(A));
        repository.git('branch', '--quiet', '-D', 'other');
      }),
  ],
  'a deleted branch': [
    'reflog of HEAD',
    (repository) => {
      aside(repository, 'gone', () => committing(repository, record(A)));
      repository.git('branch', '--quiet', '-D', 'gone');
    },
  ],
  'the reflog of a branch that was reset': [
    /^reflog of (?:main|HEAD)$/,
    (repository) => {
      committing(repository, record(A));
      repository.git('reset', '--quiet', '--hard', 'HEAD~1');
    },
  ],
  'a dangling commit': [
    /^dangling commit [0-9a-f]{8}$/,
    (repository) => {
      aside(repository, 'gone', () => committing(repository, record(A)));
      repository.git('branch', '--quiet', '-D', 'gone');
      repository.git('reflog', 'expire', '--expire=all', '--all');
    },
  ],
  'a stash of tracked changes': [
    'stash@{1}',
    (repository) => {
      drop(repository, record(A));
      repository.git('add', '.');
      repository.git('stash', '--quiet');
      repository.write('a.txt', 'x\n');
      repository.git('stash', '--quiet');
    },
  ],
  'a stash of untracked files': [
    'stash@{0}',
    (repository) => {
      drop(repository, record(A));
      repository.git('stash', '--quiet', '--include-untracked');
    },
  ],
  'a dropped stash': [
    /^dangling commit/,
    (repository) => {
      drop(repository, record(A));
      repository.git('stash', '--quiet', '--include-untracked');
      repository.git('stash', 'drop', '--quiet');
    },
  ],
  'another worktree, uncommitted': [
    'worktree ../linked',
    (repository) => {
      const root = join(repository.folder, 'linked');
      repository.git('worktree', 'add', '--quiet', '-b', 'side', root);
      drop({ ...repository, root }, record(A));
    },
  ],
  'a remote-tracking branch': [
    'branch origin/theirs',
    (repository) => {
      const root = join(repository.folder, 'theirs');
      repository.git('clone', '--quiet', '.', root);
      const theirs = { ...repository, root, git: (...args: string[]) => repository.git('-C', root, ...args) };
      theirs.git('switch', '--quiet', '-c', 'theirs');
      committing(theirs, record(A));
      repository.git('remote', 'add', 'origin', root);
      repository.git('fetch', '--quiet', 'origin');
    },
  ],
  'a tag': [
    'tag v1',
    (repository) => {
      aside(repository, 'gone', () => {
        committing(repository, record(A));
        repository.git('tag', '-a', '-m', 'v1', 'v1');
      });
      repository.git('branch', '--quiet', '-D', 'gone');
    },
  ],
  'a branch without a common past, of odd settings': [
    'branch orphan',
    (repository) => {
      for (const setting of ['log.showSignature', 'log.showRoot', 'color.ui=always', 'diff.renames=copies']) {
        const [key = '', value = 'false'] = setting.split('=');
        repository.git('config', key, key === 'log.showSignature' ? 'true' : value);
      }
      repository.git('switch', '--quiet', '--orphan', 'orphan');
      committing(repository, record(A));
      repository.git('switch', '--quiet', 'main');
    },
  ],
};

describe('salvage', () => {
  const places = Object.keys(PLACES);
  it.each(places)('finds a record in %s, copies it byte for byte, and a second time finds nothing', async (place) => {
    const repository = committedBase();
    const [from, hide] = PLACES[place] ?? ['', () => {}];
    hide(repository);
    const before = repository.git('status', '--porcelain');
    const expected = { id: A, kind: 'observation', title: `Record ${A}`, own: false };
    const dry = await salvage(repository, '--dry-run');
    expect(dry.found).toMatchObject([expected]);
    expect(dry.found[0]?.from).toMatch(from);
    expect(dry.copied).toEqual([]);
    expect(repository.git('status', '--porcelain')).toBe(before);

    expect(await salvage(repository)).toMatchObject({ found: [expected], copied: [A], skipped: [], notes: [] });
    const [copy] = (await readEverything(openWorkspace(repository.root, repository.env))).records;
    expect(copy).toMatchObject({ record: { id: A }, trust: 'unreviewed' });
    expect(await salvage(repository)).toEqual({ found: [], copied: [], skipped: [], notes: [] });
  });

  it('finds nothing in a repository without a commit, and says so', async ({ repository }) => {
    rmSync(join(repository.root, '.git'), { recursive: true });
    repository.git('init', '--quiet');
    expect(await salvage(repository)).toEqual({ found: [], copied: [], skipped: [], notes: [] });
  });

  it('trusts what this clone wrote itself, and nothing else', async ({ repository }) => {
    aside(repository, 'side', () => {
      put(repository, record(A));
      committing(repository, record('aaaaaaaaa2'));
    });
    const ledger = () => readLedgers(openWorkspace(repository.root, repository.env)).size;
    const size = ledger();
    const { found } = await salvage(repository);
    expect(found.map(({ id, own }) => [id, own]).sort()).toEqual([
      [A, true],
      ['aaaaaaaaa2', false],
    ]);
    expect(ledger()).toBe(size);
    const { records } = await readEverything(openWorkspace(repository.root, repository.env));
    expect(Object.fromEntries(records.map(({ record: { id }, trust }) => [id, trust]))).toEqual({
      [A]: 'own',
      aaaaaaaaa2: 'unreviewed',
    });
  });

  it('leaves alone what this branch deleted, and what another branch deleted from itself', async ({ repository }) => {
    committing(repository, record(A));
    repository.git('rm', '--quiet', '-r', '.memory');
    repository.git('commit', '--quiet', '-m', 'deleted');
    aside(repository, 'side', () => {
      committing(repository, record('aaaaaaaaa2'), record('aaaaaaaaa3'));
      repository.git('branch', 'kept');
      repository.git('rm', '--quiet', `.memory/${storePath(record('aaaaaaaaa2'))}`);
      repository.git('commit', '--quiet', '-m', 'deleted');
    });
    repository.git('branch', 'copy', 'side');
    const ids = async () => (await salvage(repository, '--dry-run')).found.map(({ id }) => id).sort();
    // One branch still has it.
    expect(await ids()).toEqual(['aaaaaaaaa2', 'aaaaaaaaa3']);
    repository.git('branch', '--quiet', '-D', 'kept');
    expect(await ids()).toEqual(['aaaaaaaaa3']);
  });

  it('leaves alone what arrived in a squash and was deleted since, although its branch still has it', async () => {
    const repository = committedBase();
    aside(repository, 'side', () => committing(repository, record(A)));
    repository.git('merge', '--quiet', '--squash', 'side');
    repository.git('commit', '--quiet', '-m', 'squashed');
    repository.git('rm', '--quiet', '-r', '.memory');
    repository.git('commit', '--quiet', '-m', 'deleted');
    expect((await salvage(repository)).found).toEqual([]);
  });

  it('copies marks along with their target records, and no other marks', async ({ repository }) => {
    committing(repository, record('hhhhhhhhh1'));
    const [retire, undo] = [marked('retire', [A], 'mmmmmmmmm1'), marked('undo', ['mmmmmmmmm1'], 'mmmmmmmmm2')];
    aside(repository, 'side', () =>
      committing(repository, record(A), retire, undo, marked('retire', ['hhhhhhhhh1'], 'mmmmmmmmm3')),
    );
    const { copied } = await salvage(repository);
    expect(copied.sort()).toEqual([A, 'mmmmmmmmm1', 'mmmmmmmmm2']);
    expect((await salvage(repository, 'mmmmmmmmm3')).copied).toEqual(['mmmmmmmmm3']);
  });

  it('never restores redacted records, whether redacted here or there, nor records with a secret', async () => {
    const repository = committedBase();
    committing(repository, marked('redact', ['aaaaaaaaa2'], 'mmmmmmmmm1'));
    const secret = `gh${'p_'}${'a1B2'.repeat(9)}`;
    aside(repository, 'side', () =>
      committing(
        repository,
        ...[record(A), marked('redact', [A], 'mmmmmmmmm2'), record('aaaaaaaaa2')],
        observationOf({ id: 'aaaaaaaaa3', narrative: `It is ${secret}.` }),
      ),
    );
    const { found, skipped } = await salvage(repository);
    expect(found).toEqual([]);
    expect(skipped.map(({ id, reason }) => [id, reason]).sort()).toEqual([
      [A, 'redacted'],
      ['aaaaaaaaa2', 'redacted'],
      ['aaaaaaaaa3', 'secret'],
    ]);
    expect(existsSync(join(repository.root, '.memory/observations'))).toBe(false);
  });

  it('takes the newest version of an edited record, or an older one where that does not parse', async () => {
    const repository = committedBase();
    const paths: string[] = [];
    aside(repository, 'side', () => {
      committing(repository, record(A, 'First'), record('aaaaaaaaa2', 'Sound'));
      for (const [id, title] of [
        [A, 'First'],
        ['aaaaaaaaa2', 'Sound'],
      ] as const) {
        const path = `.memory/${storePath(record(id, title))}`;
        const text = readFileSync(join(repository.root, path), 'utf8');
        repository.write(path, title === 'First' ? text.replace('"First"', '"Second"') : 'no record');
        paths.push(path);
      }
      repository.git('commit', '--quiet', '-am', 'edited');
    });
    const { found } = await salvage(repository);
    expect(found.map(({ title }) => title).sort()).toEqual(['Second', 'Sound']);
    expect(paths.every((path) => existsSync(join(repository.root, path)))).toBe(true);
  });

  it('takes no files from odd places, no links, and no record under another name', async ({ repository }) => {
    aside(repository, 'side', () => {
      const path = join(repository.root, drop(repository, record(A)));
      const text = readFileSync(path, 'utf8');
      rmSync(path);
      const file = '20261120T200501Z-x-aaaaaaaaa9.md';
      for (const place of ['prompts/2026-11', 'observations', 'observations/2026-11/deep', 'summaries/2026-11']) {
        repository.write(`.memory/${place}/${file}`, text);
      }
      repository.write(`.memory/observations/2026-11/${file}`, text);
      execFileSync('ln', [
        '-s',
        '/etc/passwd',
        join(repository.root, '.memory/observations/2026-11/20261120T200501Z-l-aaaaaaaaa8.md'),
      ]);
      repository.commit('odd');
    });
    expect(await salvage(repository)).toMatchObject({
      found: [],
      skipped: [{ id: 'aaaaaaaaa9', reason: 'unreadable' }],
    });
  });

  it('copies only the requested records', async ({ repository }) => {
    aside(repository, 'one', () => committing(repository, record(A), summaryOf({ id: 'bbbbbbbbb1' })));
    aside(repository, 'two', () => committing(repository, record('ccccccccc1')));
    expect((await salvage(repository, 'BBBB')).copied).toEqual(['bbbbbbbbb1']);
  });

  it('shows where each record was and that it is not trusted, without escape sequences', async ({ repository }) => {
    const root = join(repository.folder, 'li\u001b[31mnked');
    repository.git('worktree', 'add', '--quiet', '-b', 'side', root);
    mkdirSync(join(root, '.memory'));
    writeFileSync(join(root, '.memory/x'), '');
    drop({ ...repository, root }, record(A, 'Title'));
    const { stdout, stderr, code } = await gitMem(repository, ['salvage']);
    expect(code).toBe(0);
    expect(stdout).toBe(`${A} discovery Title  [worktree ../linked]\n`);
    expect(stderr).toContain('brings it into your next commit.\nNot written by this clone: 1 of them');
    const again = await gitMem(repository, ['salvage']);
    expect(again).toMatchObject({ stdout: '', stderr: expect.stringContaining('Nothing to bring back') });
  });
});

describe('a reverted record', () => {
  /** A branch with work and its record, merged and then reverted as git does it. */
  function reverted(): TestRepository {
    const repository = committedBase();
    aside(repository, 'feature/x', () => {
      repository.write('src/queue.ts', 'export const bounded = true;\n');
      repository.commit('queue: bound it');
      committing(repository, record(A, 'The queue is bounded by ten rows'));
    });
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'meanwhile');
    repository.git('merge', '--quiet', '--no-ff', '-m', 'Merge feature/x', 'feature/x');
    repository.git('branch', '--quiet', '-D', 'feature/x');
    repository.git('revert', '--no-edit', '-m', '1', 'HEAD');
    return repository;
  }

  it('is offered, and why says by what it was reverted once it is here again', async () => {
    const repository = reverted();
    const revert = repository.git('rev-parse', 'HEAD').trim();
    const { found, copied } = await salvage(repository);
    expect(found).toMatchObject([{ id: A, from: `reverted by ${revert.slice(0, 8)}: Revert "Merge feature/x"` }]);
    expect(copied).toEqual([A]);
    const story = await gitMem(repository, ['why', A, '--json']);
    expect(JSON.parse(story.stdout)).toMatchObject({ reverted_by: { commit: revert } });
    expect((await gitMem(repository, ['list'])).stdout).toMatch(/The queue is bounded/);
  });

  it('is not offered once the revert is reverted', async () => {
    const repository = reverted();
    repository.git('revert', '--no-edit', 'HEAD');
    expect((await salvage(repository)).found).toEqual([]);
    const { stdout } = await gitMem(repository, ['why', A, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ reverted_by: null });
  });

  it('stays away where it was deleted for good', async ({ repository }) => {
    committing(repository, record(A));
    repository.git('rm', '--quiet', '-r', '.memory/observations');
    repository.git('commit', '--quiet', '-m', 'take it out');
    expect((await salvage(repository)).found).toEqual([]);
  });
});
