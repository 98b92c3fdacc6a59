import { type Agent, isChange } from './event.ts';
import { partsOfLine } from './shell-reads.ts';

/** What a call changes and runs. */
export interface Touch {
  session: string;
  /** The session, or the sub-agent in it. */
  reader: string;
  /** Changed files, absolute or relative to `cwd`. */
  paths: string[];
  cwd: string;
  /** The simple commands. */
  commands: string[];
}

/** What the call in a payload changes and runs, if the event has a reply; undefined if that is nothing. */
export function touchIn(agent: Agent, event: string, payload: Record<string, unknown>): Touch | undefined {
  if (!agent.replies.includes(event)) return undefined;
  // What a call is about to do is read like what it did.
  const reported = agent.toEvents(event === 'PreToolUse' ? 'PostToolUse' : event, payload);
  const found = reported.flatMap((one) => (one.kind === 'tool' ? [one] : []));
  const [first] = found;
  if (first === undefined) return undefined;
  const { session, cwd, agent: subagent } = first;
  const paths = found.flatMap(({ call }) => (isChange(call) ? call.paths : []));
  const commands = found.flatMap(({ call }) => (call.action === 'command' ? partsOfLine(call.command ?? '') : []));
  if (paths.length + commands.length === 0) return undefined;
  return { session, reader: [session, subagent].filter(Boolean).join(' '), cwd, paths, commands };
}
