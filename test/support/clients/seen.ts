import { findAgent } from '../../../src/capture/agents/agents.ts';
import type { AgentEvent } from '../../../src/capture/agents/event.ts';
import { commandReads } from '../../../src/capture/agents/shell-reads.ts';
import { type SaveMoment, saveRequest, type WayToSave } from '../../../src/capture/by-hand/save-request.ts';
import { completedEvents } from '../../../src/capture/drain/event-file.ts';
import type { RealClient } from './client.ts';
import type { RecordedCall } from './recorder.ts';
import { ANSWER, PROMPT, REPORT, SAVED, type TaskRun, TITLES } from './task.ts';

/** What a real client did with git-mem in a task, one cell per column of the table in docs/getting-started.md. */
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
  resumed: string;
  'writer named': string;
}

/** The parts of the first turn, in their order; the test runs twice, and fails at first. */
export const ORDER = ['prompt', 'read', 'test', 'exit code', 'edit', 'test', 'answer'];

function partsOf(event: AgentEvent): string[] {
  switch (event.kind) {
    case 'prompt':
      return event.text === PROMPT ? ['prompt'] : [];
    case 'turn-end':
      return event.text === ANSWER ? ['answer'] : [];
    case 'tool': {
      const { action, paths, command = '', change, ok, exitCode } = event.call;
      if (action === 'command' && command === 'node --test')
        return ['test', ...(ok === false && exitCode === 1 ? ['exit code'] : [])];
      const names = [...paths, ...commandReads(command)];
      if (action === 'read' || action === 'command') return names.length > 0 ? ['read'] : [];
      return action === 'edit' && change?.added.trim() === 'export const LEEWAY = 30;' ? ['edit'] : [];
    }
    default:
      return [];
  }
}

/** The parts of the first turn that a client's hooks and log report, in the order in which they happened. */
export function capturedParts(host: string, run: TaskRun): string[] {
  const parts = eventsOf(host, run, run.turns[0].calls).flatMap(partsOf);
  // A file is read by a tool, where there is one, and another by a command.
  return parts.filter((part, i) => part !== 'read' || parts[i - 1] !== 'read');
}

/** The events of calls, by their time. */
export function eventsOf(host: string, { repository }: TaskRun, calls: readonly RecordedCall[]): AgentEvent[] {
  const agent = findAgent(host);
  if (agent === undefined) throw new Error(`${host} is no adapter.`);
  return calls
    .flatMap(({ event, payload, at }) =>
      completedEvents(agent, event, payload, { env: repository.env, at }).map((one) => ({ at, ...one })),
    )
    .sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
    .map(({ event }) => event);
}

/** The row of a client. */
export function seenIn({ host, isAheadOfServers }: RealClient, run: TaskRun, way: WayToSave): Seen {
  const [fix, write, end] = run.turns;
  const parts = new Set(capturedParts(host, run));
  const missing = ORDER.filter((part) => !parts.has(part));
  const all = run.turns.flatMap(({ calls }) => eventsOf(host, run, calls));
  const asked = (moment: SaveMoment, request = '') => request.includes(saveRequest(moment, way, true));
  const reads = [
    ...(fix.after.read?.includes(TITLES.read) ? ['tool'] : []),
    ...(fix.after.cat?.includes(TITLES.cat) ? ['command'] : []),
  ];
  const told = (request: string) => request.split(saveRequest('start', way, true)).length - 1;
  const moments = [
    ...(asked('start', fix.first) ? ['start'] : []),
    ...(asked('prompt', write.first + end.first) ? ['prompt'] : []),
  ];
  // Under the server's name: the skill names the tools, too. Some clients name deferred tools only when they are searched for.
  const tools = [
    ...(!isAheadOfServers && /git[-_]mem[-_]+get_observations/.test(fix.first) ? ['listed'] : []),
    ...(isAnswered(run) ? ['called'] : []),
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
    'MCP tools': tools.join(', '),
    'asked to save': moments.join(', '),
    'session end': all.some(({ kind }) => kind === 'session-end') ? 'reported' : '',
    resumed:
      new Set(all.map(({ session }) => session)).size > 1 ? 'a new session' : (TIMES[told(end.first)] ?? 'more often'),
    'writer named': namedWays(host, run),
  };
}

const TIMES = ['', 'told once', 'told twice'];

/** The ways of saving whose records name the host and its session, as the hooks report it. */
function namedWays(host: string, { repository }: TaskRun): string {
  const { records } = JSON.parse(repository.gitMem('list', '--all', '--json'));
  const isNamed = (title: string) =>
    records.some(
      (one: Record<string, string | null>) =>
        one.title === title && one.generated_by?.split('/')[0] === host && one.session !== null,
    );
  return (['tool', 'command'] as const).filter((way) => isNamed(SAVED[way])).join(', ');
}

/** Whether a search through the MCP server found the record: its title stands once more in the conversation. */
function isAnswered({ turns: [{ after }] }: TaskRun): boolean {
  const count = (request = '') => request.split(TITLES.start).length;
  return count(after.mcp) > count(after.commit);
}
