import { join } from 'node:path';
import { runGit } from '../../git/objects.ts';
import { factsOn, keepFacts } from '../../kept/facts.ts';
import { linesIn } from '../../memory/store/lines.ts';
import { missedSentence } from '../../memory/store/missed.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { SWITCHED_OFF } from '../check.ts';
import { lastEvents } from './last-events.ts';

/** What commands say because no running hook could: what was missed, and agents that commit without an event. */
export async function silences(workspace: Workspace, now: Date): Promise<string[]> {
  const unheard = [...(await unheardHosts(workspace, now)).values()].map((one) => `${one} See \`git mem doctor\`.`);
  const off = workspace.env.GIT_MEM === '0' ? SWITCHED_OFF : undefined;
  return [off, missedSentence(workspace.layout.state), ...unheard].filter((one) => one !== undefined);
}

/** Commits further back in the reflog, or older, are ignored: an agent that works here commits more often. */
const LOOKED_AT = 30;
const WEEK_MS = 7 * 86_400_000;

/** A call that commits is reported itself, at the latest when it ends. */
export const PATIENCE_MS = 3_600_000;

/** By host, a sentence about an agent that a commit's trailer names, but that reported no event. */
export async function unheardHosts(workspace: Workspace, now: Date): Promise<Map<string, string>> {
  const commits = await agentCommits(workspace, now);
  const unheard = new Map<string, string>();
  if (commits.length === 0) return unheard;
  // `list` and `status` ask this too, and load the agents' setups only where an agent commits.
  const [{ HOSTS }, { hostsIn }] = await Promise.all([import('../hosts.ts'), import('./hosts.ts')]);
  const last = lastEvents(workspace.layout);
  for (const [commit, seconds, authors] of commits) {
    const host = HOSTS.find(({ coAuthor }) => coAuthor !== undefined && authors?.includes(`<${coAuthor}>`));
    if (host === undefined || unheard.has(host.name)) continue;
    const lastMs = last.get(host.name);
    if ((lastMs ?? 0) > Number(seconds) * 1000 - PATIENCE_MS) continue;
    if (lastMs === undefined && !hostsIn(workspace.checkout.root).includes(host)) continue;
    const what = `${host.title} made commit ${commit}, but its hooks do not run`;
    unheard.set(host.name, `${what}: last event ${timeOf(lastMs)}.`);
  }
  return unheard;
}

/** The last commits made in this worktree that name a co-author, newest first: short id, seconds since 1970, co-authors. */
async function agentCommits({ checkout, layout, env }: Workspace, now: Date): Promise<string[][]> {
  const ids = linesIn(join(checkout.gitDir, 'logs/HEAD'))
    .slice(-LOOKED_AT)
    .flatMap((line) => {
      const [, id, seconds] = /^\w+ (\w+) .*> (\d+) [-+]\d+\tcommit\b/.exec(line) ?? [];
      const atMs = Number(seconds) * 1000;
      return id && atMs > now.getTime() - WEEK_MS ? [id] : [];
    });
  const folder = join(layout.state, 'trailers');
  const known = new Map(factsOn(folder, ids));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) {
    const format = '--format=%H %h%x00%ct%x00%(trailers:key=Co-authored-by,valueonly,separator=%x2c)';
    const output = await runGit(checkout.root, ['log', '--no-walk', format, ...unknown, '--'], env);
    const facts = (output ?? '')
      .split('\n')
      .filter(Boolean)
      .map((line): [string, string] => {
        const end = line.indexOf(' ');
        return [line.slice(0, end), line.slice(end + 1)];
      });
    keepFacts(folder, facts);
    for (const [id, fact] of facts) known.set(id, fact);
  }
  const said = ids.toReversed().map((id) => (known.get(id) ?? '').split('\0'));
  return said.filter(([, , authors]) => authors);
}

export function timeOf(ms: number | undefined): string {
  return ms === undefined ? 'never' : `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
