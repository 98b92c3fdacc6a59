import { type Maker, makerInShell } from '../../capture/by-hand/maker.ts';
import type { MarkMaking } from '../../capture/by-hand/mark.ts';
import { agentInShell } from '../../capture/by-hand/saving-agent.ts';
import { turnOf } from '../../capture/by-hand/tainted-turn.ts';
import { locate } from '../../git/locate.ts';
import type { Project } from '../../project.ts';
import type { Context } from './command.ts';

/** What a command makes a mark with: who runs it unless a maker is given, the time, and what cleans its reason. */
export async function markMaking(project: Project, context: Context, maker?: Maker): Promise<MarkMaking> {
  const { now, stdin, cwd } = context;
  // Also of the personal store's records: the session works here.
  const { workspace } = locate(cwd) === undefined ? project : context.project();
  return {
    ...(maker === undefined && { turn: await turnOf(workspace, agentInShell(workspace, stdin)) }),
    maker: maker ?? (await makerInShell(project.workspace, stdin)),
    now: now(),
    cleaner: await project.cleaner(),
  };
}
