import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { accept } from '../../src/capture/spool/spool.ts';
import { locate, readHead } from '../../src/git/locate.ts';

/** A session of Claude Code whose hooks report into the spool of a repository, one event a second. */
export interface HookedSession {
  id: string;
  /** The client's payload of any event; gives it back, to be reported again. */
  report(event: string, payload: Record<string, unknown>): void;
  prompt(turn: string, text: string): void;
  /** A tool call that passed. */
  call(turn: string, id: string, tool: string, input: object, response: unknown): void;
  /** An edit of a file, named from the top of the checkout. */
  edit(turn: string, id: string, path: string, change?: { old_string: string; new_string: string }): void;
  /** A command that passed. */
  command(turn: string, id: string, command: string, stdout?: string): void;
  /** A command that failed. */
  failure(turn: string, id: string, command: string, output: string): void;
  stop(turn: string, message: string): void;
  end(): void;
  /** A turn that deserves a record: a limit is raised because a test failed. `n` makes it one of a kind. */
  work(turn: string, n: number): void;
  /** A turn that deserves none. */
  chat(turn: string): void;
  /** A turn with this prompt and answer, that edits these files. */
  turn(turn: string, prompt: string, answer: string, ...edited: string[]): void;
  /** Reports everything once more, as it was. */
  again(): void;
}

/** Opens a session whose agent works in `root`; `at` is the time of its first event. */
export function hookedSession(
  root: string,
  { id = '65939976-74e7-49bb-921b-c8315e7665e8', at = new Date() }: { id?: string; at?: Date } = {},
): HookedSession {
  const checkout = locate(root);
  if (checkout === undefined) throw new Error(`${root} is no repository.`);
  const state = join(checkout.commonDir, 'git-mem');
  const sent: { event: string; payload: Record<string, unknown> }[] = [];
  let clock = at.getTime();

  function put(event: string, payload: Record<string, unknown>): void {
    const before = new Set(waiting(state));
    accept(
      state,
      { host: 'claude-code', event, root, ...readHead(checkout ?? { root, gitDir: '', commonDir: '' }) },
      bytes(payload),
    );
    clock += 1000;
    // The file's time is the event's.
    for (const name of waiting(state)) {
      if (!before.has(name)) utimesSync(join(state, 'spool/new', name), clock / 1000, clock / 1000);
    }
  }

  const session: HookedSession = {
    id,
    report(event, payload) {
      const whole = { session_id: id, cwd: root, hook_event_name: event, ...payload };
      sent.push({ event, payload: whole });
      put(event, whole);
    },
    prompt: (turn, prompt) => session.report('UserPromptSubmit', { prompt_id: turn, prompt }),
    call(turn, tool_use_id, tool_name, tool_input, tool_response) {
      session.report('PostToolUse', { prompt_id: turn, tool_use_id, tool_name, tool_input, tool_response });
    },
    edit(turn, id, path, change = { old_string: '10', new_string: '20' }) {
      session.call(turn, id, 'Edit', { file_path: join(root, path), ...change }, {});
    },
    command: (turn, id, command, stdout = '') => session.call(turn, id, 'Bash', { command }, { stdout, stderr: '' }),
    failure(turn, tool_use_id, command, output) {
      const call = { tool_name: 'Bash', tool_input: { command }, error: `Exit code 1\n${output}` };
      session.report('PostToolUseFailure', { prompt_id: turn, tool_use_id, ...call });
    },
    stop: (turn, last_assistant_message) => session.report('Stop', { prompt_id: turn, last_assistant_message }),
    end: () => session.report('SessionEnd', { reason: 'other' }),
    work(turn, n) {
      session.prompt(turn, `the importer drops row ${n}, please find out why and fix it`);
      session.failure(turn, `${turn}-1`, 'npm test', `not ok 1 - row ${n} is kept`);
      session.edit(turn, `${turn}-2`, 'src/limit.ts', { old_string: 'LIMIT = 10', new_string: `LIMIT = ${n}` });
      session.command(turn, `${turn}-3`, 'npm test', `ok 1 - row ${n} is kept`);
      session.stop(turn, lastMessage(n));
    },
    chat(turn) {
      session.prompt(turn, 'hello');
      session.command(turn, `${turn}-1`, 'ls', 'README.md\nsrc');
      session.stop(turn, 'Hello! There is a README and a src folder.');
    },
    turn(turn, prompt, answer, ...edited) {
      session.prompt(turn, prompt);
      for (const [i, path] of edited.entries()) session.edit(turn, `${turn}-${i}`, path);
      session.stop(turn, answer);
    },
    again() {
      for (const { event, payload } of sent) put(event, payload);
    },
  };
  return session;
}

/** What the agent says at the end of a turn of `work`. */
export function lastMessage(n: number): string {
  return `Fixed: row ${n} was dropped because \`LIMIT\` in \`src/limit.ts\` was 10 and the importer cuts every batch there without a warning. The limit is ${n} now. All tests pass.`;
}

function waiting(state: string): string[] {
  try {
    return readdirSync(join(state, 'spool/new'));
  } catch {
    return []; // No event came yet.
  }
}

function bytes(payload: Record<string, unknown>): Uint8Array {
  return Buffer.from(`${JSON.stringify(payload)}\n`);
}
