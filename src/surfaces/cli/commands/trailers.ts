import { findDecoder } from '../../../capture/agents/agents.ts';
import { asRecord } from '../../../capture/agents/payload.ts';
import { readSessions } from '../../../capture/drain/session-state.ts';
import { pending, readEvent } from '../../../capture/spool/spool.ts';
import { readGit } from '../../../git/objects.ts';
import type { Workspace } from '../../../memory/store/workspace.ts';
import { readInjected } from '../../../recall/prompt/injected.ts';
import type { Command, Context } from '../command.ts';
import { printJson } from '../print.ts';

/** A waiting event larger than this, in bytes, is not opened to find its session: bounds the time before a commit. */
const MAX_BYTES = 1_000_000;

export function register(program: Command, context: Context): void {
  program
    .command('trailers')
    .description('print a `Memory-Used:` line for each team record injected into the sessions since the last commit')
    .option('--session <id>', 'only what was injected into this session')
    .option('--json', 'print JSON')
    .notes(`
Examples:
  git mem trailers                                  what the work since HEAD knew
  git commit -m "Fix it" -m "$(git mem trailers)"   the same at the end of a commit message
  git log --grep "Memory-Used: k3v9x2qd7m"          what a record was used for`)
    .action(async (options: { session?: string; json?: boolean }) => {
      const { workspace } = context.project();
      const sessions = options.session ? [options.session] : await recentSessions(workspace, context.now());
      const { state } = workspace.layout;
      const injected = new Set(sessions.flatMap((session) => [...readInjected(state, session).ids]));
      // Private records are left out, because everybody can read a commit message.
      const used = workspace.stores.team
        .ids()
        .filter((id) => injected.has(id))
        .sort();
      if (options.json) return printJson(context.stdout, { sessions, used });
      context.stdout.write(used.map((id) => `Memory-Used: ${id}\n`).join(''));
    });
}

/** The sessions active in this checkout since HEAD was committed; their events may still wait in the spool. */
async function recentSessions(workspace: Workspace, now: Date): Promise<string[]> {
  const { checkout, env, layout } = workspace;
  const time = await readGit(checkout.root, ['log', '-1', '--format=%ct', '--no-show-signature'], env);
  const since = Number(time?.toString('latin1').trim() || 0) * 1000;
  const known = readSessions(layout.state, now.getTime())
    .filter(({ root, lastAt }) => root === checkout.root && Date.parse(lastAt) >= since)
    .map(({ session }) => session);
  const waiting = [layout.state, ...layout.otherStates].flatMap((state) =>
    waitingSessions(state, checkout.root, since),
  );
  return [...new Set([...known, ...waiting])];
}

function waitingSessions(state: string, root: string, since: number): string[] {
  return pending(state).flatMap(({ name, size, timeMs }) => {
    if (size > MAX_BYTES || timeMs < since) return [];
    try {
      const read = readEvent(state, name);
      if (read?.head.root !== root) return [];
      const payload: unknown = JSON.parse(read.payload);
      const events = findDecoder(read.head.host)?.toEvents(read.head.event, asRecord(payload)) ?? [];
      return events.map(({ session }) => session);
    } catch {
      return []; // Taken by a drain meanwhile, or not an event: the drain reports it.
    }
  });
}
