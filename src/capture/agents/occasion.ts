import type { Agent, AgentEvent, ToolCall } from './event.ts';
import { partsOfLine } from './shell-reads.ts';

/** A moment at which an agent may be asked to save what it learned. */
export interface Occasion {
  kind: 'prompt' | 'commit' | 'turn-end';
  session: string;
}

/** `git commit` with the options that may be before it. */
const COMMIT = /^git(?:\s+-[cC]\s+(?:"[^"]*"|'[^']*'|[^\s"'])+|\s+--[\w-]+(?:=[^\s"']+)?)*\s+commit(?:\s|$)/u;

/**
 * The occasion that a host's event is; undefined for all others. The caller has to find out whether the commit was
 * made: not every host reports how a command ended.
 */
export function occasionOf(agent: Agent, event: string, payload: Record<string, unknown>): Occasion | undefined {
  if (!agent.asks.includes(event)) return undefined;
  // The turn's end was already delayed once; the key is Claude Code's, and other hosts use it too.
  if (payload.stop_hook_active === true) return undefined;
  for (const found of agent.toEvents(event, payload)) {
    const kind = kindOf(found);
    // A sub-agent does not see the whole turn; its parent is asked.
    if (kind !== undefined && found.agent === undefined) return { kind, session: found.session };
  }
  return undefined;
}

function kindOf(event: AgentEvent): Occasion['kind'] | undefined {
  switch (event.kind) {
    case 'prompt':
      return event.from === 'user' ? 'prompt' : undefined;
    case 'tool':
      return isCommit(event.call) ? 'commit' : undefined;
    case 'turn-end':
      return 'turn-end';
    default:
      return undefined;
  }
}

/** Tells whether a command makes a commit, as far as its text shows. */
export function isCommit({ action, command, ok }: ToolCall): boolean {
  return action === 'command' && ok !== false && partsOfLine(command ?? '').some((part) => COMMIT.test(part));
}
