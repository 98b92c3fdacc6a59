import { type MemoryRecord, oneLine } from '../../memory/record.ts';
import { sanitiseForTerminal } from '../../privacy/sanitise.ts';

/** Longest subject of a commit, in characters. */
const SUBJECT = 72;

const NAMES = [
  ['observation', 'observation', 'observations'],
  ['summary', 'summary', 'summaries'],
  ['mark', 'mark', 'marks'],
] as const;

/** The commit message for these records: `memory: 3 observations, 1 summary of session Tolerate clock skew`. */
export function commitSubject(records: MemoryRecord[]): string {
  const counts = NAMES.flatMap(([kind, one, many]) => {
    const count = records.filter((record) => record.kind === kind).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  const subject = `memory: ${counts.join(', ')}`;
  const sessions = new Set(records.flatMap(({ session }) => session ?? []));
  if (sessions.size > 1) return `${subject} of ${sessions.size} sessions`;
  const summary = records.find((record) => record.kind === 'summary');
  const title = summary === undefined ? '' : oneLine(sanitiseForTerminal(summary.title));
  if (title === '') return subject;
  const whole = `${subject} of session ${title}`;
  return whole.length <= SUBJECT ? whole : `${cut(whole)}…`;
}

/** As many whole words as fit; never half a character. */
function cut(text: string): string {
  const room = [...text].slice(0, SUBJECT - 1).join('');
  return room.slice(0, Math.max(room.lastIndexOf(' '), SUBJECT / 2)).trimEnd();
}
