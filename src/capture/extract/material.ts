import { clampSentences, elide } from '../../memory/clamp.ts';
import { block, oneLine } from '../../memory/record.ts';
import { isReader, partsOfLine } from '../agents/shell-reads.ts';
import { plainText, proseIn } from './prose.ts';
import type { Turn, TurnCall } from './turn.ts';

/** Most characters of what people and agents said, which matters most: the same in turns of any size. */
const WORDS = { prompt: 2_000, reply: 2_500, report: 1_000 } as const;

/** Most characters of each field of a call; 0 leaves it out. */
interface CallCaps {
  command: number;
  /** A longer one is left out. */
  description: number;
  change: number;
  failure: number;
  output: number;
}

/** Most characters of a turn, so that twenty make three questions; with many calls, each of them says less. */
const MAX_TURN = 6_000;
const CALLS: CallCaps[] = [
  { command: 500, description: 120, change: 500, failure: 1_200, output: 400 },
  { command: 300, description: 120, change: 300, failure: 800, output: 200 },
  { command: 200, description: 0, change: 120, failure: 400, output: 0 },
  { command: 120, description: 0, change: 0, failure: 200, output: 0 },
];

/** A turn that the agent closed itself is needed only to understand the next one: its first sentences will do. */
const CLOSED = { prompt: 300, reply: 300 } as const;

/** Renders for a model what happened in a turn, in order, each field cut to its own bound with a visible marker. */
export function renderTurn(turn: Turn): string {
  if (turn.saved) return renderClosed(turn);
  let text = '';
  for (const caps of CALLS) {
    text = linesOf(turn, caps).join('\n');
    if (text.length <= MAX_TURN) break;
  }
  return elide(text, MAX_TURN);
}

function renderClosed({ prompt, reply }: Turn): string {
  const [asked, answered] = [elide(clean(prompt), CLOSED.prompt), firstWords(reply, CLOSED.reply)];
  return `USER: ${asked}\nAGENT: ${answered}\nThe agent saved what there is to remember of this turn itself.`;
}

function linesOf(turn: Turn, caps: CallCaps): string[] {
  // Some hosts give a sub-agent's last message as the result of its call, too.
  const outputs = new Set(turn.calls.map(({ output }) => output.trim()));
  const reports = turn.reports.filter((report) => !outputs.has(report.trim()));
  return [
    turn.prompt && `${turn.promptFrom === 'user' ? 'USER' : 'MACHINE'}: ${cut(turn.prompt, WORDS.prompt)}`,
    ...joinReads(turn.calls.map((call) => renderCall(call, caps)).filter(Boolean)),
    ...reports.map((report) => `SUB-AGENT: ${cut(report, WORDS.report)}`),
    turn.reply && `AGENT: ${cut(turn.reply, WORDS.reply)}`,
    turn.interrupted ? 'The turn was interrupted.' : '',
  ].filter(Boolean);
}

/** A call as text; empty for one that says nothing, such as a search without its pattern. */
function renderCall(call: TurnCall, caps: CallCaps): string {
  const { action, description = '', output } = call;
  const head = headOf(call, caps.command);
  if (head === '') return '';
  const failed = call.ok === false;
  const outcome = call.exitCode !== undefined ? ` (exit ${call.exitCode})` : failed ? ' (failed)' : '';
  const purpose = action !== 'search' && description.length <= caps.description ? clean(description) : '';
  const { removed, added } = changedLines(call);
  return [
    head + outcome,
    purpose && `# ${purpose}`,
    removed && caps.change > 0 && `old: ${cut(removed, caps.change)}`,
    added && caps.change > 0 && `new: ${cut(added, caps.change)}`,
    cut(output, failed ? caps.failure : resultCap(call, caps)),
  ]
    .filter(Boolean)
    .join('\n');
}

function headOf({ action, tool, command = '', description = '', paths }: TurnCall, cap: number): string {
  const files = paths.join(' ');
  switch (action) {
    case 'command':
      return `$ ${cut(withoutFolder(command), cap)}`;
    case 'search':
      return description && `> search ${cut(description, cap)}${files && ` in ${files}`}`;
    case 'read':
      return files && `> read ${files}`;
    default:
      return `> ${action === 'other' ? tool : action} ${files}`.trimEnd();
  }
}

const READ = '> read ';

/** Joins reads that follow each other, each file once. */
function joinReads(calls: string[]): string[] {
  const isRead = (call: string | undefined) => call?.startsWith(READ) && !call.includes('\n') && !call.endsWith(')');
  const joined: string[] = [];
  for (const call of calls) {
    const last = joined.at(-1);
    if (last === undefined || !isRead(call) || !isRead(last)) joined.push(call);
    else joined[joined.length - 1] = READ + [...new Set([last, call].flatMap(filesIn))].join(', ');
  }
  return joined;
}

function filesIn(read: string): string[] {
  return read.slice(READ.length).split(', ');
}

/** What an edit changed, without the unchanged lines around it. */
function changedLines({ change }: TurnCall): { removed: string; added: string } {
  const before = change?.removed.split('\n') ?? [];
  const after = change?.added.split('\n') ?? [];
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const between = (lines: string[]) => lines.slice(head, lines.length - tail).join('\n');
  return { removed: between(before), added: between(after) };
}

/** Most characters of a successful call's result; none where the files show the same. */
function resultCap({ action, command = '' }: TurnCall, caps: CallCaps): number {
  if (action === 'agent') return caps.output === 0 ? 0 : WORDS.report;
  if (action === 'fetch' || action === 'other') return caps.output;
  const isLook = partsOfLine(command).every((part) => isReader(part) || SHOWS.test(part));
  return action === 'command' && !isLook ? caps.output : 0;
}

/** Commands that only move around, or show files and changes. */
const SHOWS =
  /^(?:cd|pwd|ls|tree|find|echo|printf|sort|uniq|cut|tr|true|git (?:status|diff|log|show|branch|ls-files))\b/u;

/** A command without the change of folder in front of it. */
function withoutFolder(command: string): string {
  return command.replace(/^\s*cd\s+(?:"[^"\n]*"|'[^'\n]*'|[^\s"';&|]+)\s*(?:&&|;|\n)\s*/u, '');
}

function cut(text: string, most: number): string {
  return most === 0 ? '' : elide(clean(text), most);
}

const ANSI = /\u001b(\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(\u0007|\u001b\\)?)/g;

/** Text without what only costs tokens: terminal colours and runs of blank lines. */
function clean(text: string): string {
  return block(text.replace(ANSI, '')).replace(/\n{3,}/g, '\n\n');
}

/** The first sentences of a message within `max` characters, on one line, without code and tables. */
export function firstWords(message: string, max: number): string {
  let text = '';
  let before = 'blank';
  let isItem = false;
  for (const { kind, text: line } of proseIn(message)) {
    if (text.length >= max) break;
    if (kind === 'words' || kind === 'item') {
      // Punctuation between two parts, so that they don't read as one sentence.
      const isPart = kind === 'item' || (before !== 'words' && before !== 'item');
      const isMarked = !isPart || text === '' || /[.!?:;,…。！？]["'”»)*`]*$/u.test(text);
      text += `${isMarked ? '' : isItem && kind === 'item' ? ';' : '.'} ${plainText(line)}`;
      if (isPart) isItem = kind === 'item';
    }
    before = kind;
  }
  return clampSentences(oneLine(text), max);
}
