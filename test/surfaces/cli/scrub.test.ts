import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWorkspace } from '../../../src/memory/store/workspace.ts';
import { planOf } from '../../../src/review/scrub/plan.ts';
import { findTraces } from '../../../src/review/scrub/traces.ts';
import { gitMem } from '../../support/command-line.ts';
import { HAS_FILTER_REPO } from '../../support/filter-repo.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { observationOf, put } from '../../support/written-records.ts';

const SENTENCE = 'The customer behind the outage is Wintergreen Limited.';
const RECORD = observationOf({ id: 'k3v9x2qd7m', title: 'A customer was hit', narrative: SENTENCE });
const OTHER = observationOf({ id: '7h2c9d4e1f', title: 'The queue is bounded' });

interface Scrubbed {
  ok: boolean;
  ids: string[];
  blobs: { blob: string; id: string; paths: string[] }[];
  holders: { kind: string; name: string }[];
  files: string[];
  own: string[];
  commits: string[];
  tags: string[];
  personal: string[];
  elsewhere: { copies: string[]; blobs: { blob: string; paths: string[]; isPage?: true }[] };
  plan: { about: string; commands: string[] }[];
}

describe('git mem scrub', () => {
  const ways = [true, false].map((hasFilterRepo) => ({ hasFilterRepo, isMissing: hasFilterRepo && !HAS_FILTER_REPO }));
  for (const { hasFilterRepo, isMissing } of ways)
    it.skipIf(isMissing)(
      `finds it in messages and in the personal store${hasFilterRepo ? ', with git-filter-repo' : ''}`,
      async () => {
        const { repository, path } = committed();
        const { root, env, git } = repository;
        const head = () => git('rev-parse', 'HEAD').trim();
        git('commit', '--quiet', '--allow-empty', '-m', `Explain: ${SENTENCE.toLowerCase()}`);
        const commits = [head()];
        git('tag', '--annotate', '-m', `As we know, ${SENTENCE}`, 'v1');
        repository.write('a.txt', 'in a stash\n');
        git('stash', '--quiet', '--message', SENTENCE);
        // The subject of what it was made on is in its second parent.
        commits.push(git('rev-parse', 'refs/stash').trim(), git('rev-parse', 'refs/stash^2').trim());
        git('commit', '--quiet', '--allow-empty', '-m', 'The customer behind the outage is known');
        await gitMem(repository, ['personal', 'init']);
        const inPersonal = (...args: string[]) =>
          git('-C', join(env.HOME ?? '', '.local/share/git-mem/personal'), ...args);
        const { id } = JSON.parse(
          (await gitMem(repository, ['add', '--personal', '--title', SENTENCE, '--json'])).stdout,
        );
        const [file = ''] = inPersonal('ls-files', '--others', '.memory').trim().split('\n');
        const personal = join(env.HOME ?? '', '.local/share/git-mem/personal', file);
        await gitMem(repository, ['redact', 'k3v9']);
        // Without its file, the mark's hashes alone show which words are meant.
        git('rm', '--quiet', '--cached', path);
        git('commit', '--quiet', '-m', 'without it');
        spawnSync('rm', [join(root, path)]);
        repository.write('.git/COMMIT_EDITMSG', `${SENTENCE}\n`);

        const { code, result } = await scrub(repository, '--verify');
        expect({ code, found: [...result.commits].sort(), tags: result.tags }).toEqual({
          code: 1,
          found: commits.sort(),
          tags: ['refs/tags/v1'],
        });
        expect(result.own).toEqual([join(root, '.git/COMMIT_EDITMSG')]);
        expect(result.personal).toEqual([personal]);
        expect(result.holders).toContainEqual({ kind: 'stash', name: 'refs/stash' });

        const { layout } = openWorkspace(root, env);
        const traces = await findTraces(openWorkspace(root, env), [RECORD.id]);
        const places = { places: layout, hasFilterRepo, elsewhere: { copies: [], blobs: [] } };
        follow(repository, planOf(traces, [RECORD.id], places).slice(0, -1));
        const after = await scrub(repository, '--verify');
        expect(after.result).toMatchObject({
          blobs: [],
          holders: [],
          own: [],
          commits: [],
          tags: [],
          personal: [personal],
        });
        expect(git('log', '--format=%s')).toContain('The customer behind the outage is known');

        spawnSync('rm', [personal]);
        expect((await scrub(repository, '--verify')).result.personal).toEqual([]);
        inPersonal('add', '.');
        writeFileSync(personal, `---\nid: ${id}\ntitle: ${SENTENCE}\n---\n`);
        inPersonal('add', '--all');
        inPersonal('commit', '--quiet', '-m', 'all');
        spawnSync('rm', [personal]);
        const blob = inPersonal('rev-parse', `HEAD:${file}`).trim();
        expect((await scrub(repository, '--verify')).result.personal).toEqual([`${blob}  ${file}`]);
        inPersonal('update-ref', '-d', 'HEAD');
        inPersonal('reflog', 'expire', '--expire=now', '--all');
        expect((await gitMem(repository, ['scrub', '--verify'])).stdout).toContain('Nothing is left');
      },
      60_000,
    );

  it.skipIf(!HAS_FILTER_REPO)(
    'is followed to its end in a clone, with pages, notes and what is reviewed',
    async () => {
      const { repository, path } = committed();
      const [remote, root] = [join(repository.folder, 'remote.git'), join(repository.folder, 'clone')];
      await gitMem(repository, ['site', '--out', join(repository.root, 'public')]);
      repository.commit('page');
      repository.git('commit', '--quiet', '--allow-empty', '-m', `why: ${SENTENCE}`);
      repository.git('tag', '--annotate', '-m', SENTENCE, 'v1');
      repository.git('clone', '--quiet', '--bare', repository.root, remote);
      repository.git('clone', '--quiet', remote, root);
      const clone: TestRepository = { ...createRepository('other'), root, env: { ...repository.env } };
      delete clone.env.GIT_MEM_TRUST_BRANCH;
      const git = (...args: string[]) => spawnSync('git', args, { cwd: root, env: clone.env, encoding: 'utf8' }).stdout;
      put(clone, { ...RECORD, id: 'pr1vate123' }, 'private');
      await gitMem(clone, ['drain', '--wait']);
      await gitMem(clone, ['search', 'outage']);
      await gitMem(clone, ['redact', 'k3v9', '--reason', 'Names a customer.']);
      git('add', '.memory');
      git('commit', '--quiet', '-m', 'redacted');
      await gitMem(clone, ['site', '--out', join(root, 'public')]);
      git('commit', '--quiet', '-am', 'page without it');
      const { result } = await scrub(clone);
      expect(result.elsewhere.blobs).toMatchObject([{ paths: ['public/index.html'], isPage: true }]);
      follow(clone, result.plan);

      const after = await gitMem(clone, ['scrub', '--verify']);
      expect([after.stdout, after.code]).toEqual([expect.stringContaining('Nothing is left'), 0]);
      const { records } = JSON.parse((await gitMem(clone, ['list', '--json'])).stdout);
      expect(records).toMatchObject([{ title: OTHER.title, trust: 'reviewed' }]);
      expect(readdirSync(join(root, '.memory'), { recursive: true })).not.toContain(path.slice('.memory/'.length));
      const state = join(root, '.git/git-mem');
      for (const file of readdirSync(state, { recursive: true, encoding: 'utf8' }).map((name) => join(state, name))) {
        const stat = statSync(file);
        expect(stat.mode & 0o077, file).toBe(0);
        if (stat.isFile()) expect(readFileSync(file, 'latin1'), file).not.toMatch(/wintergreen|a-customer-was-hit/i);
      }
      for (const where of [root, remote]) {
        const all = 'git gc --prune=now -q; git cat-file --batch-all-objects --batch --buffer';
        expect(spawnSync('sh', ['-c', all], { cwd: where, encoding: 'latin1' }).stdout).not.toContain('Wintergreen');
        expect(
          spawnSync('git', ['cat-file', '-e', result.elsewhere.blobs[0]?.blob ?? ''], { cwd: where }).status,
        ).not.toBe(0);
      }
    },
    120_000,
  );
});

/** A repository whose main branch has the record and another one. */
function committed(): { repository: TestRepository; path: string } {
  const repository = createRepository();
  repository.write('a.txt', 'a\n');
  const path = put(repository, RECORD);
  put(repository, OTHER);
  repository.commit('first');
  return { repository, path };
}

async function scrub(repository: TestRepository, ...args: string[]): Promise<{ code: number; result: Scrubbed }> {
  const { code, stdout } = await gitMem(repository, ['scrub', '--json', ...args]);
  return { code, result: JSON.parse(stdout) };
}

/** Runs the commands of a plan as they are printed. */
function follow({ root, env }: TestRepository, plan: Scrubbed['plan']): void {
  for (const command of plan.flatMap(({ commands }) => commands)) {
    const { status, stderr } = spawnSync('sh', ['-c', command], { cwd: root, env, encoding: 'utf8' });
    expect({ command, status, stderr: status === 0 ? '' : stderr }).toEqual({ command, status: 0, stderr: '' });
  }
}
