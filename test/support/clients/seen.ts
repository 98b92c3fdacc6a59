import { findAgent } from '../../../src/agents/agents.ts';
import type { AgentEvent } from '../../../src/agents/event.ts';
import { type SaveMoment, saveRequest, type WayToSave } from '../../../src/recall/save-request.ts';
import { completedEvents } from '../../../src/worker/session-log.ts';
import type { RecordedCall } from './recorder.ts';
import { ANSWER, PROMPT, REPORT, type TaskRun, TITLES } from './task.ts';

/** What a real client did with git-mem in a task, a cell a column of the table in docs/agents.md. */
export interface Seen {
  captured: string;
  'a session starts': string;
  'a prompt': string;
  'a file is read': string;
  'a file is edited': string;
  'sub-agents': string;
  'MCP tools': string;
  'asked to save': string;
  'session end': string;
}

/** The parts of the first turn, in their order. */
const PARTS: [part: string, is: (event: AgentEvent) => boolean][] = [
  ['prompt', (event) => event.kind === 'prompt' && event.text === PROMPT],
  ['read', (event) => isCall(event, 'read') && paths(event).some((path) => path.endsWith('src/token.mjs'))],
  ['failed command', (event) => isCall(event, 'command') && event.call.ok === false && event.call.exitCode === 1],
  ['edit', (event) => isCall(event, 'edit') && event.call.change?.added.trim() === 'export const LEEWAY = 30;'],
  [
    'passed command',
    (event) => isCall(event, 'command') && event.call.ok === true && event.call.command === 'node --test',
  ],
  ['answer', (event) => event.kind === 'turn-end' && event.text === ANSWER],
];

/** The parts of the first turn that a client's hooks and log report, in the order in which they happened. */
export function capturedParts(host: string, run: TaskRun): string[] {
  return eventsOf(host, run.turns[0].calls).flatMap((event) =>
    PARTS.filter(([, is]) => is(event)).map(([part]) => part),
  );
}

/** The events of calls, by their time. */
export function eventsOf(host: string, calls: readonly RecordedCall[]): AgentEvent[] {
  const agent = findAgent(host);
  if (agent === undefined) throw new Error(`${host} is no adapter.`);
  return calls
    .flatMap(({ event, payload, at }) => completedEvents(agent, event, payload).map((one) => ({ at, ...one })))
    .sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
    .map(({ event }) => event);
}

/** The row of a client. */
export function seenIn(host: string, run: TaskRun, way: WayToSave): Seen {
  const [fix, write, end] = run.turns;
  const parts = new Set(capturedParts(host, run));
  const missing = PARTS.map(([part]) => part).filter((part) => !parts.has(part));
  const all = run.turns.flatMap(({ calls }) => eventsOf(host, calls));
  const asked = (moment: SaveMoment, request = '') => request.includes(saveRequest(moment, way));
  const reads = [
    ...(fix.after.read?.includes(TITLES.read) ? ['tool'] : []),
    ...(fix.after.cat?.includes(TITLES.cat) ? ['command'] : []),
  ];
  const moments = [
    ...(asked('start', fix.first) ? ['start'] : []),
    ...(asked('commit', fix.after.commit) ? ['commit'] : []),
    ...(asked('prompt', end.first) ? ['prompt'] : []),
  ];
  const hasReport = all.some((event) => event.kind === 'report' && event.text === REPORT);
  const inside = [...(write.inside?.includes(TITLES.start) ? ['injected'] : []), ...(hasReport ? ['captured'] : [])];
  return {
    captured: missing.length === 0 ? 'all' : `all but ${missing.join(', ')}`,
    'a session starts': fix.first.includes(TITLES.start) ? 'injected' : '',
    'a prompt': fix.first.includes(TITLES.prompt) ? 'injected' : '',
    'a file is read': reads.join(', '),
    'a file is edited': write.after.write?.includes(TITLES.edit) ? 'injected' : '',
    'sub-agents': write.inside === undefined ? 'not driven' : inside.join(', '),
    'MCP tools':
      fix.first.includes('get_observations') && fix.after.mcp?.includes(TITLES.start) ? 'listed, called' : '',
    'asked to save': moments.join(', '),
    'session end': all.some(({ kind }) => kind === 'session-end') ? 'reported' : '',
  };
}

type Call = Extract<AgentEvent, { kind: 'tool' }>;

function isCall(event: AgentEvent, action: Call['call']['action']): event is Call {
  return event.kind === 'tool' && event.call.action === action;
}

function paths({ call }: Call): string[] {
  return call.paths;
}
