import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Observation } from '../../../src/memory/record.ts';
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
  it('says so when nothing is redacted', async () => {
    const repository = createRepository();
    expect(await gitMem(repository, ['scrub'])).toEqual({ code: 0, stdout: 'Nothing is redacted.\n', stderr: '' });
  });

  it('refuses a record that is not redacted', async () => {
    const { repository } = committed();
    const { code, stdout, stderr } = await gitMem(repository, ['scrub', 'k3v9']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('git mem redact k3v9');
  });

  it('finds every version of the record’s file, and what holds it', async () => {
    const { repository, path } = committed();
    // An edit on a branch, one in a stash, one in the index, one on a detached head of another working tree.
    repository.git('switch', '--quiet', '-c', 'other');
    edit(repository, path, 'on a branch');
    repository.git('commit', '--quiet', '-am', 'edited');
    repository.git('tag', 'v1');
    edit(repository, path, 'in a stash');
    repository.git('stash', '--quiet');
    const beside = join(repository.folder, 'a tree beside');
    repository.git('worktree', 'add', '--quiet', '--detach', beside, 'main');
    repository.git('switch', '--quiet', 'main');
    edit(repository, path, 'in the index');
    repository.git('add', path);
    await gitMem(repository, ['redact', 'k3v9']);

    const { code, result } = await scrub(repository);
    expect(code).toBe(1);
    expect(result.blobs).toHaveLength(4);
    expect(result.blobs.every(({ id, paths }) => id === RECORD.id && paths.join() === path)).toBe(true);
    const names = result.holders.map(({ kind, name }) => `${kind} ${name}`);
    expect(names.sort()).toEqual(
      [
        'ref refs/heads/main',
        'ref refs/heads/other',
        'ref refs/tags/v1',
        `head ${beside}`,
        `index ${repository.root}`,
        `index ${beside}`,
        'stash refs/stash',
        'reflog reflogs',
      ].sort(),
    );
    expect(result.files).toEqual([join(repository.root, path), join(beside, path)]);
  });

  it('finds what only the reflog or only an index reaches', async () => {
    const { repository, path } = committed();
    repository.git('rm', '--quiet', '--cached', path);
    repository.git('commit', '--quiet', '--amend', '-m', 'without it');
    await gitMem(repository, ['redact', 'k3v9']);
    const logged = await scrub(repository, '--verify');
    expect(logged.result.holders).toEqual([{ kind: 'reflog', name: 'reflogs' }]);
    expect({ code: logged.code, plan: logged.result.plan }).toEqual({ code: 1, plan: [] });

    repository.git('reflog', 'expire', '--expire=now', '--all');
    expect((await scrub(repository)).result.blobs).toEqual([]);
    repository.git('add', path);
    const indexed = await scrub(repository);
    expect(indexed.result.holders).toEqual([{ kind: 'index', name: repository.root }]);
    expect(indexed.result.plan.flatMap(({ commands }) => commands).join('\n')).not.toContain('filter-');
  });

  it('plans how to remove it from branches, tags, stashes, other working trees and the remote', async () => {
    const { repository, path } = committed();
    const remote = join(repository.folder, 'remote.git');
    repository.git('init', '--quiet', '--bare', remote);
    repository.git('remote', 'add', 'origin', remote);
    repository.git('switch', '--quiet', '-c', "gone's-$(here)");
    edit(repository, path, 'on a branch that only the remote has');
    repository.git('commit', '--quiet', '-am', 'edited');
    repository.git('tag', '-a', 'v1', '-m', 'signed off');
    repository.git('push', '--quiet', '--all', 'origin');
    repository.git('push', '--quiet', '--tags', 'origin');
    repository.git('switch', '--quiet', 'main');
    repository.git('branch', '--quiet', '-D', "gone's-$(here)");
    const beside = join(repository.folder, "someone's tree");
    repository.git('worktree', 'add', '--quiet', '-b', 'beside', beside);
    edit(repository, path, 'in a stash');
    repository.git('stash', '--quiet');
    await gitMem(repository, ['redact', 'k3v9', '--reason', 'Names a customer.']);
    // The same bytes under another name.
    repository.git('mv', path, 'kept elsewhere.md');
    repository.git('commit', '--quiet', '-m', 'moved');
    repository.git('add', '.memory');
    repository.git('commit', '--quiet', '-m', 'redacted');

    const before = await scrub(repository);
    expect(before.code).toBe(1);
    const printed = await gitMem(repository, ['scrub', 'k3v9']);
    for (const { commands } of before.result.plan) for (const one of commands) expect(printed.stdout).toContain(one);
    follow(repository, before.result.plan);

    const after = await gitMem(repository, ['scrub', 'k3v9']);
    expect(after.code).toBe(0);
    expect(after.stdout).toContain(`Nothing is left of ${RECORD.id}`);
    for (const root of [repository.root, remote]) {
      const objects = spawnSync(
        'sh',
        ['-c', 'git gc --prune=now -q; git cat-file --batch-all-objects --batch --buffer'],
        { cwd: root, env: repository.env, encoding: 'latin1' },
      ).stdout;
      expect(objects).toContain(OTHER.title);
      expect(objects.includes('Wintergreen'), root).toBe(false);
    }
    expect(repository.git('status', '--porcelain')).toBe('');
    expect(
      spawnSync('git', ['status', '--porcelain'], { cwd: beside, env: repository.env, encoding: 'utf8' }).stdout,
    ).toBe('');
    expect(existsSync(join(beside, path))).toBe(false);
    // The mark stays, and still keeps the text out.
    expect((await gitMem(repository, ['add', '--title', SENTENCE])).code).toBe(1);
  }, 120_000);

  it('names every other file that contains the words, on this machine and in the history', async () => {
    const { repository } = committed();
    repository.write('NOTES.md', `Known.\n\n- ${SENTENCE}\n`);
    repository.commit('notes');
    const blob = repository.git('rev-parse', 'HEAD:NOTES.md').trim();
    repository.write('NOTES.md', 'Known.\n');
    repository.git('commit', '--quiet', '-am', 'taken out');
    repository.write('export.jsonl', JSON.stringify({ text: `"Why?" ${SENTENCE}` }));
    repository.write('.git/git-mem/sessions/one.json', JSON.stringify({ reply: SENTENCE }));
    await gitMem(repository, ['redact', 'k3v9']);
    const { result } = await scrub(repository);
    expect(result.elsewhere.blobs).toEqual([{ blob, paths: ['NOTES.md'] }]);
    const [draft, exported] = ['.git/git-mem/sessions/one.json', 'export.jsonl'].map((p) => join(repository.root, p));
    expect(result.elsewhere.copies).toEqual([draft, exported]);
    const printed = (await gitMem(repository, ['scrub'])).stdout;
    for (const name of [blob, draft, exported]) expect(printed).toContain(name);
    follow(repository, result.plan);
    expect(existsSync(draft ?? '')).toBe(false);
    expect((await gitMem(repository, ['scrub'])).code).toBe(0);
  });

  it('removes a private record from the private store', async () => {
    const repository = createRepository();
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'first');
    put(repository, RECORD, 'private');
    await gitMem(repository, ['redact', 'k3v9']);
    const { code, result } = await scrub(repository);
    expect({ code, blobs: result.blobs, files: result.files.length }).toEqual({ code: 1, blobs: [], files: 1 });
    follow(repository, result.plan);
    expect((await gitMem(repository, ['scrub'])).code).toBe(0);
  });

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

  it('finds what a session said again, by the mark alone', async () => {
    const { repository, path } = committed();
    await gitMem(repository, ['redact', 'k3v9']);
    repository.git('rm', '--quiet', '--cached', path);
    repository.git('commit', '--quiet', '--amend', '-m', 'gone');
    spawnSync('rm', [join(repository.root, path)]);
    repository.git('reflog', 'expire', '--expire=now', '--all');
    expect((await gitMem(repository, ['scrub', '--verify'])).code).toBe(0);
    const draft = '.git/git-mem/sessions/one.json';
    repository.write(draft, JSON.stringify({ lines: [{ answer: `As said: ${SENTENCE}` }] }));
    const { result } = await scrub(repository);
    expect(result.own).toEqual([join(repository.root, draft)]);
    follow(repository, result.plan);
    expect(existsSync(join(repository.root, draft))).toBe(false);
  });

  it('does not let an unreviewed mark name what should go', async () => {
    const { repository } = committed();
    await gitMem(repository, ['redact', 'k3v9']);
    repository.git('add', '.memory');
    const ledger = join(repository.root, '.git/git-mem/own');
    spawnSync('rm', [ledger]);
    expect((await gitMem(repository, ['scrub'])).stdout).toBe('Nothing is redacted.\n');
  });

  it('fails where git cannot answer', async () => {
    const { repository } = committed();
    await gitMem(repository, ['redact', 'k3v9']);
    const tree = repository.git('rev-parse', 'HEAD^{tree}').trim();
    spawnSync('rm', ['-f', join(repository.root, '.git/objects', tree.slice(0, 2), tree.slice(2))]);
    const { code, stdout, stderr } = await gitMem(repository, ['scrub']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('failed');
  });
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

function edit(repository: TestRepository, path: string, where: string): void {
  const edited: Observation = { ...RECORD, narrative: `${SENTENCE} Said ${where}.` };
  repository.write(path, `---\nid: "${edited.id}"\ntitle: "${edited.title}"\n---\n\n${edited.narrative}\n`);
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
