import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { gitMem } from '../support/command-line.ts';
import { committedBase } from '../support/git-states.ts';
import type { TestRepository } from '../support/repository.ts';
import { SEED, trials } from '../support/trials.ts';
import { observationOf, put } from '../support/written-records.ts';

/** What agents and people do to a checkout; what git refuses changes nothing. */
const ACTS: Record<string, (repository: TestRepository, n: number) => void> = {
  // A commit that deletes records would say that they are to go.
  commit: ({ git }, n) => git('add', '--ignore-removal', '.') + git('commit', '--quiet', '--no-verify', '-m', `c${n}`),
  'commit of other files': ({ git, write }, n) => {
    write(`f${n}.txt`, `${n}\n`);
    git('add', `f${n}.txt`);
    git('commit', '--quiet', '--no-verify', '-m', `f${n}`);
  },
  clean: ({ git }) => git('clean', '-fdq'),
  'clean with what is ignored': ({ git }) => git('clean', '-fdxq'),
  'reset of the index': ({ git }) => git('reset', '--quiet'),
  'hard reset': ({ git }) => git('reset', '--quiet', '--hard'),
  'hard reset to before': ({ git }) => git('reset', '--quiet', '--hard', 'HEAD~1'),
  'a forced checkout': ({ git }) => git('checkout', '--quiet', '--force', 'main'),
  'a new branch': ({ git }, n) => git('switch', '--quiet', '-c', `b${n}`),
  'the end of a branch': ({ git }) => {
    const branch = git('rev-parse', '--abbrev-ref', 'HEAD').trim();
    git('checkout', '--quiet', '--force', 'main');
    if (branch !== 'main') git('branch', '--quiet', '-D', branch);
  },
  'a dropped stash': ({ git }) => git('stash', '--quiet', '--include-untracked') + git('stash', 'drop', '--quiet'),
  'a stash': ({ git }) => git('stash', '--quiet', '--include-untracked'),
  rebase: ({ git }) => git('rebase', '--quiet', 'main'),
  'rm of a folder': ({ root }) => rmSync(join(root, '.memory/observations'), { recursive: true, force: true }),
  'rm of the memory': ({ root }) => rmSync(join(root, '.memory'), { recursive: true, force: true }),
};

it('law: no act on a checkout loses a record that nobody retired or redacted', async () => {
  const [act, gap] = [fc.constantFrom(...Object.keys(ACTS)), fc.integer({ min: 1, max: 4 })];
  const histories = fc.sample(fc.array(fc.record({ act, gap }), { minLength: 40, maxLength: 40 }), {
    numRuns: trials(25),
    seed: SEED,
  });
  for (const history of histories) {
    const repository = committedBase();
    const saved: string[] = [];
    const done: string[] = [];
    history.forEach(({ act: name, gap: every }, n) => {
      if (n % every === 0) {
        const id = `aaaaaaa${String(n).padStart(3, '0')}`;
        put(repository, observationOf({ id, title: `Record ${n}` }));
        saved.push(id);
      }
      try {
        ACTS[name]?.(repository, n);
        done.push(name);
      } catch {
        done.push(`${name}: refused`);
      }
    });
    expect((await gitMem(repository, ['salvage', '--apply'])).code).toBe(0);
    const here = openWorkspace(repository.root, repository.env).stores.team.ids();
    // What HEAD has is one `git restore` away.
    const head = repository.git('ls-tree', '-r', '--name-only', 'HEAD');
    const lost = saved.filter((id) => !here.includes(id) && !head.includes(id));
    expect({ done, lost }).toEqual({ done, lost: [] });
  }
});

it('nor does the end of the worktree in which it was saved', async () => {
  const repository = committedBase();
  const root = join(repository.folder, 'side');
  repository.git('worktree', 'add', '--quiet', '-b', 'side', root);
  put({ ...repository, root }, observationOf({ id: 'aaaaaaaaa1' }));
  repository.git('worktree', 'remove', '--force', root);
  const { stdout } = await gitMem(repository, ['salvage', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ copied: ['aaaaaaaaa1'], found: [{ from: 'this clone', own: true }] });
});
