import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { idOf } from '../../src/memory/id.ts';
import { openSource } from '../../src/memory/store/source.ts';
import { openWorkspace, type Workspace } from '../../src/memory/store/workspace.ts';
import { newestCandidates } from '../../src/recall/briefing/candidates.ts';
import { install } from '../support/launcher.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { drop, markOf, observationOf, put, summaryOf } from '../support/written-records.ts';

const KNOWN = Array.from({ length: 70 }, (_, i) =>
  observationOf({
    id: idOf('known', String(i)),
    title: `Known thing number ${i}`,
    generated: { by: 'test', at: `2026-10-01T00:${String(i % 60).padStart(2, '0')}:${i < 60 ? '00' : '30'}Z` },
  }),
);
const SESSION = summaryOf({ id: idOf('session'), title: 'The known session', completed: 'All of it.' });

function commit({ git }: TestRepository, message: string): void {
  git('add', '--all');
  git('commit', '--quiet', '-m', message);
}

/** Half of what is known was reviewed, half written here. */
function knowing(): TestRepository {
  const repository = createRepository();
  install(repository.root);
  for (const [i, record] of KNOWN.entries()) if (i % 2 === 0) drop(repository, record);
  drop(repository, SESSION);
  commit(repository, 'reviewed');
  for (const [i, record] of KNOWN.entries()) if (i % 2 === 1) put(repository, record);
  return repository;
}

/** More records of a stranger than any look takes in, newer than all that is known. */
function flood(repository: TestRepository, count: number, day: string): void {
  for (let i = 0; i < count; i++) {
    const second = `${String(Math.floor(i / 60) % 60).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}`;
    const generated = { by: 'git-mem', at: `${day}T00:${second}Z` };
    drop(repository, observationOf({ id: idOf('flood', String(i)), title: `Flood ${i}`, generated }));
    if (i % 5 === 0) drop(repository, summaryOf({ id: idOf('flooded', String(i)), title: `Flood ${i}`, generated }));
  }
}

/** A workspace that counts the bytes that are read of each of its stores' files. */
function counted(repository: TestRepository): { workspace: Workspace; read: () => number } {
  const workspace = openWorkspace(repository.root, repository.env);
  const { team } = workspace.stores;
  let read = 0;
  const bytes = (path: string) => {
    read++;
    return team.files.bytes(path);
  };
  const source = openSource('team', { ...team.files, bytes }, workspace.format);
  return {
    workspace: { ...workspace, stores: { ...workspace.stores, team: { ...team, ...source } } },
    read: () => read,
  };
}

const without = (text: string) =>
  text.replace(/\d+ unreviewed records? .*\n/g, '').replaceAll(/\\n?\d+ unreviewed records? .*?\\n/g, '\\n');

function launched({ root, env }: TestRepository, session: string): string {
  const input = JSON.stringify({ session_id: session, cwd: root, hook_event_name: 'SessionStart', source: 'startup' });
  return execFileSync('sh', ['.memory/hook', 'claude-code', 'SessionStart'], {
    ...{ cwd: root, env, input: `${input}\n`, encoding: 'utf8' },
  });
}

describe('law: what is unreviewed does not eclipse what is known', () => {
  it.each(['9999-01-01', '2026-11-01'])('by 1,100 records of %s', async (day) => {
    const repository = knowing();
    const before = await repository.call('context');
    const hooked = launched(repository, 'before');
    expect(before).toContain('Known thing number 59');
    expect(before).toContain('The known session');
    repository.git('switch', '--quiet', '-c', 'theirs');
    flood(repository, 1100, day);
    commit(repository, 'theirs');
    expect(without(await repository.call('context'))).toBe(before);
    expect(without(launched(repository, 'after'))).toBe(hooked);
  });

  it('nor does it cost more to read than a bounded look', async () => {
    const repository = knowing();
    const none = counted(repository);
    await newestCandidates(none.workspace, { injectUnreviewed: false });
    flood(repository, 1100, '2026-11-01');
    const [one = KNOWN[0]] = KNOWN;
    for (let i = 0; i < 2000; i++) {
      const generated = { by: 'test', at: '2026-11-21T09:00:00Z' };
      const type = (['retire', 'pin', 'undo'] as const)[i % 3] ?? 'retire';
      drop(repository, markOf({ id: idOf('mark', String(i)), type, targets: [one?.id ?? ''], generated }));
    }
    const many = counted(repository);
    const { candidates } = await newestCandidates(many.workspace, { injectUnreviewed: false });
    expect(candidates.length).toBe(61);
    expect(many.read()).toBeLessThan(none.read() + 400);
  });

  it('and a date in the future is not believed, whoever wrote it', async () => {
    const repository = knowing();
    const at = '2099-01-01T00:00:00Z';
    put(repository, observationOf({ id: idOf('future'), title: 'From the future', generated: { by: 'test', at } }));
    commit(repository, 'all reviewed');
    const text = await repository.call('context', '--receipt');
    expect(text).toContain('Known thing number 59');
    expect(text).not.toContain('From the future');
    expect(text).toContain(`out  ${idOf('future')}  dated in the future`);
    expect(await repository.call('search', 'from the future')).toContain('From the future');
  });

  it('unless everything is: then the clock is wrong', async () => {
    const repository = knowing();
    const nowMs = Date.parse('1970-01-01T00:00:00Z');
    const { candidates } = await newestCandidates(openWorkspace(repository.root, repository.env), {
      injectUnreviewed: false,
      nowMs,
    });
    expect(candidates.length).toBe(61);
  });
});
