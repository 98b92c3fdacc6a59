import { clampSentences, elide } from '../../memory/clamp.ts';
import { OBSERVATION_TYPES, oneLine } from '../../memory/record.ts';
import { readTemplate } from '../../templates.ts';
import { isChange } from '../agents/event.ts';
import type { ExtractionContext, Known } from './extractor.ts';
import { renderTurn } from './material.ts';
import type { Mode } from './mode.ts';
import type { Turn } from './turn.ts';

/** A part of a session as a question to a model. */
export interface SessionPrompt {
  system: string;
  user: string;
  /** Ids of the records that the model sees, the only ones that it may supersede. */
  ids: string[];
}

/** Most observations of one answer: most sessions leave none or one, and a longer list retells the work. */
export const MOST_OBSERVATIONS = 4;

/**
 * Most records shown, most characters of each (a title and two or three sentences), and the same for what the session's
 * earlier parts left: together some 700 tokens, so that most of the question is the session itself.
 */
const CONTEXT = { known: 5, record: 280, earlier: 8, title: 100, summary: 600, files: 40, commits: 12 } as const;

/** Builds the question: what is new, the records nearest to it, and what the session said before. */
export async function buildPrompt(turns: Turn[], context: ExtractionContext, mode: Mode): Promise<SessionPrompt> {
  const earlier = context.earlier.slice(-CONTEXT.earlier);
  const nearest = await context.nearest({ files: filesIn(turns), text: wordsOf(turns) });
  const known = nearest.filter(({ id }) => !earlier.some((one) => one.id === id)).slice(0, CONTEXT.known);
  const system = fill(readTemplate('prompts/system.md'), {
    session: mode.session,
    remember: mode.remember,
    leave_out: mode.leave_out,
    language: context.language,
    most: String(MOST_OBSERVATIONS),
    types: renderTypes(mode, context.types),
    concepts: mode.concepts.join(', '),
  });
  const user = fill(readTemplate('prompts/session.md'), {
    known: tagged('known', known.map(renderKnown)),
    session: tagged('session', renderEarlier(earlier, context)),
    turns: fenced(turns.map((turn, index) => `## Turn ${index + 1}\n${context.local(renderTurn(turn))}`).join('\n')),
  });
  return { system, user, ids: [...known, ...earlier].map(({ id }) => id) };
}

/** The same question again, with what was wrong with the first answer. */
export function buildRepair(prompt: SessionPrompt, failure: { problem: string; answer: string }): SessionPrompt {
  const user = fill(readTemplate('prompts/repair.md'), {
    question: prompt.user,
    problem: failure.problem,
    // Enough to see what kind of answer it was; the question itself is sent again.
    answer: fenced(elide(failure.answer, 400)),
  });
  return { ...prompt, user };
}

/** The mode's types with what each is about, then the team's own. */
function renderTypes({ types }: Mode, known: readonly string[]): string {
  const builtIn: readonly string[] = OBSERVATION_TYPES;
  const inMode = Object.entries(types).filter(([name]) => known.includes(name));
  const own = known.filter((name) => !builtIn.includes(name) && !Object.hasOwn(types, name));
  return [...inMode.map(([name, about]) => `${name} (${about})`), ...own].join(', ');
}

/** A record on one line, with its id. */
function renderKnown({ id, type, title, narrative, facts }: Known): string {
  const said = clampSentences(oneLine([narrative, ...facts].join(' ')), CONTEXT.record);
  return `${id} ${type}: ${oneLine(title)}. ${said}`;
}

function renderEarlier(earlier: Known[], { previousReply, summary, outcome, local }: ExtractionContext): string[] {
  const done = summary === undefined ? [] : [summary.request, ...summary.completed, ...summary.next_steps];
  return [
    clampSentences(oneLine(done.join(' ')), CONTEXT.summary),
    ...earlier.map(({ id, type, title }) => `${id} ${type}: ${oneLine(title).slice(0, CONTEXT.title)}`),
    // "Yes, that was it" needs what it replies to.
    previousReply && `AGENT, before the first turn: ${local(previousReply)}`,
    listed('Files that the whole session changed', outcome.files.slice(0, CONTEXT.files)),
    listed('Commits that it made', outcome.commits.slice(-CONTEXT.commits)),
  ].filter(Boolean);
}

function listed(name: string, items: string[]): string {
  return items.length === 0 ? '' : `${name}: ${oneLine(items.join(', '))}`;
}

/** Lines inside a tag; nothing if there are none. */
function tagged(name: string, lines: string[]): string {
  return lines.length === 0 ? '' : `<${name}>\n${fenced(lines.join('\n'))}\n</${name}>\n`;
}

function filesIn(turns: Turn[]): string[] {
  const calls = turns.flatMap((turn) => turn.calls);
  const reads = calls.filter(({ action }) => action === 'read');
  return [...new Set([...calls.filter(isChange), ...reads].flatMap(({ paths }) => paths))];
}

function wordsOf(turns: Turn[]): string {
  return turns.map(({ prompt, reply }) => `${prompt.slice(0, 400)} ${reply.slice(0, 400)}`).join('\n');
}

/** Captured text must not close the fence around it or open a similar one. */
function fenced(text: string): string {
  return text.replace(/<(?=\s*(?:\/\s*)?(turns|session|known|answer)\b)/gi, '‹');
}

/** Fills `{{name}}` in one pass: braces in the values stay as they are. */
function fill(template: string, values: Record<string, string>): string {
  return template.trimEnd().replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
}
