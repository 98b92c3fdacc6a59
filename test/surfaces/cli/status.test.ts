import { describe, expect } from 'vitest';
import { idOf } from '../../../src/memory/id.ts';
import { gitMem } from '../../support/command-line.ts';
import { hookedSession } from '../../support/hooked-session.ts';
import { it } from '../../support/with-repository.ts';
import { drop, observationOf } from '../../support/written-records.ts';
import { filled } from './three-records.ts';

describe('git mem status and drain', () => {
  it('count pending events and records', async () => {
    const repository = filled();
    drop(repository, observationOf({ id: idOf('stranger') }));
    hookedSession(repository.root).work('p1', 40);
    const status = JSON.parse((await gitMem(repository, ['status', '--json'])).stdout);
    expect(status).toMatchObject({
      pending_events: 5,
      last_event: { 'claude-code': expect.stringMatching(/^20\d\d-.*Z$/) },
      failed_events: 0,
      records: { team: 3, private: 1 },
      unreviewed: 1,
      uncommitted: { records: 3, other_branch: 1 },
      draining: false,
    });
    expect(status).toHaveProperty('cache');
    expect((await gitMem(repository, ['status'])).stdout).toMatch(
      /^Records {2}3 team, 1 private, 1 unreviewed\n {9}3 records are not committed; 1 of them belongs to another branch, and waits for a commit there or your `git add`\.\nEvents {3}5 waiting\n/,
    );

    const drained = JSON.parse((await gitMem(repository, ['drain', '--all', '--json'])).stdout);
    expect(drained).toEqual({
      events: 5,
      written: [],
      pending: 0,
      failed: 0,
    });
    expect(JSON.parse((await gitMem(repository, ['status', '--json'])).stdout)).toMatchObject({
      pending_events: 0,
      // Without a model nobody wrote a record; a prompt and a digest are none.
      records: { team: 3, private: 1 },
    });
  });

  it('say that a checkout is not set up, as list does', async ({ repository }) => {
    const words = 'This checkout is not set up: run `git mem init`.\n';
    expect((await gitMem(repository, ['status'])).stdout).toMatch(new RegExp(`^${words}Records {2}0 team`));
    expect((await gitMem(repository, ['list'])).stderr).toBe(`There are no records yet. ${words}`);
    await gitMem(repository, ['init', '--yes']);
    expect((await gitMem(repository, ['status'])).stdout).toMatch(/^Records/);
    expect((await gitMem(repository, ['list'])).stderr).toContain('git mem bootstrap');
  });

  it('are silent on stdout where nobody reads it', async () => {
    const repository = filled();
    hookedSession(repository.root).work('p1', 40);
    expect(await gitMem(repository, ['drain'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
