import { OBSERVATION_TYPES, oneLine } from '../memory/record.ts';
import { clampSentences } from './clamp.ts';
import { elide } from './elide.ts';
import type { Earlier, ExtractionContext } from './extractor.ts';
import { renderTurn } from './material.ts';
import type { Mode } from './mode.ts';
import type { Turn } from './turn.ts';

/** What a question is made from. */
export interface PromptSources {
  /** Reads a file of `templates/` by its name there. */
  loadTemplate: (name: string) => string;
  mode: Mode;
  /** The team's own vocabulary. */
  concepts: readonly string[];
}

/** One turn as a question to a model. */
export interface TurnPrompt {
  system: string;
  user: string;
  /** Ids of the earlier observations that the model is shown, the only ones it may supersede. */
  ids: string[];
  /** Characters of the turn's own material in `user`, after elision. */
  newCharacters: number;
}

/** The rolling context grows with the turn, so that what is sent stays in proportion to what is new. */
const CONTEXT = { share: 0.07, least: 200, most: 800, request: 80, requests: 3 } as const;

/** Builds the question: what is new, and of what came before only titles, ids and shortened requests. */
export function buildPrompt(turn: Turn, context: ExtractionContext, sources: PromptSources): TurnPrompt {
  const { loadTemplate, mode, concepts } = sources;
  const material = renderTurn(turn);
  const room = Math.min(CONTEXT.most, Math.max(CONTEXT.least, Math.round(material.newCharacters * CONTEXT.share)));
  const { text, ids } = renderSession(turn, context, room);
  const system = fill(loadTemplate('prompts/system.md'), {
    session: mode.session,
    remember: mode.remember,
    leave_out: mode.leave_out,
    language: context.language,
    types: renderTypes(mode, context.types),
    concepts: [...mode.concepts, ...concepts].join(', '),
  });
  const user = fill(loadTemplate('prompts/turn.md'), {
    session: text && `<session>\n${fenced(text)}\n</session>\n`,
    turn: fenced(material.text),
  });
  return { system, user, ids, newCharacters: material.newCharacters };
}

/** The same question again, with what was wrong about the first answer. */
export function buildRepair(
  prompt: TurnPrompt,
  failure: { problem: string; answer: string },
  { loadTemplate }: PromptSources,
): TurnPrompt {
  const user = fill(loadTemplate('prompts/repair.md'), {
    question: prompt.user,
    problem: failure.problem,
    answer: fenced(elide(failure.answer, 400)),
  });
  return { ...prompt, user };
}

/** The mode's types, then the team's own. The built-in names of code speak for themselves: they cost no description. */
function renderTypes({ types }: Mode, known: readonly string[]): string {
  const builtIn: readonly string[] = OBSERVATION_TYPES;
  const inMode = Object.entries(types).filter(([name]) => known.includes(name));
  const own = known.filter((name) => !builtIn.includes(name) && !Object.hasOwn(types, name));
  const isPlain = inMode.every(([name]) => builtIn.includes(name));
  return [...inMode.map(([name, about]) => (isPlain ? name : `${name} (${about})`)), ...own].join(', ');
}

function renderSession(turn: Turn, context: ExtractionContext, room: number): { text: string; ids: string[] } {
  let left = room;
  const take = (line: string): boolean => {
    if (line.length + 1 > left) return false;
    left -= line.length + 1;
    return true;
  };
  const shown = byRelevance(turn, context.earlier)
    .map((one) => ({ one, line: `${one.id} ${one.type}: ${oneLine(one.title)}` }))
    .filter(({ line }) => take(line));
  const requests = context.requests
    .slice(-CONTEXT.requests)
    .reverse()
    .map((request) => `asked: ${clampSentences(oneLine(request), CONTEXT.request)}`)
    .filter(take)
    .reverse();
  const inOrder = shown.sort((a, b) => context.earlier.indexOf(a.one) - context.earlier.indexOf(b.one));
  return {
    text: [...requests, ...inOrder.map(({ line }) => line)].join('\n'),
    ids: inOrder.map(({ one }) => one.id),
  };
}

/** What touched the same files may have become wrong, so it comes first; then the newest. */
function byRelevance(turn: Turn, earlier: Earlier[]): Earlier[] {
  const paths = new Set(turn.calls.flatMap((call) => call.paths));
  const isRelated = (one: Earlier) => one.files_modified.some((path) => paths.has(path));
  const newest = earlier.toReversed();
  return [...newest.filter(isRelated), ...newest.filter((one) => !isRelated(one))];
}

/** Nothing captured may close the fence around it or open one like it. */
function fenced(text: string): string {
  return text.replace(/<(?=\s*(?:\/\s*)?(turn|session|answer)\b)/gi, '‹');
}

/** Fills `{{name}}` in one pass: braces in what is filled in stay as they are. */
function fill(template: string, values: Record<string, string>): string {
  return template.trimEnd().replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
}
