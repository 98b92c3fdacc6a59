import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AGENTS } from '../../../src/capture/agents/agents.ts';
import { requestToSave } from '../../../src/capture/by-hand/ask.ts';
import { type SaveMoment, saveRequest } from '../../../src/capture/by-hand/save-request.ts';
import { openWorkspace } from '../../../src/memory/store/workspace.ts';
import { hookCall, launched } from '../../support/hook-call.ts';
import { hookedSession } from '../../support/hooked-session.ts';
import { preparedRepository } from '../../support/prepared-repository.ts';
import type { TestRepository } from '../../support/repository.ts';
import { FULL } from '../../support/trials.ts';

const MOMENTS: SaveMoment[] = ['start', 'prompt', 'again', 'turn-end'];

/** The two ways in: what the committed settings call, and the complete form. */
const WAYS = {
  async 'the launcher'(repository: TestRepository, event: string, payload: object): Promise<string> {
    const { status, stdout } = launched(repository, 'claude-code', event, payload);
    expect(status).toBe(0);
    return stdout;
  },
  'git-mem hook': (repository: TestRepository, event: string, payload: object) =>
    hookCall(repository, 'claude-code', event, payload),
};
type Way = keyof typeof WAYS;

/** A session of Claude Code in a repository that is set up; what each event was answered, as the model sees it. */
interface Session {
  repository: TestRepository;
  send(event: string, payload: Record<string, unknown>): Promise<string>;
  prompt(turn: string, prompt?: string): Promise<string>;
  edit(turn: string, path?: string): Promise<string>;
  run(turn: string, command: string, passed?: boolean): Promise<string>;
  /** Commits for real, and reports that the agent did. */
  commit(turn: string): Promise<string>;
  save(turn: string, tool?: string): Promise<string>;
  stop(turn: string, more?: Record<string, unknown>): Promise<string>;
  drain(): Promise<void>;
}

async function start(way: Way, env: Record<string, string> = {}): Promise<Session> {
  const repository = await preparedRepository('asked', async (made) => {
    await made.call('init', '--yes', '--host', 'claude-code');
    made.git('commit', '--quiet', '--allow-empty', '-m', 'base');
  });
  // Drains are run by the test, or not at all: what is answered may not depend on them.
  Object.assign(repository.env, env, { GIT_MEM_EXTRACT_FALLBACK_AFTER: '24h' });
  let calls = 0;
  const send = async (event: string, payload: Record<string, unknown>): Promise<string> => {
    const base = { session_id: 's1', cwd: repository.root, hook_event_name: event };
    const reply = await WAYS[way](repository, event, { ...base, ...payload });
    return reply === '' ? '' : JSON.parse(reply).hookSpecificOutput.additionalContext;
  };
  const call = (turn: string, tool_name: string, tool_input: object, tool_response: object) =>
    send('PostToolUse', { prompt_id: turn, tool_use_id: `t${++calls}`, tool_name, tool_input, tool_response });
  const session: Session = {
    repository,
    send,
    prompt: (turn, prompt = 'go on please') => send('UserPromptSubmit', { prompt_id: turn, prompt }),
    edit: (turn, path = 'src/a.ts') =>
      call(turn, 'Edit', { file_path: join(repository.root, path), old_string: 'a', new_string: 'b' }, {}),
    run: (turn, command, passed = true) =>
      passed
        ? call(turn, 'Bash', { command }, { stdout: '', stderr: '' })
        : send('PostToolUseFailure', {
            prompt_id: turn,
            tool_use_id: `t${++calls}`,
            tool_name: 'Bash',
            tool_input: { command },
            error: 'Exit code 1\nfailed',
          }),
    commit(turn) {
      repository.git('commit', '--quiet', '--allow-empty', '-m', `${calls}`);
      return session.run(turn, 'git commit -m "Raise the limit"');
    },
    save: (turn, tool = 'save_observation') => call(turn, `mcp__git-mem__${tool}`, { title: 'x' }, { id: 'x' }),
    stop: (turn, more = {}) => send('Stop', { prompt_id: turn, last_assistant_message: 'I did it.', ...more }),
    drain: async () => void (await repository.call('drain', '--wait', '--json')),
  };
  await send('SessionStart', { source: 'startup' });
  return session;
}

