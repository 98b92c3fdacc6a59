import { type Maker, makerInShell } from '../../capture/by-hand/maker.ts';
import type { MarkMaking } from '../../capture/by-hand/mark.ts';
import type { Project } from '../../project.ts';
import type { Context } from './command.ts';

/** What a command makes a mark with: who runs it unless a maker is given, the time, and what cleans its reason. */
export async function markMaking(project: Project, { now, stdin }: Context, maker?: Maker): Promise<MarkMaking> {
  return {
    maker: maker ?? (await makerInShell(project.workspace, stdin)),
    now: now(),
    cleaner: await project.cleaner(),
  };
}
