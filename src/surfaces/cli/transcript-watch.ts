import { LOGGED_HOSTS, type LoggedHost } from '../../capture/agents/agents.ts';
import type { LogReport } from '../../capture/drain/transcripts/follower.ts';
import { watchLogs } from '../../capture/drain/transcripts/watch-logs.ts';
import { durationMs } from '../../config.ts';
import { GitMemError, messageOf } from '../../errors.ts';
import { oneAtATime } from '../../one-at-a-time.ts';
import type { Project } from '../../project.ts';
import { counted } from '../../quantities.ts';
import { readEverything } from '../../records/read.ts';
import { dateOf } from '../../search/dates.ts';
import { capturingProject, interruptible } from './capturing.ts';
import type { Context } from './command.ts';
import { shown } from './print.ts';

export interface TranscriptOptions {
  /** Names of hosts; true for all hosts that keep logs. */
  transcripts: string[] | true;
  since?: string;
  /** Goes on until Ctrl-C; without it the logs are read up to their ends. */
  watch?: boolean;
  json?: boolean;
}

/** The value of a record's `generated.by` for sessions captured from a log. */
const OWN = 'transcript';

/** Captures from hosts' logs: `git mem sync --transcripts`, with `--watch` until Ctrl-C. */
export async function watchTranscripts(context: Context, options: TranscriptOptions): Promise<void> {
  const once = options.watch !== true;
  const project = capturingProject(context);
  if (project === undefined) return;
  const hosts = chosen(options.transcripts);
  const { since } = options;
  const sinceMs = since === undefined ? undefined : Date.parse(dateOf(since, 'start', context.now()));
  const captured = new Set(sinceMs === undefined ? [] : await capturedElsewhere(project));
  await interruptible(async (signal) => {
    const { env, stderr } = context;
    const drains = drainer(project, signal, context);
    let events = 0;
    await watchLogs(project.workspace, {
      env,
      hosts,
      captured,
      once,
      clock: context.now,
      signal,
      ...(sinceMs !== undefined && { sinceMs }),
      onReport(report) {
        events += report.events;
        if (options.json) context.stdout.write(`${JSON.stringify(report)}\n`);
        else stderr.write(lineOf(report));
        if (report.turn_ended) drains.wake();
        if (report.events > 0) drains.wakeLater();
      },
      onReady(logs) {
        const names = hosts.map(({ name }) => name).join(', ');
        const end = once ? '' : ' Ctrl-C ends this.';
        if (!options.json) stderr.write(`Following ${counted(logs.length, 'log')} (${names}).${end}\n`);
      },
    });
    const written = await drains.close(once);
    if (!once) return;
    if (options.json) context.json({ events, written });
    else stderr.write(`${counted(events, 'event')} captured, ${counted(written.length, 'record')} written.\n`);
  });
}

function chosen(names: string[] | true): readonly LoggedHost[] {
  if (names === true) return LOGGED_HOSTS;
  return names.map((name) => {
    const host = LOGGED_HOSTS.find((one) => one.name === name);
    if (host !== undefined) return host;
    throw new GitMemError('bad-input', `There is no agent called "${name}" whose logs can be read.`, {
      hint: `There are ${LOGGED_HOSTS.map((one) => one.name).join(', ')}; others can pipe events into \`git mem capture\`.`,
    });
  });
}

/** Sessions reported by hooks, or imported; needed because the drain forgets its own notes on sessions in time. */
async function capturedElsewhere({ workspace }: Project): Promise<string[]> {
  const { records } = await readEverything(workspace);
  return records.flatMap(({ record }) =>
    'session' in record && record.session && record.generated.by !== OWN ? [record.session] : [],
  );
}

/** Runs drains in this process, one at a time: at the end of turns, and when sessions have become idle. */
function drainer(project: Project, signal: AbortSignal, context: Context) {
  const idleMs = durationMs(project.config().config.capture.idle_after);
  const written: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const work = async () => {
    const report = await project.drain({ all: false, now: false, signal });
    written.push(...(report?.written ?? []));
  };
  const { wake, idle } = oneAtATime(work, { signal, onError: (error) => context.say(messageOf(error)) });
  return {
    wake,
    wakeLater() {
      clearTimeout(timer);
      // No log says that its session is over. A minute later it surely counts as idle; Node's timers take 31 bits.
      timer = setTimeout(wake, Math.min(idleMs + 60_000, 2 ** 31 - 1));
      timer.unref();
    },
    async close(isLast: boolean): Promise<string[]> {
      clearTimeout(timer);
      await idle();
      if (isLast) wake();
      await idle();
      return written;
    },
  };
}

function lineOf({ path, host, events, unreadable, too_long, hooked, problem }: LogReport): string {
  const parts = [
    events > 0 && `${counted(events, 'event')} captured`,
    hooked > 0 && `${counted(hooked, 'event')} left to the hooks that report this session`,
    unreadable > 0 && `${counted(unreadable, 'line')} not understood`,
    too_long > 0 && `${counted(too_long, 'line')} too long to read`,
    problem && shown(problem),
  ].filter(Boolean);
  return parts.length === 0 ? '' : `${host} ${shown(path)}: ${parts.join(', ')}.\n`;
}
