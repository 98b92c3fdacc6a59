import { block } from '../../memory/record.ts';
import type { ToolAction } from '../agents/event.ts';
import { elide } from './elide.ts';
import { firstWords } from './first-words.ts';
import type { Turn, TurnCall } from './turn.ts';

/** A turn as text for a model. */
export interface Material {
  text: string;
  /** Characters of the fields themselves, without labels. */
  newCharacters: number;
}

/** Most characters of each field that a model sees; a result's worth depends on what the call was for. */
const CAPS = {
  prompt: 2_000,
  reply: 2_500,
  report: 1_000,
  command: 500,
  description: 120,
  change: 500,
  failure: 1_200,
};
const OUTPUT_CAPS: Record<ToolAction, number> = {
  command: 900,
  agent: 1_000,
  fetch: 600,
  read: 700,
  search: 500,
  other: 500,
  // The host only reports success: what matters is the change.
  edit: 0,
  write: 0,
  delete: 0,
};

/** In turns with hundreds of calls all fields shrink until the turn fits. Twenty such turns make three questions. */
const MAX_TURN = 6_000;
const SCALES = [1, 0.5, 0.25, 0.1];

/** A turn that the agent closed itself is needed only to understand the next one: its first sentences will do. */
const CLOSED = { prompt: 300, reply: 300 } as const;

/** Renders what happened in order, each field cut to its own bound with a visible marker. */
export function renderTurn(turn: Turn): Material {
  if (turn.saved) return renderClosed(turn);
  let material: Material = { text: '', newCharacters: 0 };
  for (const scale of SCALES) {
    material = renderAt(turn, scale);
    if (material.text.length <= MAX_TURN) return material;
  }
  const text = elide(material.text, MAX_TURN);
  return { text, newCharacters: Math.min(material.newCharacters, text.length) };
}

function renderClosed({ prompt, reply }: Turn): Material {
  const [asked, answered] = [elide(clean(prompt), CLOSED.prompt), firstWords(reply, CLOSED.reply)];
  const text = `USER: ${asked}\nAGENT: ${answered}\nThe agent saved what there is to remember of this turn itself.`;
  return { text, newCharacters: asked.length + answered.length };
}

/** The whole turn, for a person or an agent that asks for it. */
export function wholeTurn(turn: Turn): string {
  return partsOf(turn, { field: clean, words: clean }).join('\n');
}

function renderAt(turn: Turn, scale: number): Material {
  let newCharacters = 0;
  const field = (value: string, cap: number): string => {
    const cut = elide(clean(value), Math.ceil(cap * scale));
    newCharacters += cut.length;
    return cut;
  };
  // The person's request and the agent's conclusion are worth the most, so they are never scaled down.
  const words = (value: string, cap: number) => field(value, cap / scale);
  const text = partsOf(turn, { field, words }).join('\n');
  return { text, newCharacters };
}

/** A text within its bound. */
type Field = (value: string, cap: number) => string;

function partsOf(turn: Turn, { field, words }: { field: Field; words: Field }): string[] {
  return [
    turn.prompt && `${turn.promptFrom === 'user' ? 'USER' : 'MACHINE'}: ${words(turn.prompt, CAPS.prompt)}`,
    ...turn.calls.map((call) => renderCall(call, field)),
    ...turn.reports.map((report) => `SUB-AGENT: ${field(report, CAPS.report)}`),
    turn.reply && `AGENT: ${words(turn.reply, CAPS.reply)}`,
    turn.interrupted ? 'The turn was interrupted.' : '',
  ].filter(Boolean);
}

function renderCall(call: TurnCall, field: Field): string {
  const failed = call.ok === false;
  const name = call.action === 'other' ? call.tool : call.action;
  const what = call.action === 'command' ? '$' : `> ${name}`;
  const target = call.command === undefined ? call.paths.join(' ') : call.command;
  const outcome = call.exitCode !== undefined ? ` (exit ${call.exitCode})` : failed ? ' (failed)' : '';
  const output = field(call.output, failed ? CAPS.failure : OUTPUT_CAPS[call.action]);
  const side = (name: string, text: string | undefined) => text && `${name}: ${field(text, CAPS.change)}`;
  return [
    `${what} ${field(target, CAPS.command)}${outcome}`,
    call.description && `# ${field(call.description, CAPS.description)}`,
    side('old', call.change?.removed),
    side('new', call.change?.added),
    output,
  ]
    .filter(Boolean)
    .join('\n');
}

const ANSI = /\u001b(\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(\u0007|\u001b\\)?)/g;

/** Text without what only costs tokens: terminal colours and runs of blank lines. */
function clean(text: string): string {
  return block(text.replace(ANSI, '')).replace(/\n{3,}/g, '\n\n');
}
