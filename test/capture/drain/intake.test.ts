import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { takeIn } from '../../../src/capture/drain/intake.ts';
import { accept, countEvents, pending } from '../../../src/capture/spool/spool.ts';
import { locate, readHead } from '../../../src/git/locate.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';

const it = test.extend('world', () => createIntake());

const NOW = Date.now();

/** A repository with a spool, and the intake over it. */
function createIntake() {
  const repository = createRepository();
  repository.git('commit', '--quiet', '--allow-empty', '-m', 'a');
  const state = join(repository.root, '.git', 'git-mem');
  const logged: string[] = [];
  const seen = new Set<string>();
  const hosts = new Map<string, string>();
  return {
    hosts,
    repository,
    state,
    logged,
    seen,
    send: (
      event: string,
      payload: unknown,
      head: { root?: string; branch?: string; commit?: string; host?: string } = {},
    ) => {
      const text =
        typeof payload === 'string'
          ? payload
          : JSON.stringify({ session_id: 's', prompt_id: 'p', cwd: repository.root, ...(payload as object) });
      accept(state, { host: 'claude-code', event, root: repository.root, ...head }, Buffer.from(text));
      return pending(state).length;
    },
    take: (states = [state]): ReturnType<typeof takeIn> =>
      takeIn({
        states,
        commonDir: join(repository.root, '.git'),
        env: repository.env,
        isSeen: (session, key) => seen.has(`${session} ${key}`),
        hostOf: (session) => hosts.get(session),
        log: (line) => logged.push(line),
        nowMs: NOW,
      }),
  };
}

const tool = (id: string, more = {}) => ({
  tool_name: 'Bash',
  tool_use_id: id,
  tool_input: { command: 'ls' },
  tool_response: { stdout: 'x' },
  ...more,
});

describe('the events of a spool', () => {
  it('are decoded, and their files wait until they are acknowledged', () => {
    const { send, take, state, repository } = createIntake();
    send('UserPromptSubmit', { prompt: 'hello' });
    send('Stop', { last_assistant_message: 'done' });
    const intake = take();
    expect(intake.events.map(({ event }) => event.kind).sort()).toEqual(['prompt', 'turn-end']);
    expect(intake.events[0]).toMatchObject({
      host: 'claude-code',
      root: repository.root,
      event: { session: 's', turn: 'p' },
    });
    expect([intake.done, countEvents(state).pending]).toEqual([0, 2]);
    intake.acknowledge(intake.events);
    intake.acknowledge(intake.events);
    expect([intake.done, countEvents(state).pending]).toEqual([2, 0]);
  });

  it('are recorded once where two hosts report one session, as the host’s own hooks reported it', () => {
    const { send, take, state, hosts } = createIntake();
    const stop = { conversation_id: 's', generation_id: 'g', text: 'done' };
    send('UserPromptSubmit', { prompt: 'hello' });
    send('beforeSubmitPrompt', { ...stop, prompt: 'hello' }, { host: 'cursor' });
    send('Stop', { last_assistant_message: 'done' });
    send('afterAgentResponse', stop, { host: 'cursor' });
    send('UserPromptSubmit', { session_id: 'other', prompt: 'mine' });
    const intake = take();
    expect(intake.events.map(({ host, event }) => `${host} ${event.kind}`).sort()).toEqual([
      'claude-code prompt',
      'cursor prompt',
      'cursor turn-end',
    ]);
    expect([intake.done, countEvents(state).pending]).toEqual([2, 3]);
    intake.acknowledge(intake.events);

    hosts.set('s', 'cursor');
    send('PostToolUse', tool('late'));
    expect(take().events, 'later, and alone').toEqual([]);
    hosts.set('s', 'claude-code');
    send('afterAgentResponse', stop, { host: 'cursor' });
    expect(take().events, 'a session that was written for another host stays its').toEqual([]);
  });

  it('carry the answer, whichever of two hosts reports it', ({ world: { send, take } }) => {
    const cursor = { conversation_id: 's', generation_id: 'g' };
    send('beforeSubmitPrompt', { ...cursor, prompt: 'hello' }, { host: 'cursor' });
    send('Stop', { last_assistant_message: 'done' });
    send('stop', cursor, { host: 'cursor' });
    const ends = () =>
      take().events.flatMap(({ host, event }) => (event.kind === 'turn-end' ? [[host, event.text]] : []));
    expect(ends()).toEqual([['cursor', 'done']]);
    send('afterAgentResponse', { ...cursor, text: 'its own words' }, { host: 'cursor' });
    expect(ends().sort()).toEqual([
      ['cursor', ''],
      ['cursor', 'its own words'],
    ]);
  });

  it('carry the time at which the hook wrote them', ({ world: { send, take, state } }) => {
    send('Stop', { last_assistant_message: 'done' });
    const [stored] = pending(state);
    utimesSync(join(state, 'spool', 'new', stored?.name ?? ''), 1_700_000_000.25, 1_700_000_000.25);
    expect(take().events[0]?.at).toBe('2023-11-14T22:13:20.250Z');
  });

  it('of a call that is reported twice carry the time of the report that knows how it ended', ({
    world: { send, take, state },
  }) => {
    const at = (seconds: number) => {
      const { name = '' } = pending(state).find((one) => !sent.includes(one.name)) ?? {};
      sent.push(name);
      utimesSync(join(state, 'spool', 'new', name), seconds, seconds);
    };
    const sent: string[] = [];
    send('PostToolBatch', { tool_calls: [tool('t1')] });
    at(1_700_000_000);
    send('PostToolUse', tool('t1'));
    at(1_700_000_060);
    expect(take().events).toMatchObject([{ at: '2023-11-14T22:14:20.000Z', event: { call: { ok: true } } }]);
  });

  it('are also taken from the fallback folder of a sandboxed hook', ({ world: { send, take, state, repository } }) => {
    send('Stop', { last_assistant_message: 'one' });
    const other = join(repository.folder, 'fallback');
    accept(
      other,
      { host: 'claude-code', event: 'Stop', root: repository.root },
      Buffer.from('{"session_id":"s","prompt_id":"q"}'),
    );
    const intake = take([state, other]);
    expect(intake.events).toHaveLength(2);
    intake.acknowledge(intake.events);
    expect([countEvents(state).pending, countEvents(other).pending]).toEqual([0, 0]);
  });

  it('that carry no information are acknowledged at once', ({ world: { send, take, state } }) => {
    send('PreToolUse', tool('t1'));
    send('SubagentStart', {});
    send('Stop', { session_id: '' });
    const intake = take();
    expect(intake.events).toEqual([]);
    expect([intake.done, countEvents(state).pending]).toEqual([3, 0]);
  });

  it('that were seen before are acknowledged at once, for their own session only', () => {
    const { send, take, state, seen } = createIntake();
    seen.add('s tool t1');
    send('PostToolUse', tool('t1'));
    send('PostToolUse', { ...tool('t1'), session_id: 'other' });
    expect(take().events.map(({ event }) => event.session)).toEqual(['other']);
    expect(countEvents(state).pending).toBe(1);
  });
});

