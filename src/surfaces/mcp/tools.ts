import type { Tool } from '@modelcontextprotocol/server';
import type { Answer, Call } from './answer.ts';
import { type Arguments, parseArguments, schemaOf, type ToolName } from './arguments.ts';
import { readingLine, understand } from './natural-arguments.ts';
import type { Repository } from './repositories.ts';

/** What a host shows for each tool; how they work together is in the server's instructions. */
const ABOUT: Record<ToolName, string> = {
  search: 'One line a record, best first; then commits.',
  timeline: 'What was recorded around a record.',
  get_observations: 'Whole records.',
  save_observation:
    'Save what the code does not show: a cause, a decision with its reason, a refuted approach, a trap, a bug you leave, a number. ' +
    'What the developer says must or must not be done here, beyond this task, is of type rule. ' +
    'Not status, plans or what the diff shows. One thing a record.',
  save_summary: 'Leave open work to the next session.',
  mark: 'Say that records are replaced, no longer true or done, important or checked; or undo that.',
};

export function isReading(name: ToolName): name is 'search' | 'timeline' | 'get_observations' {
  return name === 'search' || name === 'timeline' || name === 'get_observations';
}

/** Claude Code loads other schemas only when it searches for a tool: reading's first step and saving have this. */
const ALWAYS_LOADED = { 'anthropic/alwaysLoad': true };

/** Added where the user has a personal store. */
const ABOUT_PERSONAL =
  ' What the user corrects as a habit of their own (short answers, an editor) goes with scope personal; what holds for this code, such as its package manager, does not.';

/** The tools in the order of their use; with the instructions and the line at a start they cost at most 900 tokens. */
export function listTools({ hasPersonal }: { hasPersonal: boolean }): Tool[] {
  return (Object.keys(ABOUT) as ToolName[]).map((name) => {
    const description = ABOUT[name];
    const isSaving = name === 'save_observation';
    return {
      name,
      description: isSaving && hasPersonal ? description + ABOUT_PERSONAL : description,
      annotations: isReading(name) ? { readOnlyHint: true } : { destructiveHint: false },
      inputSchema: schemaOf(name, isSaving && hasPersonal ? ['scope'] : []),
      ...((name === 'search' || isSaving) && { _meta: ALWAYS_LOADED }),
    };
  });
}

type Run<N extends ToolName> = (repository: Repository, given: Arguments<N>, call: Call) => Promise<Answer>;

/** Each tool loads its own parts, because few are used. */
const TOOLS: { [N in ToolName]: () => Promise<Run<N>> } = {
  search: async () => (await import('./tools/search.ts')).searchRecords,
  timeline: async () => (await import('./tools/search.ts')).showTimeline,
  get_observations: async () => (await import('./tools/get-observations.ts')).getObservations,
  save_observation: async () => (await import('./tools/save-observation.ts')).saveObservation,
  save_summary: async () => (await import('./tools/save-summary.ts')).saveSessionSummary,
  mark: async () => (await import('./tools/mark.ts')).markRecords,
};

/** Runs a tool; throws GitMemError for errors that the caller has to fix. */
export async function runTool<N extends ToolName>(name: N, sent: unknown, repository: Repository, call: Call) {
  const { given, ...reading } = understand(name, sent);
  const run: Run<N> = await TOOLS[name]();
  const isSaving = name === 'save_observation';
  const problems = isSaving ? (await import('./tools/save-observation.ts')).problemsIn(repository, given) : [];
  const answer = await run(repository, parseArguments(name, given, problems), call);
  const note = readingLine(reading);
  return note === '' ? answer : { text: `${answer.text}\n${note}`, data: { ...answer.data, note } };
}
