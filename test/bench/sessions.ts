import { mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../src/demo/remove-folder.ts';
import type { MemoryRecord } from '../../src/memory/record.ts';
import { replaySession, snapshot } from '../support/replayed-session.ts';
import { sessionsFolder, sharedFolder } from '../support/shared.ts';
import { scoreSession, type Truth } from './facts.ts';
import { printTable } from './table.ts';

/** Recorded sessions of Claude Code, Codex and Gemini CLI, replayed through the launcher and drained with the rules. */
export async function sessions(): Promise<boolean> {
  const folder = sessionsFolder();
  const recorder = sharedFolder('sessions');
  if (folder === undefined || recorder === undefined) {
    console.log(
      '\nSessions: left out, because the recorded sessions do not lie beside this checkout (../shared/sessions).',
    );
    return true;
  }
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'git-mem-sessions-bench-')));
  const rows: string[][] = [];
  const missed: string[] = [];
  const sum = { covered: 0, total: 0, standing: 0 };
  let sound = true;
  try {
    for (const name of readdirSync(folder).sort()) {
      const truth: Truth & { deserves_memory: boolean } = JSON.parse(
        readFileSync(join(folder, name, 'truth.json'), 'utf8'),
      );
      const session = await replaySession(recorder, join(folder, name), join(work, name));
      const { records }: { records: MemoryRecord[] } = JSON.parse(
        session.gitMem('list', '--all', '--json', '--limit', '10000'),
      );
      const score = scoreSession(truth, records);
      const observations = records.filter(({ kind }) => kind === 'observation');
      const perTurn = Math.max(0, ...countBy(observations.map(({ prompt_number }) => String(prompt_number))).values());
      const before = { ...snapshot(join(session.root, '.memory')), ...snapshot(join(session.state, 'private')) };
      session.again();
      const after = { ...snapshot(join(session.root, '.memory')), ...snapshot(join(session.state, 'private')) };
      const unchanged = JSON.stringify(before) === JSON.stringify(after);
      const failedHooks = session.hooks.filter(({ exit }) => exit !== 0).length;
      const left =
        truth.deserves_memory || Object.keys(before).every((path) => !/^(observations|summaries|prompts)\//.test(path));
      sound &&= session.leaks.length === 0 && unchanged && failedHooks === 0 && left && perTurn <= 4;
      sum.covered += score.covered;
      sum.total += score.total;
      sum.standing += score.standing.length;
      missed.push(
        ...score.perFact
          .filter((fact) => !fact.covered)
          .map(({ id, optional }) => `${name} ${id}${optional ? ' (optional)' : ''}`),
      );
      for (const { kind, where } of session.leaks) console.log(`  LEAK of ${kind} in ${where}`);
      rows.push([
        name,
        String(session.hooks.length),
        String(observations.length),
        String(perTurn),
        `${score.covered}/${score.total}`,
        String(score.standing.length),
        String(session.leaks.length),
        unchanged ? 'nothing' : 'CHANGED',
      ]);
    }
  } finally {
    await removeFolder(work);
  }
  const share = sum.covered / Math.max(1, sum.total);
  printTable(
    'Recorded sessions: facts that one record holds whole (rules extractor)',
    ['session', 'hooks', 'observations', 'most a turn', 'facts', 'standing', 'leaks', 'second replay changes'],
    rows,
  );
  console.log(
    `\n  Facts found: ${share.toFixed(3)} (>= 0.85 ${share >= 0.85 ? 'holds' : 'BROKEN'}). Taken back in the session but left standing: ${sum.standing}.`,
  );
  if (missed.length > 0) console.log(`  Missed: ${missed.join(', ')}.`);
  return sound && share >= 0.85;
}

function countBy(values: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
