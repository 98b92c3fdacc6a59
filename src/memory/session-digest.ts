import type { Kind } from './record.ts';

/** One run of a check, in the order they ended; without `passed` its outcome is unknown. */
export interface DigestCheck {
  command: string;
  passed?: boolean | undefined;
}

/** A commit by its full id. */
export interface DigestCommit {
  commit: string;
  subject: string;
}

/** One turn of a session, as far as it was captured. */
export interface DigestTurn {
  /** Number of the user's prompt, from 1. */
  number: number;
  /** The request in one line; empty if prompts are not kept. */
  prompt: string;
  /** Whole sentences of the answer on one line; if nothing was changed, the answer itself. */
  answer: string;
  /** Those changed after the last check come last. */
  files: string[];
  /** How many of `files` these are, if any. */
  unchecked?: number;
  checks: DigestCheck[];
  commits: DigestCommit[];
  /** Ids of the records that the agent saved. */
  saved: string[];
}

/** A digest: per turn a heading, the answer without blank lines, and a list line per file, check, commit and saved record. */
export function encodeTurns(turns: readonly DigestTurn[]): string {
  return turns.map(encodeTurn).join('\n\n');
}

function encodeTurn({ number, prompt, answer, files, unchecked = 0, checks, commits, saved }: DigestTurn): string {
  const changed = files.map((file) => `- changed \`${file}\``);
  const lines = [
    ...changed.slice(0, files.length - unchecked),
    ...checks.map((check) => `- check \`${check.command}\`: ${wordOf(check)}`),
    ...changed.slice(files.length - unchecked),
    ...commits.map(({ commit, subject }) => `- commit ${commit} ${subject}`.trimEnd()),
    ...saved.map((id) => `- saved ${id}`),
  ];
  const heading = `## ${number}. ${prompt}`.trimEnd();
  // What would be read as a heading or a list line is escaped, as in Markdown.
  const text = answer.replace(/^[#\\-]/gm, '\\$&');
  return [heading, text, lines.join('\n')].filter(Boolean).join('\n\n');
}

/** The turns in a digest's text; lines that `encodeTurns` does not write are ignored. */
export function decodeTurns(text: string): DigestTurn[] {
  const turns: DigestTurn[] = [];
  for (const line of text.split('\n')) {
    const heading = /^## (\d+)\.(?: (.*))?$/.exec(line);
    const turn = turns.at(-1);
    if (heading) {
      const [, number, prompt = ''] = heading;
      turns.push({ number: Number(number), prompt, answer: '', files: [], checks: [], commits: [], saved: [] });
    } else if (turn && line.startsWith('- ')) addLine(turn, line);
    else if (turn && line !== '') turn.answer += `${turn.answer && '\n'}${line.replace(/^\\(?=[#\\-])/, '')}`;
  }
  return turns;
}

function addLine(turn: DigestTurn, line: string): void {
  const [, kind = '', rest = ''] = /^- (\w+) (.*)$/.exec(line) ?? [];
  const [, commit = '', subject = ''] = /^([0-9a-f]{7,64})(?: (.*))?$/.exec(rest) ?? [];
  const [, command = '', words = ''] = /^`(.*)`: (\w+(?:, then \w+)*)$/.exec(rest) ?? [];
  if (kind === 'changed') {
    turn.files.push(rest.replace(/^`(.*)`$/, '$1'));
    if (turn.checks.length > 0) turn.unchecked = (turn.unchecked ?? 0) + 1;
  }
  if (kind === 'check' && command !== '')
    for (const word of words.split(', then '))
      turn.checks.push({ command, ...(word !== 'ran' && { passed: word === 'passed' }) });
  else if (kind === 'commit' && commit !== '') turn.commits.push({ commit, subject });
  else if (kind === 'saved') turn.saved.push(rest);
}

/** How a check ended, in one word. */
export function wordOf({ passed }: Pick<DigestCheck, 'passed'>): string {
  if (passed === undefined) return 'ran';
  return passed ? 'passed' : 'failed';
}

/** Whether a record, or its card in an index, is the private digest of a session: it is searched, but not listed. */
export function isSessionDigest<R extends { kind: Kind; type?: string }>(
  record: R,
): record is R & { kind: 'summary'; type: 'digest' } {
  return record.kind === 'summary' && record.type === 'digest';
}
