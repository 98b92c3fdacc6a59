import type { Tool } from '@modelcontextprotocol/server';
import { type Answer, type Call, noted } from './answer.ts';
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
  return ['search', 'timeline', 'get_observations'].includes(name);
}

/** Claude Code loads other schemas only when it searches for a tool, so reading's first step and saving have this. */
const ALWAYS_LOADED = { 'anthropic/alwaysLoad': true };

/** Added where the user has a personal store. */
const ABOUT_PERSONAL =
  ' What the user corrects as a habit of their own (short answers, an editor) goes with scope personal; what holds for this code, such as its package manager, does not.';

/** The tools in the order of their use; with the instructions and the line at a start they cost at most 900 tokens. */
export function listTools({ hasPersonal }: { hasPersonal: boolean }): Tool[] {
  return (Object.keys(ABOUT) as ToolName[]).map((name) => {
    const isSaving = name === 'save_observation';
    const isScoped = isSaving && hasPersonal;
    return {
      name,
      description: `${ABOUT[name]}${isScoped ? ABOUT_PERSONAL : ''}`,
      annotations: isReading(name) ? { readOnlyHint: true } : { destructiveHint: false },
      inputSchema: schemaOf(name, isScoped ? ['scope'] : []),
      ...((name === 'search' || isSaving) && { _meta: ALWAYS_LOADED }),
    };
  });
}

type Run<N extends ToolName> = (repository: Repository, given: Arguments<N>, call: Call) => Promise<Answer>;

/** Few sessions use the tools, and most of these only read. */
const reading = () => import('./tools/reading.ts');
const saving = () => import('./tools/saving.ts');

const TOOLS: { [N in ToolName]: () => Promise<Run<N>> } = {
  search: async () => (await reading()).searchRecords,
  timeline: async () => (await reading()).showTimeline,
  get_observations: async () => (await reading()).getObservations,
  save_observation: async () => (await saving()).saveObservation,
  save_summary: async () => (await saving()).saveSessionSummary,
  mark: async () => (await saving()).markRecords,
};

/** Runs a tool; throws GitMemError for errors that the caller has to fix. */
export async function runTool<N extends ToolName>(name: N, sent: unknown, repository: Repository, call: Call) {
  const { given, ...reading } = understand(name, sent);
  const run: Run<N> = await TOOLS[name]();
  const problems = name === 'save_observation' ? (await saving()).problemsIn(repository, given) : [];
  const answer = await run(repository, parseArguments(name, given, problems), call);
  return noted(answer, readingLine(reading));
}