describe('two events of one call', () => {
  it.each([
    ['the batch comes last', ['PostToolUse', 'PostToolBatch']],
    ['the batch comes first', ['PostToolBatch', 'PostToolUse']],
  ])('become one event that knows how it ended, whose files are acknowledged together: %s', (_, order) => {
    const { send, take, state } = createIntake();
    for (const event of order)
      send(event, event === 'PostToolUse' ? tool('t1') : { tool_calls: [{ ...tool('t1'), tool_response: 'as text' }] });
    const intake = take();
    expect(intake.events).toHaveLength(1);
    expect(intake.events[0]?.event).toMatchObject({ call: { ok: true, output: 'x' } });
    intake.acknowledge(intake.events);
    expect([intake.done, countEvents(state).pending]).toEqual([2, 0]);
  });

  it('keep a batch waiting until each of its calls is acknowledged', ({ world: { send, take, state } }) => {
    send('PostToolBatch', { tool_calls: [tool('t1'), tool('t2'), tool('t2')] });
    const intake = take();
    expect(intake.events).toHaveLength(2);
    intake.acknowledge(intake.events.slice(0, 1));
    expect(countEvents(state).pending).toBe(1);
    intake.acknowledge(intake.events.slice(1));
    expect(countEvents(state).pending).toBe(0);
  });

  it('keep the order of a long batch', ({ world: { send, take } }) => {
    send('PostToolBatch', { tool_calls: Array.from({ length: 12 }, (_, i) => tool(`t${i}`)) });
    const { events } = take();
    const byName = [...events].sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(byName.map(({ event }) => event.key)).toEqual(Array.from({ length: 12 }, (_, i) => `tool t${i}`));
  });
});

