import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cline } from '../../../src/capture/agents/cline.ts';
import { copilot } from '../../../src/capture/agents/copilot.ts';
import { factoryDroid } from '../../../src/capture/agents/factory-droid.ts';
import { hookCall } from '../../support/hook-call.ts';
import { occasionsOf } from '../../support/host-occasions.ts';
import { callOf, PAYLOADS, payloadOf } from '../../support/payloads.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';

/** One task that each client really did: read, a test that fails, an edit, the test that passes, the answer. */
const SESSIONS = [
  {
    client: 'copilot-1.0.102',
    host: 'copilot',
    events:
      'sessionStart userPromptSubmitted postToolUse-view postToolUse-bash postToolUse-edit postToolUse-bash-2 ' +
      'postToolUse-create agentStop sessionEnd',
  },
  {
    client: 'cline-3.0.65',
    host: 'cline',
    events:
      'TaskStart PostToolUse-read_files PostToolUse-run_commands PostToolUse-apply_patch PostToolUse-run_commands-2 ' +
      'TaskComplete',
  },
  {
    client: 'droid-0.225.2',
    host: 'factory-droid',
    events: 'SessionStart PostToolUse-Read PostToolUse-Edit PostToolUse-Execute PostToolUse-Create Stop SessionEnd',
  },
  {
    client: 'kimi-2.1.0',
    host: 'kimi-code',
    events:
      'SessionStart-startup UserPromptSubmit PostToolUse-Read PostToolUseFailure-Bash PostToolUse-Edit PostToolUse-Bash ' +
      'PostToolUse-Write SubagentStop PostToolUse-Agent Stop SessionEnd',
  },
];

const AT = '2026-11-22T20:05:00.000Z';
const PROMPT = 'test/rate.test.mjs fails since the quokka release. Find the cause and fix it.';

describe.each(SESSIONS)('a session of $client', ({ client, host, events }) => {
  it('becomes a digest with the change, the answer and how its check went', async () => {
    const repository = await worked();
    await replay(repository, { client, host, events: events.split(' ') });
    await repository.call('drain', '--wait', '--all');
    const { sessions } = JSON.parse(await repository.call('sessions', '--json'));
    expect(sessions).toHaveLength(1);
    const { turns } = JSON.parse(await repository.call('sessions', 'show', sessions[0].session, '--json'));
    expect(turns).toMatchObject([
      {
        files: expect.arrayContaining(['src/rate.mjs']),
        answer: expect.stringContaining('the quokka contract allows thirty requests a minute'),
        checks: [{ command: 'node --test', passed: true }],
      },
    ]);
  });

  it.skipIf(host === 'cline')('keeps the prompt once', async () => {
    const repository = await worked();
    await replay(repository, { client, host, events: events.split(' ') });
    await repository.call('drain', '--wait', '--all');
    const { records } = JSON.parse(await repository.call('list', '--json', '--kind', 'prompt'));
    expect(records.map(({ prompt_number }: { prompt_number: number }) => prompt_number)).toEqual([1]);
  });
});

it('uses a prompt from the log only where no hook reported it', async () => {
  const repository = await worked();
  const line = readFileSync(`${PAYLOADS}/droid-0.225.2/log.jsonl`, 'utf8')
    .split('\n')
    .find((one) => one.includes(PROMPT));
  expect(line).toBeDefined();
  const prompt = { ...payloadOf('droid-0.225.2/Stop'), hook_event_name: 'UserPromptSubmit', prompt: PROMPT };
  await hookCall(repository, 'factory-droid', 'UserPromptSubmit', { ...prompt, cwd: repository.root });
  await replay(repository, { client: 'droid-0.225.2', host: 'factory-droid', events: ['PostToolUse-Edit', 'Stop'] });
  await repository.call('drain', '--wait', '--all');
  const { records } = JSON.parse(await repository.call('list', '--json', '--kind', 'prompt'));
  expect(records).toHaveLength(1);
});

