import type { PendingTurn } from '../../capture/drain/pending-turns.ts';
import { wholeTurn } from '../../capture/extract/material.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import type { Project } from '../../project.ts';
import type { Annotated } from '../../recall/query/annotate.ts';
import type { Context } from './command.ts';
import { minute, printJson, shown } from './print.ts';
import { titleOf } from './record-table.ts';

/** Prints the turn from which a record was made, as it was captured. */
export async function printKeptTurn(
  { turnsBehind, config }: Project,
  { record, state: { redacted } }: Annotated,
  { stdout, stderr, style, now }: Context,
  json: boolean,
): Promise<void> {
  const turns = redacted ? [] : await turnsBehind(record, now());
  if (json) return printJson(stdout, { id: record.id, turns: turns.map(turnView) });
  const absence = redacted ? 'The record is redacted.' : absenceOf(record, config().config.capture.keep);
  if (turns.length === 0) return void stderr.write(`${absence}\n`);
  stdout.write(`${style('bold', shown(titleOf(record)))}\n`);
  for (const { turn, branch } of turns) {
    const when = minute(turn.startedAt);
    const where = `session ${turn.session}, prompt ${turn.promptNumber}${branch ? `, on ${branch}` : ''}`;
    stdout.write(`${style('dim', shown(`${when} ${where}`))}\n\n`);
    for (const line of wholeTurn(turn).split('\n')) stdout.write(`${shown(line)}\n`);
  }
}

function absenceOf(record: MemoryRecord, keep: string): string {
  if (record.kind === 'summary') return 'A summary is about a whole session: see `git mem sessions show`.';
  if (record.session === undefined) return 'This record is of no session.';
  return keep === 'off'
    ? 'Turns are not kept. `git mem config capture.keep 7d` keeps those to come for a week.'
    : `Its turn is not kept: turns stay for ${keep} (capture.keep).`;
}

function turnView({ turn, branch, commit }: PendingTurn) {
  return {
    session: turn.session,
    prompt_number: turn.promptNumber,
    started: turn.startedAt,
    ended: turn.endedAt,
    branch: branch ?? null,
    commit: commit ?? null,
    prompt: turn.prompt,
    calls: turn.calls,
    reports: turn.reports,
    reply: turn.reply,
    interrupted: turn.interrupted,
  };
}
