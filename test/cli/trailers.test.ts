import { describe, expect, it } from 'vitest';
import { newSession, writeSession } from '../../src/capture/drain/session-state.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { noteInjected } from '../../src/recall/prompt/injected.ts';
import { gitMem } from '../support/command-line.ts';
import { committedBase } from '../support/git-states.ts';
import { hookedSession } from '../support/hooked-session.ts';
import type { TestRepository } from '../support/repository.ts';
import { observationOf, put } from '../support/written-records.ts';

const [A, B, C] = ['aaaaaaaaa1', 'bbbbbbbbb1', 'ccccccccc1'];

/** Three records, the last of them private; tells sessions of them. */
function prepared() {
  const repository = committedBase();
  for (const id of [A, B]) put(repository, observationOf({ id }));
  put(repository, observationOf({ id: C }), 'private');
  const { state } = openWorkspace(repository.root, repository.env).layout;
  return { ...repository, state, tell: (session: string, ...ids: string[]) => noteInjected(state, session, ids) };
}

async function trailers(repository: TestRepository, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await gitMem(repository, ['trailers', ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

describe('git mem trailers', () => {
  it('lists the team records that were injected into sessions since the last commit', async () => {
    const repository = prepared();
    const { state, root } = repository;
    const done = { ...newSession('done', 'claude-code', root), lastAt: new Date().toISOString() };
    writeSession(state, { ...done, lastAt: new Date(Date.now() + 60_000).toISOString() });
    writeSession(state, { ...done, session: 'old', lastAt: '2020-01-01T00:00:00Z' });
    writeSession(state, { ...done, session: 'elsewhere', root: '/elsewhere' });
    repository.tell('done', B, C, 'zzzzzzzzz9');
    repository.tell('old', A);
    repository.tell('elsewhere', A);
    expect(await trailers(repository)).toBe(`Memory-Used: ${B}\n`);
    expect(await trailers(repository, '--session', 'old')).toBe(`Memory-Used: ${A}\n`);
    expect(JSON.parse(await trailers(repository, '--json'))).toEqual({ sessions: ['done'], used: [B] });
  });

  it('includes a session whose first turn is still in progress', async () => {
    const repository = prepared();
    const session = hookedSession(repository.root, { id: 'first', at: new Date(Date.now() + 1000) });
    session.prompt('p1', 'fix it and commit, please');
    repository.tell('first', B, A);
    const lines = await trailers(repository);
    expect(lines).toBe(`Memory-Used: ${A}\nMemory-Used: ${B}\n`);
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'Fix it', '-m', lines);
    const format = '--format=%(trailers:key=Memory-Used,valueonly)';
    expect(repository.git('log', '-1', format).trim().split('\n')).toEqual([A, B]);
  });

  it('prints nothing where nothing was injected', async () => {
    expect(await trailers(prepared())).toBe('');
  });
});
