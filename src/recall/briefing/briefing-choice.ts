import { authorOf } from '../../memory/author.ts';
import type { Line } from './briefing-lines.ts';

/** Most lines per turn and per session, so that a briefing covers many sessions rather than one at length. */
const MOST_OF = { turn: 1, session: 2 } as const;

/** Largest share of the room for bootstrap records, however little else there is: nobody chose to save them. */
const BOOTSTRAP_SHARE = 1 / 5;

/**
 * The first lines that fit into `room` characters, at most `most`, without too many from one turn, session or source; how
 * many characters are left; and the record of every other line, with why it is left out.
 */
export function chooseLines(lines: readonly Line[], { room, most }: { room: number; most: number }) {
  const chosen: Line[] = [];
  const refused: { id: string; reason: string }[] = [];
  const taken = new Map<string, number>();
  let left = room;
  let bootstrapLeft = Math.floor(room * BOOTSTRAP_SHARE);
  for (const line of lines) {
    // The first line of a day also pays for the day's heading.
    const heading = chosen.some((other) => other.group === line.group) ? 0 : line.group.length + 5;
    const cost = line.text.length + 1 + heading;
    const isLimited = !line.isAskedFor && authorOf(line.candidate.record) === 'bootstrap';
    const reason = chosen.length >= most || cost > left ? 'budget' : repetition(line, taken);
    if (reason !== undefined || (isLimited && cost > bootstrapLeft)) {
      refused.push({ id: line.candidate.record.id, reason: reason ?? 'bootstrap has its share' });
      continue;
    }
    left -= cost;
    if (isLimited) bootstrapLeft -= cost;
    for (const { key } of line.isAskedFor ? [] : originsOf(line)) taken.set(key, (taken.get(key) ?? 0) + 1);
    chosen.push(line);
  }
  return { chosen, left, refused };
}

/** Why a line would over-represent its turn or session, or undefined. */
function repetition(line: Line, taken: ReadonlyMap<string, number>): string | undefined {
  if (line.isAskedFor) return undefined;
  return originsOf(line).find(({ key, most }) => (taken.get(key) ?? 0) >= most)?.reason;
}

function originsOf({ candidate: { record } }: Line): { key: string; most: number; reason: string }[] {
  const { session, prompt_number } = record;
  if (session === undefined) return [];
  const inSession = { key: session, most: MOST_OF.session, reason: 'its session has two lines already' };
  if (prompt_number === undefined) return [inSession];
  return [{ key: `${session} ${prompt_number}`, most: MOST_OF.turn, reason: 'its turn has a line already' }, inSession];
}
