import { join } from 'node:path';
import { payloadOf } from './payloads.ts';

/** One event as the launcher receives it. */
export interface LoadEvent {
  event: string;
  payload: Record<string, unknown>;
}

/** What the session's digest must say of one turn, each of it said by one event and by no other. */
export interface LoadTurn {
  /** A word that prompt, test runs and final answer hold. */
  marker: string;
  edited: string[];
  read: string[];
}

/** A session of Claude Code, and the plain model of what has to come of it. */
export interface LoadSession {
  id: string;
  root: string;
  events: LoadEvent[];
  turns: LoadTurn[];
}

const FIXTURES = 'claude-2.1.329';

/**
 * A session of `count` events in `root`, in turns of `perTurn`: each fixes something, with a failing test before and a
 * passing one after, and so deserves its record. After every second turn a background sub-agent edits one file more.
 */
export function loadSession(
  name: string,
  root: string,
  { count, perTurn }: { count: number; perTurn: number },
): LoadSession {
  const id = `load-${name}`;
  const report = (fixture: string, fields: Record<string, unknown>): LoadEvent => {
    const base = payloadOf(`${FIXTURES}/${fixture}`);
    return { event: fixture.split('-')[0] ?? '', payload: { ...base, session_id: id, cwd: root, ...fields } };
  };
  const session: LoadSession = { id, root, events: [report('SessionStart-startup', {})], turns: [] };
  const last = Math.floor((count - 2) / perTurn) - 1;
  for (let n = 0; n <= last; n++) {
    const size = n < last ? perTurn : count - 1 - session.events.length;
    addTurn(session, `${name}t${n}`, { size, late: n < last && n % 2 === 0 }, report);
  }
  session.events.push(report('SessionEnd-other', {}));
  return session;
}

function addTurn(
  { id, root, events, turns }: LoadSession,
  marker: string,
  { size, late }: { size: number; late: boolean },
  report: (fixture: string, fields: Record<string, unknown>) => LoadEvent,
): void {
  const turn: LoadTurn = { marker, edited: [], read: [] };
  const prompt_id = `${id}-${marker}`;
  let calls = 0;
  const call = (fixture: string, fields: Record<string, unknown>) =>
    events.push(report(fixture, { prompt_id, tool_use_id: `${prompt_id}-${calls++}`, ...fields }));
  const file = (kind: string) => `src/${marker}/${kind}${calls}.ts`;
  const test = { command: `npm test -- ${marker}`, description: 'Run the tests' };
  const edit = (more = {}) => {
    const path = file('edited');
    turn.edited.push(path);
    const [filePath, oldString, newString] = [join(root, path), 'LIMIT = 10', `LIMIT = ${calls + 20}`];
    call('PostToolUse-Edit', {
      tool_input: { file_path: filePath, old_string: oldString, new_string: newString },
      tool_response: { filePath, oldString, newString },
      ...more,
    });
  };
  const read = () => {
    const path = file('read');
    turn.read.push(path);
    const filePath = join(root, path);
    const content = `export const LIMIT = ${calls};\n`;
    call('PostToolUse-Read', {
      tool_input: { file_path: filePath },
      tool_response: { type: 'text', file: { filePath, content, numLines: 2, startLine: 1, totalLines: 2 } },
    });
  };
  const look = () => {
    // What a command reads is in no digest: the event's key alone tells that it came.
    const path = file('searched');
    call('PostToolUse-Bash', {
      tool_input: { command: `grep -n LIMIT ${path}`, description: 'Look for other uses' },
      tool_response: { stdout: '', stderr: '' },
    });
  };

  events.push(
    report('UserPromptSubmit', { prompt_id, prompt: `the importer drops row ${marker}, find out why and fix it` }),
  );
  call('PostToolUseFailure-Bash', { tool_input: test, error: `Exit code 1\nnot ok 1 - row ${marker} is kept` });
  for (let n = 0; n < size - 4 - (late ? 1 : 0); n++) ([edit, read, look][n % 3] ?? look)();
  const stdout = `ok 1 - row ${marker} is kept\n# pass 1\n# fail 0`;
  call('PostToolUse-Bash', { tool_input: test, tool_response: { stdout, stderr: '' } });
  const last_assistant_message = `Fixed: row ${marker} was dropped because \`LIMIT\` in \`${turn.edited[0]}\` was 10 and the importer cuts every batch there without a warning. The limit is higher now. All tests pass.`;
  events.push(report('Stop', { prompt_id, last_assistant_message }));
  if (late) edit({ agent_id: `${marker}-helper`, agent_type: 'general-purpose' });
  turns.push(turn);
}