const PROMPT = saveRequest('prompt', 'tool');
const AGAIN = saveRequest('again', 'tool');
const TURN_END = saveRequest('turn-end', 'tool');

describe('the request to save', () => {
  it.each(MOMENTS)('takes at most 60 tokens, that of a start 80, on one line: %s', (moment) => {
    for (const way of ['tool', 'extension', 'command'] as const) {
      expect(saveRequest(moment, way, false).length).toBeLessThanOrEqual(4 * (moment === 'start' ? 80 : 60));
      expect(saveRequest(moment, way)).toMatch(/^git-mem: [^\n]+$/);
      expect(saveRequest(moment, way)).toContain(way === 'command' ? '`git mem add`' : '`save_observation`');
      expect(saveRequest(moment, way).includes('`save_summary`')).toBe(way === 'tool' && moment === 'start');
    }
  });

  it('is made at events that the adapters receive, in the form that each host reads', () => {
    for (const agent of AGENTS) {
      for (const event of agent.asks) {
        expect(agent.events, `${agent.name} ${event}`).toContain(event);
        expect(agent.toReply(event, 'Words.'), `${agent.name} ${event}`).toContain('Words.');
      }
    }
  });
});

describe.each(Object.keys(WAYS) as Way[])('through %s', (way) => {
  it('asks with the prompt after a turn that committed and saved nothing, never after the commit', async () => {
    const session = await start(way);
    await session.prompt('p1');
    await session.edit('p1');
    expect(await session.commit('p1')).toBe('');
    expect(await session.prompt('p2')).toBe(PROMPT);
  });

  it('asks at the end of a turn with capture.ask: stop, once a session', async () => {
    const session = await start(way, { GIT_MEM_CAPTURE_ASK: 'stop' });
    await session.prompt('p1');
    expect(await session.stop('p1')).toBe('');
    await session.prompt('p2');
    await session.edit('p2');
    expect(await session.stop('p2')).toBe(TURN_END);
    expect(await session.stop('p2', { stop_hook_active: true })).toBe('');
    // Its end was asked about, and nobody is asked twice about a turn.
    expect(await session.prompt('p3')).toBe('');
    await session.edit('p3');
    expect(await session.stop('p3')).toBe('');
    expect(await session.prompt('p4')).toBe(PROMPT);
  });
});

// The launcher hands these on as it does those above.
describe.each(FULL ? (Object.keys(WAYS) as Way[]) : (['git-mem hook'] as const))('through %s too', (way) => {
  const wheres = ['in the spool', 'drained'];
  it.each(wheres)('asks with the prompt after a turn that edited and saved nothing: %s', async (where) => {
    const session = await start(way);
    const end = async (turn: string) => {
      await session.stop(turn);
      if (where === 'drained') await session.drain();
    };
    expect(await session.prompt('p1')).toBe('');
    await session.edit('p1');
    await end('p1');
    expect(await session.prompt('p2')).toBe(PROMPT);
    await session.edit('p2');
    await end('p2');
    // Never two prompts in a row.
    expect(await session.prompt('p3')).toBe('');
    await session.edit('p3');
    await end('p3');
    expect(await session.prompt('p4')).toBe(PROMPT);
    await end('p4');
    expect(await session.prompt('p5')).toBe('');
    await session.edit('p5');
    await session.save('p5');
    await end('p5');
    expect(await session.prompt('p6')).toBe('');
    await session.run('p6', 'ls');
    await end('p6');
    expect(await session.prompt('p7')).toBe('');
    await session.edit('p7');
    await session.run('p7', `git mem add --title 'The limit is ten rows' --narrative 'Because.'`);
    await end('p7');
    expect(await session.prompt('p8')).toBe('');
    await session.edit('p8', '.memory/observations/2026-11/note.md');
    await end('p8');
    expect(await session.prompt('p9')).toBe('');
  });

  it('asks nothing of another session', async () => {
    const session = await start(way);
    await session.prompt('p1');
    await session.edit('p1');
    await session.stop('p1');
    expect(await session.send('UserPromptSubmit', { session_id: 's2', prompt_id: 'q1', prompt: 'go on please' })).toBe(
      '',
    );
  });

  it('asks nothing with capture.ask: off', async () => {
    const session = await start(way, { GIT_MEM_CAPTURE_ASK: 'off' });
    await session.prompt('p1');
    await session.edit('p1');
    await session.stop('p1');
    expect(await session.prompt('p2')).toBe('');
    expect(existsSync(join(session.repository.root, '.git/git-mem/stops/.git'))).toBe(false);
  });

  it('never holds up the end of a turn by default', async () => {
    const session = await start(way);
    await session.prompt('p1');
    await session.edit('p1');
    expect(await session.stop('p1')).toBe('');
  });
});

