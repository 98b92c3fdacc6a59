import { readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { decodeTurns } from '../../../src/memory/session-digest.ts';
import { digestsOf, drained, it, modelled, observations, promptsOf, state, summaries } from '../../support/drained.ts';
import { hookedSession } from '../../support/hooked-session.ts';

const MINUTE = 60_000;

describe('the summary of a session', () => {
  it('is written once, when the session ends', async ({ repository, session }) => {
    session.work('p1', 40);
    await drained(repository);
    expect(summaries(repository)).toEqual([]);
    session.end();
    await drained(repository);
    await drained(repository, { all: true });
    const [summary, ...more] = summaries(repository);
    expect(more).toEqual([]);
    expect(summary).toMatchObject({
      session: session.id,
      files_edited: ['src/limit.ts'],
      supersedes: [],
      prompt_number: 1,
    });
    for (const section of ['request', 'investigated', 'learned', 'completed', 'next_steps', 'notes'] as const) {
      expect(summary?.[section]).not.toBe('');
    }
  });

  it('is written when the session has been idle, and not while it goes on', async ({ repository }) => {
    const idle = hookedSession(repository.root, { id: 'idle', at: new Date(Date.now() - 31 * MINUTE) });
    idle.work('p1', 50);
    const busy = hookedSession(repository.root, { id: 'busy' });
    busy.work('p1', 60);
    await drained(repository);
    expect(summaries(repository).map(({ session }) => session)).toEqual(['idle']);
  });

  it('waits while a turn is still going on, however long ago the previous one was', async ({ repository }) => {
    const session = hookedSession(repository.root, { at: new Date(Date.now() - 60 * MINUTE) });
    session.work('p1', 40);
    const now = hookedSession(repository.root);
    now.prompt('p2', 'now a long one');
    await drained(repository);
    expect(promptsOf(repository)).toHaveLength(1);
    expect(summaries(repository)).toEqual([]);
  });

  it('replaces the previous one when a session is resumed', async ({ repository, session }) => {
    session.work('p1', 40);
    session.end();
    await drained(repository);
    session.report('SessionStart', { source: 'resume' });
    session.work('p2', 50);
    session.end();
    await drained(repository);
    const [first, second] = summaries(repository).sort((a, b) => a.supersedes.length - b.supersedes.length);
    expect(second?.supersedes).toEqual([first?.id]);
    expect(second?.learned).toContain('50');
  });

  it('repeats the previous one after a thank-you, and replaces it', async ({ repository, session }) => {
    session.work('p1', 40);
    session.end();
    await drained(repository);
    session.report('SessionStart', { source: 'resume' });
    session.prompt('p2', 'thanks');
    session.stop('p2', 'You are welcome.');
    session.end();
    await drained(repository, { all: true });
    const [first, second] = summaries(repository).sort((a, b) => a.supersedes.length - b.supersedes.length);
    expect(second?.supersedes).toEqual([first?.id]);
    expect(first?.learned).toContain('40');
    expect(second?.learned).toBe(first?.learned);
  });

  it('is left to the agent where it wrote one itself', async ({ repository, session }) => {
    session.work('p1', 40);
    session.prompt('p2', 'that is all for today');
    session.call('p2', 's1', 'mcp__git-mem__save_summary', { request: 'x' }, {});
    session.stop('p2', 'Saved.');
    session.end();
    await drained(repository);
    expect(observations(repository)).toHaveLength(1);
    expect(summaries(repository)).toEqual([]);
  });

  it('is only in the digest where the agent saved the turn itself', async ({ repository, session }) => {
    const file_path = join(repository.root, 'src/limit.ts');
    session.prompt('p1', 'the importer drops row 7, please find out why and fix it');
    session.failure('p1', 't1', 'npm test', 'not ok 1 - row 7 is kept');
    session.call('p1', 't2', 'Edit', { file_path, old_string: 'LIMIT = 10', new_string: 'LIMIT = 20' }, {});
    session.command('p1', 't3', 'npm test', 'ok 1');
    session.command('p1', 't4', 'git mem add --title "Batches were cut" --type bugfix');
    session.stop('p1', 'The importer cut every batch at `LIMIT`, which was 10; it is 20 now, so row 7 is kept.');
    session.end();
    await drained(repository);
    expect(observations(repository)).toEqual([]);
    expect(digestsOf(repository)[0]?.request).toContain('cut every batch');
  });

  it.each([1, 2, 4].flatMap((n) => [true, false].map((ids) => [n, ids] as const)))(
    'loses and doubles nothing where the clock is set back by a month after event %i, prompt ids: %s',
    async (before, hasIds) => {
      const repository = await modelled();
      const session = hookedSession(repository.root, { at: new Date(Date.now() - MINUTE) });
      const reported = session.report;
      session.report = (event, { prompt_id, ...payload }) =>
        reported(event, hasIds ? { prompt_id, ...payload } : payload);
      session.work('p1', 40);
      session.end();
      const spool = join(state(repository), 'spool/new');
      const files = readdirSync(spool).map((name) => join(spool, name));
      files.sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs);
      for (const file of files.slice(0, before)) {
        const time = statSync(file).mtimeMs / 1000 + 30 * 86_400;
        utimesSync(file, time, time);
      }
      await drained(repository);
      expect(await drained(repository, { all: true })).toMatchObject({ pending: 0, failed: 0 });
      expect(readdirSync(spool)).toEqual([]);
      expect(promptsOf(repository)).toMatchObject([{ text: expect.stringContaining('the importer drops row 40') }]);
      const turns = digestsOf(repository).flatMap(({ request }) => decodeTurns(request));
      expect(turns.filter(({ prompt }) => prompt !== '')).toHaveLength(1);
      expect(turns.filter(({ answer }) => answer.includes('LIMIT'))).toHaveLength(1);
      expect(turns.flatMap(({ files }) => files)).toEqual(['src/limit.ts']);
    },
  );
});
