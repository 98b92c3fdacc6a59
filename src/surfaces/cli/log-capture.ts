import { LOGGED_HOSTS, type LoggedHost } from '../../capture/agents/agents.ts';
import { type LogReport, readLogs } from '../../capture/drain/transcripts/read-logs.ts';
import { GitMemError } from '../../errors.ts';
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
  json?: boolean;
}

/** The value of a record's `generated.by` for sessions captured from a log. */
const OWN = 'transcript';

/** Captures from hosts' logs up to their ends: `git mem sync --transcripts`. */
export async function captureLogs(context: Context, { transcripts, since, json }: TranscriptOptions): Promise<void> {
  const project = capturingProject(context);
  if (project === undefined) return;
  const hosts = chosen(transcripts);
  const { env, stdout, stderr, now: clock } = context;
  const sinceMs = since === undefined ? undefined : Date.parse(dateOf(since, 'start', clock()));
  const captured = new Set(sinceMs === undefined ? [] : await capturedElsewhere(project));
  await interruptible(async (signal) => {
    let events = 0;
    for await (const report of readLogs(project.workspace, { env, hosts, captured, clock, signal, sinceMs })) {
      events += report.events;
      if (json) stdout.write(`${JSON.stringify(report)}\n`);
      else stderr.write(lineOf(report));
    }
    const written = (await project.drain({ all: false, now: false, signal }))?.written ?? [];
    if (json) context.json({ events, written });
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

/** Sessions reported by hooks, or imported; needed because the drain forgets its own notes on sessions eventually. */
async function capturedElsewhere({ workspace }: Project): Promise<string[]> {
  const { records } = await readEverything(workspace);
  return records.flatMap(({ record }) =>
    'session' in record && record.session && record.generated.by !== OWN ? [record.session] : [],
  );
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