it('asks at the end of a turn that a running drain processed before the hook asked', async () => {
  const { repository, prompt, edit, drain } = await start('git-mem hook', { GIT_MEM_CAPTURE_ASK: 'stop' });
  await prompt('p1');
  await edit('p1');
  hookedSession(repository.root, { id: 's1' }).stop('p1', 'I did it.');
  await drain();
  const ask = { host: 'claude-code', occasion: { kind: 'turn-end', session: 's1' } } as const;
  expect(await requestToSave(openWorkspace(repository.root, repository.env).checkout, ask, repository.env)).toBe(
    TURN_END,
  );
});

it('asks twice who does not save, then shortly where something was made, learned or told, and 30 turns cost 250 tokens', async () => {
  const session = await start('git-mem hook');
  let n = 0;
  /** A turn that edits and saves nothing; what the prompt after it is told, which no turn follows. */
  const after = async (more: (turn: string) => Promise<unknown> = async () => {}, text?: string) => {
    const turn = `p${++n}`;
    const told = await session.prompt(turn);
    await session.edit(turn);
    await more(turn);
    await session.stop(turn);
    const next = await session.prompt(`p${++n}`, text);
    await session.stop(`p${n}`);
    expect(told).toBe('');
    return next;
  };
  expect([await after(), await after(), await after()]).toEqual([PROMPT, PROMPT, '']);
  expect(await after((turn) => session.commit(turn))).toBe(AGAIN);
  expect(await after()).toBe('');
  const fixed = async (turn: string) => {
    await session.run(turn, 'npm test', false);
    await session.run(turn, 'npm test');
  };
  expect(await after(fixed)).toBe(AGAIN);
  expect(await after(undefined, 'never retry a payment here')).toBe(AGAIN);
  const rest = [];
  for (let i = 0; i < 8; i++) rest.push(await after((turn) => session.commit(turn)));
  expect(rest).toEqual([AGAIN, AGAIN, AGAIN, '', '', '', '', '']);
  expect((2 * PROMPT.length + 6 * AGAIN.length) / 4).toBeLessThanOrEqual(250);
  await session.save(`p${n}`);
  expect(await after()).toBe(PROMPT);
});

it('asks again where the prompt that asked was taken back before anything came of it', async () => {
  const session = await start('git-mem hook');
  await session.prompt('p1');
  await session.edit('p1');
  await session.stop('p1');
  expect(await session.prompt('p2')).toBe(PROMPT);
  expect(await session.prompt('p3')).toBe(PROMPT);
  await session.stop('p3');
  expect(await session.prompt('p4')).toBe('');
});

it('names the tool where the plugin brings the server, and the command where nothing does', async () => {
  const { repository, send } = await start('git-mem hook');
  rmSync(join(repository.root, '.mcp.json'));
  expect(await send('SessionStart', { source: 'startup' })).toContain(saveRequest('start', 'command', true));
  repository.env.CLAUDE_PLUGIN_ROOT = '/plugins/git-mem';
  expect(await send('SessionStart', { source: 'startup' })).toContain(saveRequest('start', 'tool', true));
});
