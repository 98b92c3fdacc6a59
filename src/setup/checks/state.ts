import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readNotUnderstood } from '../../capture/drain/event-file.ts';
import { conditionsOf } from '../../capture/extract/chosen-provider.ts';
import { failedNames, pending } from '../../capture/spool/spool.ts';
import { isSystemError, messageOf } from '../../errors.ts';
import { isFallback } from '../../memory/store/layout.ts';
import { linesIn } from '../../memory/store/lines.ts';
import { isLocked } from '../../memory/store/lock.ts';
import { counted } from '../../quantities.ts';
import { type Check, fail, ok, type Patient, warn } from '../check.ts';

const DAY_MS = 86_400_000;

/** About as many bytes as one event takes. */
const PROBE_BYTES = 4096;

/** Checks whether the state folder can be used and, if so, whether its contents are in order. */
export function checkState(patient: Patient): Check[] {
  const folder = checkFolder(patient);
  if (folder.status === 'fail') return [folder];
  return [folder, ...checkEvents(patient), ...checkDrain(patient), checkLog(patient)];
}

function checkFolder({ workspace: { layout, checkout, env } }: Patient): Check {
  const probe = join(layout.state, `.probe-${process.pid}`);
  try {
    try {
      // Not an empty file, which even a full disk accepts.
      writeFileSync(probe, Buffer.alloc(PROBE_BYTES), { mode: 0o600 });
    } finally {
      rmSync(probe, { force: true });
    }
  } catch (error) {
    const hint = isSystemError(error, 'ENOSPC', 'EDQUOT')
      ? 'Make room there: until then events are not captured, and what was captured waits.'
      : 'Make that folder writable, or name another one in GIT_MEM_STATE.';
    return fail('state', `${layout.state} cannot be written: ${messageOf(error)}.`, hint);
  }
  if (!isFallback(layout, checkout, env)) return ok('state', `${layout.state}.`);
  const message = `The git folder cannot be written, so state is in ${layout.state}.`;
  return warn('state', message, 'Nothing is lost; worktrees on other accounts do not share it.');
}

/** Most set-aside events that are named. */
const NAMED = 3;

function checkEvents({ workspace: { layout }, now }: Patient): Check[] {
  const checks: Check[] = [];
  const states = [layout.state, ...layout.otherStates];
  const waiting = states.flatMap(pending);
  const oldestMs = Math.min(...waiting.map(({ timeMs }) => timeMs));
  if (waiting.length === 0) checks.push(ok('events', 'No event waits.'));
  else {
    const message = `${counted(waiting.length, 'event')} wait${waiting.length === 1 ? 's' : ''}, the oldest for ${age(now.getTime() - oldestMs)}.`;
    const isStuck = now.getTime() - oldestMs > DAY_MS;
    checks.push(isStuck ? warn('events', message, 'Run `git mem drain --all`.') : ok('events', message));
  }
  for (const state of states) {
    const failed = failedNames(state);
    if (failed.length === 0) continue;
    const where = join(state, 'spool', 'failed');
    const few = `${failed.slice(0, NAMED).join(', ')}${failed.length > NAMED ? ', ...' : ''}`;
    const message = `${counted(failed.length, 'event')} could not be read and are in ${where}: ${few}.`;
    checks.push(warn('events', message, 'See hook.log for the reason, then delete them.'));
  }
  return checks;
}

function checkDrain({ workspace: { layout }, loaded: { config }, env, now }: Patient): Check[] {
  const drain = ok('drain', isLocked(join(layout.state, 'lock')) ? 'A drain is running.' : 'No drain is running.');
  const conditions = conditionsOf(config.extract, { state: layout.state, env, now });
  const checks = conditions.flatMap(({ provider, failures, until, reason }) => {
    if (failures === 0) return [];
    const next = until === null ? '' : `, next try after ${until}`;
    const message = `${provider} failed ${counted(failures, 'time')}${next}: ${reason}`;
    return warn('provider', message, 'Events are kept until then; `git mem drain --wait` tries at once.');
  });
  return [drain, ...checks];
}

function checkLog({ workspace: { layout }, now }: Patient): Check {
  const lines = logLinesSince(layout.state, now.getTime() - DAY_MS);
  // Payloads that were not understood have their own check.
  const recent = lines.filter((line) => readNotUnderstood(line) === undefined);
  const last = recent.at(-1);
  if (last === undefined) return ok('log', 'No trouble in the last day.');
  const message = `${counted(recent.length, 'line')} of trouble in the last day, the last one: ${last}`;
  return warn('log', message, `See ${layout.state}/hook.log.`);
}

function age(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  if (minutes < 60) return counted(minutes, 'minute');
  return minutes < 48 * 60 ? counted(Math.round(minutes / 60), 'hour') : counted(Math.round(minutes / 1440), 'day');
}

/** The lines that hooks and drains wrote to `hook.log` since a time (milliseconds since 1970), oldest first. */
export function logLinesSince(state: string, sinceMs: number): string[] {
  const since = new Date(sinceMs).toISOString();
  return ['hook.log.1', 'hook.log'].flatMap((name) => linesIn(join(state, name))).filter((line) => line > since);
}
