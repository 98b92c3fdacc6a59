import type { FileHistory } from '../../provenance/history.ts';
import { shown } from './print.ts';

/** The history of the files that a record cites, a line each; fresh ones need none. */
export function fileHistoryLines(histories: FileHistory[]): string[] {
  return histories.filter(({ freshness }) => freshness !== 'fresh').map((history) => shown(lineOf(history)));
}

function lineOf({ file, freshness, moved_to, commits_since, last, shallow }: FileHistory): string {
  const where = moved_to === undefined ? '' : freshness === 'moved' ? ` to ${moved_to}` : ` as ${moved_to}`;
  const count = commits_since === undefined ? '' : commits_since === 1 ? '1 commit' : `${commits_since} commits`;
  const parts = [
    commits_since === 0 ? 'not committed' : count && `${count} since`,
    last && `last ${last.commit} ${last.date.slice(0, 10)} ${last.subject} (${last.author})`,
    shallow && 'the history here ends too early to count commits',
  ].filter(Boolean);
  return `${file}: ${freshness}${where}${parts.length > 0 ? `; ${parts.join(', ')}` : ''}`;
}
