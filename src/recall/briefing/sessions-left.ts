import { cut } from '../../memory/clamp.ts';
import { isHidden } from '../../memory/marks.ts';
import { oneLine, type Summary } from '../../memory/record.ts';
import { decodeTurns, isSessionDigest } from '../../memory/session-digest.ts';
import { type Candidate, type Line, leadingSentences } from './briefing-lines.ts';
import { cleanLine, TITLE_CHARS } from './fence.ts';

/** Most characters of what a session left open, and most files that are named. */
const OPEN_CHARS = 240;
const MOST_FILES = 3;

/**
 * What the last sessions on a branch left, newest first: of the last one what came of it, of those before only what they
 * left open. A session speaks by its agent's summary, else by its digest. The input is sorted newest first.
 */
export function sessionLines(summaries: readonly Candidate<Summary>[], branch: string | undefined): Line[] {
  const lines: Line[] = [];
  const told = new Set<string>();
  const isSaid = new Set(summaries.flatMap(({ record }) => (isSessionDigest(record) ? [] : (record.session ?? []))));
  for (const candidate of summaries) {
    const { record, state, entry, shortId } = candidate;
    const session = record.session ?? record.id;
    if (record.branch !== branch || isHidden(state) || told.has(session)) continue;
    if (isSessionDigest(record) && isSaid.has(session)) continue;
    told.add(session);
    const open = isSessionDigest(record) ? leftOpen(record) : saidOpen(record);
    if (lines.length > 0 && open === '') continue;
    const title = `${shortId} ${entry.time.slice(0, 10)} ${cut(record.title, TITLE_CHARS)}`;
    const text = cleanLine(`${title}${open === '' ? '' : ` — ${open}`}`);
    lines.push({
      candidate,
      text,
      reason: lines.length === 0 ? 'the last session on this branch' : 'left something open',
    });
  }
  return lines;
}

function saidOpen({ next_steps, completed }: Summary): string {
  const next = oneLine(next_steps);
  if (next !== '') return `Next: ${leadingSentences(next, OPEN_CHARS)}`;
  return leadingSentences(oneLine(completed), OPEN_CHARS);
}

/**
 * What hooks saw last: checks that failed with none passed after them, nor the same program run with an unknown end, and
 * changed files in none of its commits.
 */
function leftOpen({ request }: Summary): string {
  const turns = decodeTurns(request);
  const checks = turns.flatMap((turn) => turn.checks);
  const last = checks.slice(checks.findLastIndex(({ passed }) => passed) + 1);
  const unanswered = last.filter(({ command, passed }, i) => {
    const later = last.slice(i).flatMap((one) => (one.passed === undefined ? programsIn(one.command) : []));
    return passed === false && !programsIn(command).every((program) => later.includes(program));
  });
  const failing = [...new Set(unanswered.map(({ command }) => command))].map(
    (command) => `\`${cut(command, 60)}\` failed`,
  );
  const committed = turns.findLastIndex(({ commits }) => commits.length > 0);
  const files = [...new Set(turns.slice(committed + 1).flatMap((turn) => turn.files))];
  const more = files.length > MOST_FILES ? ` and ${files.length - MOST_FILES} more` : '';
  const uncommitted = files.length > 0 ? [`not committed: ${files.slice(0, MOST_FILES).join(', ')}${more}`] : [];
  const left = [...failing, ...uncommitted];
  return left.length > 0 ? `When it ended: ${left.join('; ')}.` : '';
}

/** The programs of a list of checks: `go test`, `npm run lint`, `pytest`. */
function programsIn(command: string): string[] {
  return command.split(' && ').map((part) => {
    const [first = '', ...rest] = part.split(' ');
    const words = [first.replace(/^.*\//, ''), ...rest.filter((word) => /^\w[\w:-]*$/.test(word))];
    return words.slice(0, words[1] === 'run' ? 3 : 2).join(' ');
  });
}