describe('unreadable events', () => {
  it.each([
    ['not JSON', 'Stop', 'sk-secret not json', {}, /set aside: payload is not JSON$/],
    ['an unknown host', 'Stop', {}, { host: 'hal-9000' }, /set aside: unknown host hal-9000$/],
    ['empty', 'Stop', '', {}, /set aside: payload is not JSON$/],
  ])('are set aside, logged without their text, and block nothing: %s', (_, event, payload, head, line) => {
    const { send, take, state, logged } = createIntake();
    send(event, payload, head);
    send('Stop', { last_assistant_message: 'done' });
    const intake = take();
    expect(intake.events).toHaveLength(1);
    expect(intake.done).toBe(1);
    expect(countEvents(state)).toEqual({ pending: 1, failed: 1 });
    expect(logged).toEqual([expect.stringMatching(line)]);
    expect(logged.join()).not.toContain('sk-secret');
  });

  it('include a folder, a pipe and a link in the spool, which are named, set aside and never waited for', () => {
    const { send, take, state, logged, repository } = createIntake();
    send('Stop', {});
    const spool = join(state, 'spool', 'new');
    for (const round of [1, 2]) {
      mkdirSync(join(spool, 'folder', 'inside'), { recursive: true });
      execFileSync('mkfifo', [join(spool, 'pipe')]);
      symlinkSync(join(repository.root, 'elsewhere'), join(spool, 'link'));
      writeFileSync(join(repository.root, 'elsewhere'), 'git-mem-event 1\nhost claude-code\n');
      mkdirSync(join(state, 'spool', 'tmp', 'folder'), { recursive: true });
      utimesSync(join(state, 'spool', 'tmp', 'folder'), 1, 1);
      expect(countEvents(state)).toMatchObject({ pending: 1, failed: (round - 1) * 3 });
      expect(take().events).toHaveLength(1);
      expect(countEvents(state)).toMatchObject({ pending: 1, failed: round * 3 });
    }
    expect(logged.slice(0, 3).sort()).toEqual([
      'event folder set aside: a folder',
      'event link set aside: a link',
      'event pipe set aside: a pipe',
    ]);
  });

  it.each(['null', '[]', '"text"', '12'])('give no event when they are JSON of another kind: %s', (payload) => {
    const { send, take, state } = createIntake();
    send('Stop', payload);
    expect(take().events).toEqual([]);
    expect(countEvents(state)).toEqual({ pending: 0, failed: 0 });
  });

  it('include half-written files of killed hooks, but only old ones', ({ world: { take, state } }) => {
    const tmp = join(state, 'spool', 'tmp');
    mkdirSync(tmp, { recursive: true });
    for (const name of ['old', 'fresh']) writeFileSync(join(tmp, name), 'half');
    utimesSync(join(tmp, 'old'), NOW / 1000 - 700, NOW / 1000 - 700);
    take();
    expect(() => readFileSync(join(tmp, 'old'))).toThrow('ENOENT');
    expect(readFileSync(join(tmp, 'fresh'), 'utf8')).toBe('half');
  });
});

describe('where an event happened', () => {
  const head = ({ root }: TestRepository) => {
    const checkout = locate(root);
    return checkout ? readHead(checkout) : {};
  };

  it('is what the launcher saw, even when the branch has changed since', ({ world: { send, take, repository } }) => {
    const id = 'a'.repeat(40);
    send('Stop', { last_assistant_message: 'x' }, { branch: 'feature', commit: id });
    expect(take().events[0]).toMatchObject({ root: repository.root, branch: 'feature', commit: id });
  });

  it('gets the commit that the launcher could not read from packed references, if the branch still exists', () => {
    const { send, take, repository } = createIntake();
    repository.git('pack-refs', '--all');
    send('Stop', { last_assistant_message: 'x' }, { branch: 'main' });
    expect(take().events[0]?.commit).toBe(head(repository).commit);
    repository.git('switch', '--quiet', '-c', 'other');
    expect(take().events[0]).toMatchObject({ branch: 'main' });
    expect(take().events[0]?.commit).toBeUndefined();
  });

  it('is the worktree that the agent worked in, with its branch, when another worktree’s launcher ran', () => {
    const { send, take, repository } = createIntake();
    const linked = join(repository.folder, 'linked');
    repository.git('worktree', 'add', '--quiet', '-b', 'side', linked);
    mkdirSync(join(linked, 'src'));
    send('Stop', { cwd: join(linked, 'src') }, { branch: 'main' });
    const [event] = take().events;
    expect(event).toMatchObject({ root: linked, branch: 'side' });
    expect(event?.commit).toBe(execFileSync('git', ['rev-parse', 'HEAD'], { cwd: linked, encoding: 'utf8' }).trim());
  });

  it('is the launcher’s worktree when the agent worked outside the repository', () => {
    const { send, take, repository } = createIntake();
    for (const cwd of ['/', '/nonexistent', '', 'n'.repeat(5000), createRepository().root])
      send('Stop', { cwd, last_assistant_message: cwd });
    const { events } = take();
    expect(events).toHaveLength(5);
    for (const event of events) expect(event.root).toBe(repository.root);
  });

  it('is still known when the worktree is gone', ({ world: { send, take, repository } }) => {
    const linked = join(repository.folder, 'linked');
    repository.git('worktree', 'add', '--quiet', '-b', 'side', linked);
    send('Stop', { cwd: linked, last_assistant_message: 'x' }, { root: linked, branch: 'side' });
    rmSync(linked, { recursive: true });
    expect(take().events[0]).toMatchObject({ root: linked, branch: 'side' });
  });
});
