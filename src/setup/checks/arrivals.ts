import { join } from 'node:path';
import { runGit } from '../../git/objects.ts';
import { factsOn, keepFacts } from '../../kept/facts.ts';
import { linesIn } from '../../memory/store/lines.ts';
import { missedSentence } from '../../memory/store/missed.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { type Check, ok, type Patient, warn } from '../check.ts';
import { HOSTS } from '../hosts.ts';
import { hostsIn, lastEvents } from './hosts.ts';
import { SWITCHED_OFF } from './machine.ts';

/** Checks whether the hosts set up here report: one may be waiting for the user's trust without saying so. */
export async function checkArrivals({ workspace, now }: Patient): Promise<Check[]> {
  const { checkout, layout } = workspace;
  const [last, present, missed] = [lastEvents(layout), hostsIn(checkout.root), missedSentence(layout.state)];
  const unheard = await unheardHosts(workspace, now);
  return [
    ...HOSTS.filter((host) => last.has(host.name) || present.includes(host)).map(({ name, title, next }) => {
      const label = `events ${name}`;
      const silence = unheard.get(name);
      if (silence !== undefined) return warn(label, silence, next(checkout.root)[0]);
      if ((last.get(name) ?? 0) > now.getTime() + PATIENCE_MS) {
        const message = `The last event of ${title} came ${timeOf(last.get(name))}, later than it is by this clock.`;
        return warn(label, message, 'Set the clock: what is newest, and what waits, goes by it.');
      }
      return ok(label, `Last event of ${title}: ${timeOf(last.get(name))}.`);
    }),
    ...(missed ? [warn('missed', missed, 'A session start that works says this once to the person.')] : []),
  ];
}

/** What is to be said where no hook runs that could say it: what was missed, and agents that commit without an event. */
export async function silences(workspace: Workspace, now: Date): Promise<string[]> {
  const unheard = [...(await unheardHosts(workspace, now)).values()].map((one) => `${one} See \`git mem doctor\`.`);
  const off = workspace.env.GIT_MEM === '0' ? SWITCHED_OFF : undefined;
  return [off, missedSentence(workspace.layout.state), ...unheard].filter((one) => one !== undefined);
}

/** Commits further back in the reflog, or older, are not looked at: an agent that works here commits more. */
const LOOKED_AT = 30;
const WEEK_MS = 7 * 86_400_000;

/** A call that commits is itself reported; at the latest when it ends. */
const PATIENCE_MS = 3_600_000;

/** By host, a sentence on an agent that a trailer names in a commit of this worktree, but that reported no event. */
async function unheardHosts({ checkout, layout, env }: Workspace, now: Date): Promise<Map<string, string>> {
  const last = lastEvents(layout);
  const ids = linesIn(join(checkout.gitDir, 'logs/HEAD'))
    .slice(-LOOKED_AT)
    .flatMap((line) => {
      const [, id, seconds] = /^\w+ (\w+) .*> (\d+) [-+]\d+\tcommit\b/.exec(line) ?? [];
      const atMs = Number(seconds) * 1000;
      return id && atMs > now.getTime() - WEEK_MS ? [id] : [];
    });
  const unheard = new Map<string, string>();
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
  const present = hostsIn(checkout.root);
  for (const [commit, seconds, authors] of ids.toReversed().map((id) => (known.get(id) ?? '').split('\0'))) {
    const host = HOSTS.find(({ coAuthor }) => coAuthor !== undefined && authors?.includes(`<${coAuthor}>`));
    if (host === undefined || unheard.has(host.name) || !(last.has(host.name) || present.includes(host))) continue;
    const lastMs = last.get(host.name);
    if ((lastMs ?? 0) > Number(seconds) * 1000 - PATIENCE_MS) continue;
    const what = `${host.title} made commit ${commit}, but its hooks do not run`;
    unheard.set(host.name, `${what}: last event ${timeOf(lastMs)}.`);
  }
  return unheard;
}

function timeOf(ms: number | undefined): string {
  return ms === undefined ? 'never' : `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
