import type { TurnDigest } from '../extractor.ts';
import { checkFacts } from './commands.ts';
import { fitted, sentenceParts } from './draft.ts';
import type { Evidence } from './kind.ts';
import type { Request } from './request.ts';
import type { Statement } from './statements.ts';
import { isFirstPerson, neutralise } from './voice.ts';

const EMPTY: TurnDigest = { request: '', investigated: [], learned: [], completed: [], next_steps: [], notes: [] };

/** What a trivial turn adds to its session: nothing. */
export function emptyDigest(): TurnDigest {
  return { ...EMPTY, investigated: [], learned: [], completed: [], next_steps: [], notes: [] };
}

/** What a turn adds to the summary of its session. */
export function digestOf(evidence: Evidence, request: Request, questions: string[]): TurnDigest {
  const { statements, touched, runs, commits } = evidence;
  const edits = touched.modified.length > 0;
  const of = (...roles: Statement['role'][]) =>
    statements.filter(({ role }) => roles.includes(role)).map(({ text }) => text);
  const done = of('change', 'side');
  const found = of('cause', 'state', 'open');
  return {
    request: request.phrase === '' ? '' : sentence(request.phrase),
    investigated: investigated(evidence),
    learned: few([...found, ...(edits ? [] : done)], 4),
    completed: [
      ...few(edits ? of('decision', 'change', 'side') : [], 4),
      ...commits.map(({ subject, id }) => `Committed "${subject}"${id === undefined ? '' : ` (${id})`}.`),
      ...checkFacts(runs).slice(0, 2),
    ],
    next_steps: [...few(of('advice'), 3), ...few(questions.map(toDecide).filter(Boolean), 2)],
    notes: few([...of('caveat'), ...(edits ? [] : of('decision'))], 4),
  };
}

function investigated({ turn, touched, runs }: Evidence): string[] {
  const lines: string[] = [];
  if (touched.read.length > 0)
    lines.push(
      `Read ${listed(
        touched.read.map((path) => `\`${path}\``),
        6,
        'files',
      )}.`,
    );
  const commands = [...new Set(runs.map(({ command }) => `\`${command}\``))];
  if (commands.length > 0) lines.push(`Ran ${listed(commands, 3, 'commands')}.`);
  const agents = turn.calls.flatMap(({ action, description }) =>
    action === 'agent' && description ? [description] : [],
  );
  if (agents.length > 0) lines.push(`Sub-agents: ${listed(agents, 3, 'tasks')}.`);
  return lines;
}

function listed(items: string[], most: number, noun: string): string {
  const shown = items.slice(0, most);
  return items.length > most
    ? `${shown.join(', ')} and ${items.length - most} more ${noun}`
    : shown.length < 2
      ? shown.join('')
      : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** One entry is one plain sentence, and a section is no transcript. */
function few(texts: string[], most: number): string[] {
  return texts
    .flatMap((text) => fitted(sentenceParts(text)[0] ?? '').slice(0, 1))
    .filter(Boolean)
    .slice(0, most);
}

/** "Shall I go with X?" leaves "To be decided: go with X." */
function toDecide(asked: string): string {
  const question = asked.replace(/^(?:open )?questions?:\s*/iu, '');
  const match = /^(?:shall|should) (?:I|we) (.{8,200}?)[?？]$/iu.exec(question);
  if (!match?.[1]) return isMatter(question) ? `Open question: ${question}` : '';
  return sentence(
    `To be decided: ${(neutralise(match[1])[0] ?? match[1]).replace(/^\p{Lu}/u, (char) => char.toLowerCase())}`,
  );
}

/** A question about the matter, not about the reader's wishes. */
function isMatter(question: string): boolean {
  return (
    question.length >= 40 &&
    question.length <= 240 &&
    !isFirstPerson(question) &&
    !/\b(?:you|your|du|dir|Sie|Ihnen|vous|tu|anything else)\b/u.test(question)
  );
}

function sentence(text: string): string {
  return /[.!?…。！？]$/u.test(text) ? text : `${text}.`;
}