describe('payloads of driven clients', () => {
  it.each([
    ['copilot-1.0.102/postToolUse-view', { action: 'read', paths: ['/repo/src/rate.mjs'], ok: true }],
    ['copilot-1.0.102/postToolUse-bash', { action: 'command', command: 'node --test', ok: false, exitCode: 1 }],
    ['copilot-1.0.102/postToolUse-bash-2', { action: 'command', ok: true, exitCode: 0 }],
    [
      'copilot-1.0.102/postToolUse-edit',
      { action: 'edit', change: { removed: 'perMinute = 1', added: 'perMinute = 30' } },
    ],
    [
      'copilot-1.0.102/postToolUse-create',
      { action: 'write', change: { removed: '', added: "import test from 'node:test';\ntest('x', () => {});\n" } },
    ],
    ['cline-3.0.65/PostToolUse-read_files', { action: 'read', paths: ['/repo/src/rate.mjs'], ok: true }],
    ['cline-3.0.65/PostToolUse-run_commands', { action: 'command', command: 'node --test', ok: false, exitCode: 1 }],
    ['cline-3.0.65/PostToolUse-run_commands-2', { action: 'command', ok: true }],
    ['cline-3.0.65/PostToolUse-apply_patch', { action: 'edit', paths: ['src/rate.mjs'], ok: true }],
    ['droid-0.225.2/PostToolUse-Read', { action: 'read', paths: ['/repo/src/rate.mjs'], ok: true }],
    ['droid-0.225.2/PostToolUse-Execute', { action: 'command', command: 'node --test', ok: true }],
    [
      'droid-0.225.2/PostToolUse-Edit',
      { action: 'edit', change: { removed: 'perMinute = 1', added: 'perMinute = 30' } },
    ],
    ['droid-0.225.2/PostToolUse-Create', { action: 'write', paths: ['/repo/test/burst.test.mjs'] }],
  ])('%s', (file, expected) => {
    expect(callOf(file)).toMatchObject(expected);
  });

  it('report several commands in one call of Cline, each with its own result', () => {
    const payload = payloadOf('cline-3.0.65/PostToolUse-run_commands');
    const output = [
      { query: 'ls', result: 'a.ts', success: true },
      { query: 'false', result: '[Command exited with code 1]', success: false },
    ];
    const result = { name: 'run_commands', input: { commands: ['ls', 'false'] }, output };
    expect(cline.toEvents('PostToolUse', { ...payload, tool_result: result })).toMatchObject([
      { call: { command: 'ls', ok: true, output: 'a.ts' } },
      { call: { command: 'false', ok: false, exitCode: 1 } },
    ]);
  });

  it('assign Cline’s sub-agents to their parent’s session', () => {
    const ended = { ...payloadOf('cline-3.0.65/TaskComplete'), agent_id: 'agent_1', parent_agent_id: 'agent_0' };
    const { session } = cline.toEvents('TaskComplete', payloadOf('cline-3.0.65/TaskComplete'))[0] ?? {};
    expect(cline.toEvents('TaskComplete', ended)).toMatchObject([{ kind: 'report', session, agent: 'agent_1' }]);
    expect(cline.toEvents('TaskStart', ended)).toEqual([]);
  });
});

describe('what a log adds', () => {
  const lines = logOf('copilot-1.0.102');
  const stop = payloadOf('copilot-1.0.102/agentStop');
  const answer = (payload: Record<string, unknown>, log: Record<string, unknown>[]) =>
    copilot.log?.complete(copilot.toEvents('agentStop', payload), payload, log, AT);

  it('is the last message of the turn that ended, whatever the log contains by now', () => {
    const later = {
      type: 'assistant.message',
      data: { content: 'of a later turn' },
      timestamp: '2027-01-01T00:00:00Z',
    };
    const inside = { type: 'assistant.message', data: { content: 'of a sub-agent', parentToolCallId: 'c' } };
    const text = expect.stringContaining('the quokka contract allows thirty requests a minute');
    expect(answer(stop, [...lines, inside, later])).toEqual([
      { event: expect.objectContaining({ kind: 'turn-end', text }) },
    ]);
  });

  it('is nothing where the turn had no answer, or the log is gone', () => {
    const next = { type: 'user.message', data: { content: 'go on' }, timestamp: new Date(Number(stop.timestamp)) };
    for (const log of [[], [...lines, { ...next, timestamp: next.timestamp.toISOString() }]]) {
      expect(answer(stop, log)).toEqual([{ event: expect.objectContaining({ kind: 'turn-end', text: '' }) }]);
    }
  });

  it('includes Droid’s failed call, which its hooks do not report', () => {
    const payload = payloadOf('droid-0.225.2/Stop');
    const events = factoryDroid.log?.complete(
      factoryDroid.toEvents('Stop', payload),
      payload,
      logOf('droid-0.225.2'),
      AT,
    );
    expect(events?.map(({ event }) => event)).toMatchObject([
      { kind: 'prompt', text: PROMPT, from: 'user' },
      { kind: 'tool', call: { action: 'command', command: 'node --test', ok: false, exitCode: 1 } },
      { kind: 'turn-end', text: expect.stringContaining('thirty requests a minute') },
    ]);
  });
});

/** A repository in which the task of the recordings was done. */
async function worked(): Promise<TestRepository> {
  const repository = createRepository();
  const limiter = (limit: number) => `export function limiter({ perMinute = ${limit} } = {}) {}\n`;
  repository.write('src/rate.mjs', limiter(1));
  repository.commit('start');
  repository.write('src/rate.mjs', limiter(30));
  repository.write('test/burst.test.mjs', "import test from 'node:test';\n");
  repository.write('.memory/README.md', '');
  return repository;
}

/** Reports recorded events as the client did, beside the log that it wrote. */
async function replay(
  repository: TestRepository,
  { client, host, events }: { client: string; host: string; events: string[] },
): Promise<void> {
  const [one] = occasionsOf(host);
  const own = one?.log?.place(String(payloadOf(`${client}/${events[0]}`).session_id));
  const log = own === undefined ? join('home', 'log.jsonl') : join('..', 'home', own);
  const placed = (text: string) => text.replaceAll('/repo', repository.root);
  if (client !== 'cline-3.0.65') repository.write(log, placed(readFileSync(`${PAYLOADS}/${client}/log.jsonl`, 'utf8')));
  for (const name of events) {
    const text = placed(JSON.stringify(payloadOf(`${client}/${name}`)));
    const payload = text.replaceAll(/"\/home\/user\/[^"]*\.jsonl"/g, JSON.stringify(join(repository.root, log)));
    await hookCall(repository, host, name.split('-')[0] ?? '', payload);
  }
}

function logOf(client: string): Record<string, unknown>[] {
  const lines = readFileSync(`${PAYLOADS}/${client}/log.jsonl`, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}
