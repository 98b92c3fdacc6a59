import { mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MemoryRecord } from '../../src/memory/record.ts';
import { removeFolder } from '../../src/setup/demo.ts';
import { longSession } from '../support/long-session.ts';
import { costOf } from '../support/model-session.ts';
import { replaySession, snapshot } from '../support/replayed-session.ts';
import { sessionsFolder, sharedFolder } from '../support/shared.ts';
import { type Figure, figure, figuresIn, printTable } from './table.ts';

/**
 * What is remembered of sessions, at which cost by a model, and whether any of it leaks. Real agents that are asked in
 * band are tested by `npm run test:hosts`.
 */
export async function sessions(): Promise<Figure[]> {
  return [...(await recordedSessions()), ...(await modelCost())];
}

/** What a model is asked and sent about a session of twenty turns, on a local server that answers sensibly. */
async function modelCost(): Promise<Figure[]> {
  const { calls, fresh, sent } = await costOf(longSession());
  const rows = [
    figure('calls', calls, 0, { atMost: 3 }),
    figure('characters sent for each new one', sent / fresh, 2, { atMost: 1.2 }),
  ];
  const about = 'twenty turns with a model';
  printTable(`${about}, of ${fresh} new characters`, ['', 'value', 'bound', ''], rows);
  return figuresIn(rows, { about });
}

/** Recorded sessions of Claude Code, Codex and Gemini CLI, replayed through the launcher: nothing leaks or doubles. */
async function recordedSessions(): Promise<Figure[]> {
  const folder = sessionsFolder();
  const recorder = sharedFolder('sessions');
  if (folder === undefined || recorder === undefined) {
    console.log(
      '\nSessions: left out, because the recorded sessions do not lie beside this checkout (../shared/sessions).',
    );
    return [];
  }
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'git-mem-sessions-bench-')));
  const rows: string[][] = [];
  let unsound = 0;
  try {
    for (const name of readdirSync(folder).sort()) {
      const truth: { deserves_memory: boolean } = JSON.parse(readFileSync(join(folder, name, 'truth.json'), 'utf8'));
      const session = await replaySession(recorder, join(folder, name), join(work, name));
      const { records }: { records: MemoryRecord[] } = JSON.parse(
        session.gitMem('list', '--all', '--json', '--limit', '10000'),
      );
      const observations = records.filter(({ kind }) => kind === 'observation');
      const perTurn = Math.max(0, ...countBy(observations.map(({ prompt_number }) => String(prompt_number))).values());
      const before = { ...snapshot(join(session.root, '.memory')), ...snapshot(join(session.state, 'private')) };
      session.again();
      const after = { ...snapshot(join(session.root, '.memory')), ...snapshot(join(session.state, 'private')) };
      const unchanged = JSON.stringify(before) === JSON.stringify(after);
      const failedHooks = session.hooks.filter(({ exit }) => exit !== 0).length;
      const team = Object.keys(snapshot(join(session.root, '.memory')));
      const left = truth.deserves_memory || team.every((path) => !/^(observations|summaries)\//.test(path));
      const isSound = session.leaks.length === 0 && unchanged && failedHooks === 0 && left && perTurn <= 1;
      unsound += Number(!isSound);
      for (const { kind, where } of session.leaks) console.log(`  LEAK of ${kind} in ${where}`);
      rows.push([
        name,
        String(session.hooks.length),
        String(observations.length),
        String(perTurn),
        String(session.leaks.length),
        unchanged ? 'nothing' : 'CHANGED',
      ]);
    }
  } finally {
    await removeFolder(work);
  }
  printTable(
    'Recorded sessions, replayed without a model',
    ['session', 'hooks', 'observations', 'most a turn', 'leaks', 'second replay changes'],
    rows,
  );
  return figuresIn([
    figure(`of ${rows.length} recorded sessions, those that leak, double or hurt their agent`, unsound, 0, {
      atMost: 0,
    }),
  ]);
}

function countBy(values: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
