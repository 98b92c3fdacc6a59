import { partsOfLine } from '../../agents/shell-reads.ts';
import type { Evidence } from './kind.ts';
import type { Statement } from './statements.ts';

const CHORE =
  /^(?:ls|ll|dir|pwd|cd|echo|date|whoami|clear|tree|which|git(?: -C \S+)? (?:status|log|diff|branch|add|commit|push|pull|fetch|checkout|switch|stash|tag|show|remote|rev-parse|config|worktree|merge|rebase)|gh (?:pr|run) (?:create|view|list|status)|true)\b|^(?:cat|head|tail|wc|sort|less)(?:\s+-\S+)*$/u;

/** Statements that hold knowledge whatever else the turn did. */
const LASTING: Statement['role'][] = ['cause', 'decision', 'caveat', 'side', 'open', 'advice'];

/** The statements that are worth keeping; undefined where the turn deserves no memory. */
export function substance({ turn, touched, statements }: Evidence): Statement[] | undefined {
  const source = touched.modified.length > 0;
  if (source && !isBookkeeping(touched.modified))
    return statements.some(isTelling) || turn.interrupted || turn.reply === '' ? statements : undefined;
  const shell = turn.calls.flatMap(({ command }) => partsOfLine(command ?? ''));
  const looked = turn.calls.some(({ action, ok }) => action !== 'command' && action !== 'other' && ok !== false);
  const chores = !looked && shell.every((part) => CHORE.test(part));
  const lasting = statements.filter(({ role, text }) => LASTING.includes(role) && text.length >= 40);
  if (chores || isBookkeeping(touched.modified)) {
    if (turn.calls.length > 0) return lasting.length > 0 ? lasting : undefined;
    // A question answered from knowledge: worth keeping where the answer is definite.
    return statements.some(isDefinite) ? statements.filter(isTelling) : undefined;
  }
  return lasting.length > 0 || statements.filter(isTelling).length >= 2 ? statements : undefined;
}

/** A change log line on its way to a commit is no work of its own. */
function isBookkeeping(modified: string[]): boolean {
  return (
    modified.length > 0 &&
    modified.every((path) => /(?:^|\/)(?:CHANGELOG|CHANGES|HISTORY|RELEASES?)(?:\.\w+)?$/iu.test(path))
  );
}

function isTelling({ role, text }: Statement): boolean {
  return role !== 'outcome' && role !== 'commit' && text.length >= 25;
}

function isDefinite({ role, text, identifiers }: Statement): boolean {
  return text.length >= 40 && (identifiers.size > 0 || /\d/u.test(text)) && role !== 'advice' && role !== 'outcome';
}
