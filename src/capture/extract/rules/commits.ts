import { isCommit } from '../../agents/occasion.ts';
import type { Turn } from '../turn.ts';

/** A commit that the agent made, in its own words. */
export interface Commit {
  subject: string;
  /** Paragraphs and lists below the subject, without trailers. */
  body: string;
  /** Short commit id where the output shows it. */
  id?: string;
}

/** Characters of output that are searched: git says it before its list of files, but hooks may print before git. */
const SCAN = 40_000;
const TRAILER =
  /^(?:[A-Z][\w-]+-(?:by|with|to)|Change-Id|Refs?|Fixes|Closes|Signed-off-by|[A-Z]\w+-[A-Z][\w-]+):\s|^🤖 |Generated with /u;

/** The commits that a turn made, oldest first. */
export function commitsOf(turn: Turn): Commit[] {
  return turn.calls.filter(isCommit).flatMap(({ command = '', output }) => {
    const printed = /^\[[^\]\n]{1,120} ([0-9a-f]{7,40})\] (.{1,300})$/mu.exec(output.slice(0, SCAN));
    const message = messageIn(command.slice(0, 8000)) ?? printed?.[2] ?? '';
    const [subject = '', ...rest] = message.trim().split('\n');
    if (subject.trim() === '') return [];
    const body = rest
      .filter((line) => !TRAILER.test(line.trim()))
      .join('\n')
      .trim();
    return [{ subject: subject.trim(), body, ...(printed?.[1] && { id: printed[1].slice(0, 7) }) }];
  });
}

function messageIn(line: string): string | undefined {
  const commit = line.slice(Math.max(0, line.search(/\bcommit\b/u)));
  const heredoc = /\$\(cat\s*<<-?\s*['"]?(\w+)['"]?\n([\s\S]*?)\n\s*\1\b/u.exec(commit)?.[2];
  if (heredoc !== undefined) return heredoc;
  const parts = [...commit.matchAll(/\s(?:-\w*m|--message)[ =]?(?:"((?:[^"\\]|\\.){1,4000})"|'([^']{1,4000})')/gu)];
  const texts = parts.map(([, double, single]) => (double ?? single ?? '').replace(/\\(["`$\\])/gu, '$1'));
  return texts.length === 0 || texts[0]?.startsWith('$(') ? undefined : texts.join('\n\n');
}
