import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AGENTS } from '../../src/agents/agents.ts';
import { MOST_CHARS, type SaveMoment, saveRequest } from '../../src/recall/save-request.ts';
import { PROGRAM } from '../support/program.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';

const MOMENTS: SaveMoment[] = ['start', 'prompt', 'commit', 'turn-end'];

/** The two ways in: what the committed settings call, and the complete form. */
const WAYS: Record<string, (host: string, event: string) => string[]> = {
  'the launcher': (host, event) => ['sh', '.memory/hook', host, event],
  'git-mem hook': (host, event) => [process.execPath, PROGRAM, 'hook', host, event],
};

/** A session of Claude Code in a repository that is set up; what each event was answered, as the model sees it. */
interface Session {
  repository: TestRepository;
  send(event: string, payload: Record<string, unknown>): string;
  prompt(turn: string): string;
  edit(turn: string, path?: string): string;
  run(turn: string, command: string): string;
  /** Commits for real, and reports that the agent did. */
  commit(turn: string, command?: string): string;
  save(turn: string): string;
  stop(turn: string, more?: Record<string, unknown>): string;
  drain(): void;
}

function start(way: string, env: Record<string, string> = {}): Session {
  const repository = createRepository();
  repository.gitMem('init', '--yes', '--host', 'claude-code');
  repository.git('commit', '--quiet', '--allow-empty', '-m', 'base');
  let calls = 0;
  const send = (event: string, payload: Record<string, unknown>): string => {
    const [command = '', ...args] = WAYS[way]?.('claude-code', event) ?? [];
    const base = { session_id: 's1', cwd: repository.root, hook_event_name: event };
    const { status, stdout } = spawnSync(command, args, {
      cwd: repository.root,
      // Drains are run by the test, or not at all: what is answered may not depend on them.
      env: { ...repository.env, ...env, GIT_MEM_EXTRACT_FALLBACK_AFTER: '24h' },
      input: JSON.stringify({ ...base, ...payload }),
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    if (stdout === '') return '';
    const reply = JSON.parse(stdout);
    return reply.hookSpecificOutput.additionalContext;
  };
  const call = (turn: string, tool_name: string, tool_input: object, tool_response: object) =>
    send('PostToolUse', { prompt_id: turn, tool_use_id: `t${++calls}`, tool_name, tool_input, tool_response });
  const session: Session = {
    repository,
    send,
    prompt: (turn) => send('UserPromptSubmit', { prompt_id: turn, prompt: 'go on please' }),
    edit: (turn, path = 'src/a.ts') =>
      call(turn, 'Edit', { file_path: join(repository.root, path), old_string: 'a', new_string: 'b' }, {}),
    run: (turn, command) => call(turn, 'Bash', { command }, { stdout: '', stderr: '' }),
    commit(turn, command = 'git commit -m "Raise the limit"') {
      repository.git('commit', '--quiet', '--allow-empty', '-m', `${calls}`);
      return session.run(turn, command);
    },
    save: (turn) => call(turn, 'mcp__git-mem__save_observation', { title: 'x' }, { id: 'x' }),
    stop: (turn, more = {}) => send('Stop', { prompt_id: turn, last_assistant_message: 'I did it.', ...more }),
    drain: () => void repository.gitMem('drain', '--wait', '--json'),
  };
  send('SessionStart', { source: 'startup' });
  return session;
}

const COMMIT = saveRequest('commit', 'tool');
const PROMPT = saveRequest('prompt', 'tool');
const TURN_END = saveRequest('turn-end', 'tool');

describe('the request to save', () => {
  it.each(MOMENTS)('takes at most 60 tokens, on one line: %s', (moment) => {
    for (const way of ['tool', 'command'] as const) {
      expect(saveRequest(moment, way).length).toBeLessThanOrEqual(MOST_CHARS);
      expect(saveRequest(moment, way)).toMatch(/^git-mem: [^\n]+$/);
      expect(saveRequest(moment, way)).toContain(way === 'tool' ? '`save_observation`' : '`git mem add`');
    }
  });

  it('is asked for by events that reach the adapters, and answered as each host reads it', () => {
    for (const agent of AGENTS) {
      for (const event of agent.asks) {
        expect(agent.events, `${agent.name} ${event}`).toContain(event);
        expect(agent.toReply(event, 'Words.'), `${agent.name} ${event}`).toContain('Words.');
      }
    }
  });
});

describe.each(Object.keys(WAYS))('through %s', (way) => {
  it('asks after a commit, once a turn', () => {
    const session = start(way);
    session.prompt('p1');
    session.edit('p1');
    expect(session.run('p1', 'npm test')).toBe('');
    expect(session.commit('p1')).toBe(COMMIT);
    expect(session.run('p1', 'git log -1')).toBe('');
    expect(session.run('p1', 'git commit --dry-run')).toBe('');
    expect(session.commit('p1', 'git add -A && git commit -qm "More"')).toBe('');
    // The turn was asked about: the prompt after it does not ask again.
    expect(session.prompt('p2')).toBe('');
    session.edit('p2');
    expect(session.commit('p2', `git -c user.name='A B' -C . commit --quiet -m x`)).toBe(COMMIT);
  });

  it.each([
    ['git commit -m "Nothing moved"', false],
    ['git pull', true],
    ['echo "then git commit" && git checkout side', true],
    ['git log --grep commit', true],
  ])('asks nothing after %s', (command, moves) => {
    const session = start(way);
    session.prompt('p1');
    if (moves) session.repository.git('commit', '--quiet', '--allow-empty', '-m', 'elsewhere');
    expect(session.run('p1', command)).toBe('');
  });

  it('asks nothing for a commit that a person made before the prompt', () => {
    const session = start(way);
    session.repository.git('commit', '--quiet', '--allow-empty', '-m', 'by hand');
    session.prompt('p1');
    expect(session.run('p1', 'git commit -m "Nothing to commit" || true')).toBe('');
  });

  it('asks nothing after a commit in a turn that saved, nor in a sub-agent', () => {
    const session = start(way);
    session.prompt('p1');
    session.save('p1');
    expect(session.commit('p1')).toBe('');
    session.prompt('p2');
    session.repository.git('commit', '--quiet', '--allow-empty', '-m', 'in a sub-agent');
    const bash = { tool_name: 'Bash', tool_input: { command: 'git commit -m x' }, tool_response: { stdout: '' } };
    expect(session.send('PostToolUse', { prompt_id: 'p2', tool_use_id: 'sub', agent_id: 'a1', ...bash })).toBe('');
  });

  it.each(['in the spool', 'drained'])(
    'asks with the prompt after a turn that edited and saved nothing: %s',
    (where) => {
      const session = start(way);
      const end = (turn: string) => {
        session.stop(turn);
        if (where === 'drained') session.drain();
      };
      expect(session.prompt('p1')).toBe('');
      session.edit('p1');
      end('p1');
      expect(session.prompt('p2')).toBe(PROMPT);
      session.edit('p2');
      end('p2');
      // Never two prompts in a row.
      expect(session.prompt('p3')).toBe('');
      session.edit('p3');
      end('p3');
      expect(session.prompt('p4')).toBe(PROMPT);
      end('p4');
      expect(session.prompt('p5')).toBe('');
      session.edit('p5');
      session.save('p5');
      end('p5');
      expect(session.prompt('p6')).toBe('');
      session.run('p6', 'ls');
      end('p6');
      expect(session.prompt('p7')).toBe('');
      session.edit('p7');
      session.run('p7', `git mem add --title 'The limit is ten rows' --narrative 'Because.'`);
      end('p7');
      expect(session.prompt('p8')).toBe('');
      session.edit('p8', '.memory/observations/2026-11/note.md');
      end('p8');
      expect(session.prompt('p9')).toBe('');
    },
  );

  it('asks nothing of another session', () => {
    const session = start(way);
    session.prompt('p1');
    session.edit('p1');
    session.stop('p1');
    expect(session.send('UserPromptSubmit', { session_id: 's2', prompt_id: 'q1', prompt: 'go on please' })).toBe('');
  });

  it('asks nothing with capture.ask: off', () => {
    const session = start(way, { GIT_MEM_CAPTURE_ASK: 'off' });
    session.prompt('p1');
    session.edit('p1');
    expect(session.commit('p1')).toBe('');
    session.stop('p1');
    expect(session.prompt('p2')).toBe('');
    expect(existsSync(join(session.repository.root, '.git/git-mem/heads/.git'))).toBe(false);
  });

  it('asks at the end of a turn with capture.ask: stop, once a session', () => {
    const session = start(way, { GIT_MEM_CAPTURE_ASK: 'stop' });
    session.prompt('p1');
    expect(session.stop('p1')).toBe('');
    session.prompt('p2');
    session.edit('p2');
    expect(session.stop('p2')).toBe(TURN_END);
    expect(session.stop('p2', { stop_hook_active: true })).toBe('');
    session.prompt('p3');
    session.edit('p3');
    expect(session.stop('p3')).toBe('');
  });

  it('never holds up the end of a turn by default', () => {
    const session = start(way);
    session.prompt('p1');
    session.edit('p1');
    expect(session.stop('p1')).toBe('');
  });

  it('keeps every event, asked or not', () => {
    const session = start(way);
    const kept = () => readdirSync(join(session.repository.root, '.git/git-mem/spool/new')).length;
    session.prompt('p1');
    const before = kept();
    expect(session.commit('p1')).toBe(COMMIT);
    expect(kept()).toBe(before + 1);
  });

  it('does without its notes where they cannot be kept', () => {
    const session = start(way);
    const state = join(session.repository.root, '.git/git-mem');
    rmSync(join(state, 'heads'), { recursive: true });
    session.prompt('p1');
    session.edit('p1');
    expect(session.commit('p1')).toBe('');
  });
});
