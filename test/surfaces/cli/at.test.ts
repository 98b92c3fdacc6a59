import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blobId } from '../../../src/memory/id.ts';
import { gitMem } from '../../support/command-line.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { drop, observationOf, put } from '../../support/written-records.ts';

const older = observationOf({ id: 'k3v9x2qd7m', title: 'Sessions live in Redis', facts: ['No failover.'] });
const newer = observationOf({
  id: 'p8w2m4ta1c',
  title: 'Sessions live in Postgres',
  supersedes: ['k3v9x2qd7m'],
  generated: { by: 'test', at: '2026-11-21T09:00:00Z' },
});

/** Two commits: the older record, then the newer one, which supersedes it. */
function history(): TestRepository {
  const repository = createRepository();
  put(repository, older);
  repository.commit('first');
  put(repository, newer);
  repository.commit('second');
  return repository;
}

async function idsOf(repository: TestRepository, ...args: string[]): Promise<string[]> {
  const { stdout, stderr, code } = await gitMem(repository, [...args, '--json']);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  const answer = JSON.parse(stdout);
  return (answer.records ?? answer.hits ?? answer.items).map(({ id }: { id: string }) => id);
}

describe('--at', () => {
  it('lists, searches and exports what the team had in that commit', async () => {
    const repository = history();
    expect(await idsOf(repository, 'list')).toEqual([newer.id]);
    expect(await idsOf(repository, 'list', '--at', 'HEAD~1')).toEqual([older.id]);
    expect(await idsOf(repository, 'search', 'where do sessions live', '--at', 'HEAD~1')).toEqual([older.id]);
    expect(await idsOf(repository, 'timeline', 'k3v9', '--at', 'HEAD~1')).toEqual([older.id]);
    const { stdout } = await gitMem(repository, ['export', '--at', 'HEAD~1']);
    expect(stdout.trim().split('\n')).toHaveLength(1);
  });

  it('shows a record, its history, counts and a briefing as of that commit', async () => {
    const repository = history();
    expect(await idsOf(repository, 'show', 'k3v9', '--at', 'HEAD~1')).toEqual([older.id]);
    expect(await idsOf(repository, 'context', '--at', 'HEAD~1')).toEqual([older.id]);
    expect(await idsOf(repository, 'context')).toEqual([newer.id]);
    const answer = async (...args: string[]) => JSON.parse((await gitMem(repository, [...args, '--json'])).stdout);
    expect((await answer('why', 'k3v9', '--at', 'HEAD~1')).superseded_by).toEqual([]);
    expect((await answer('why', 'k3v9')).superseded_by).toMatchObject([{ id: newer.id }]);
    const { records } = await answer('stats', '--at', 'HEAD~1');
    expect(records).toMatchObject({ live: 1, hidden: 0 });
  });

  it('leaves out the private store, which has no history, and uncommitted records', async () => {
    const repository = history();
    put(repository, observationOf({ id: '7h2c9d4e1f', title: 'Mine alone' }), 'private');
    put(repository, observationOf({ id: '9h2c9d4e1f', title: 'Not committed' }));
    expect(await idsOf(repository, 'list', '--at', 'HEAD')).toEqual([newer.id]);
    expect(await idsOf(repository, 'list')).toContain('7h2c9d4e1f');
  });

  it('answers as of a branch without checking it out, and leaves the checkout’s cache alone', async () => {
    const repository = history();
    repository.git('branch', 'old', 'HEAD~1');
    expect(await idsOf(repository, 'search', 'sessions')).toEqual([newer.id]);
    expect(await idsOf(repository, 'search', 'sessions', '--at', 'old')).toEqual([older.id]);
    expect(await idsOf(repository, 'search', 'sessions')).toEqual([newer.id]);
  });

  it('judges freshness and trust as of that commit', async () => {
    const repository = createRepository();
    repository.write('src/session.ts', 'redis\n');
    const narrative = 'They are in `redis`.';
    const anchored = {
      ...older,
      narrative,
      files_modified: ['src/session.ts'],
      anchors: { 'src/session.ts': blobId('redis\n') },
    };
    drop(repository, anchored);
    repository.commit('first');
    repository.write('src/session.ts', 'postgres\n');
    repository.git('rm', '--quiet', '-r', '--cached', '.memory');
    rmSync(join(repository.root, '.memory'), { recursive: true });
    repository.git('add', 'src');
    repository.git('commit', '--quiet', '-m', 'second');
    drop(repository, anchored);
    const stateOf = async (...at: string[]) => {
      const { records } = JSON.parse((await gitMem(repository, ['list', ...at, '--json'])).stdout);
      return [records[0].freshness, records[0].trust];
    };
    expect(await stateOf()).toEqual(['touched', 'unreviewed']);
    expect(await stateOf('--at', 'HEAD~1')).toEqual(['fresh', 'reviewed']);
    // A stranger's branch is no review, whenever it is looked at.
    repository.git('checkout', '--quiet', '-b', 'stranger', 'HEAD~1', '--force');
    drop(repository, newer);
    repository.commit('strange');
    expect(await stateOf('--at', 'stranger')).toEqual(['unknown', 'unreviewed']);
  });

  it('is empty where the commit has no memory', async () => {
    const repository = createRepository();
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'empty');
    put(repository, older);
    expect(await idsOf(repository, 'list', '--at', 'HEAD')).toEqual([]);
  });

  it.each(['nowhere', '--all', 'HEAD:src', ''])('says that %j names no commit', async (revision) => {
    const { code, stderr } = await gitMem(history(), ['list', `--at=${revision}`]);
    expect(stderr).toContain('names no commit');
    expect(code).toBe(1);
  });
});
