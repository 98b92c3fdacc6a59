import type { Tool } from '@modelcontextprotocol/server';
import type { Answer, Call } from './answer.ts';
import { parseArguments, schemaOf, type ToolName } from './arguments.ts';
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

/**
 * Claude Code loads a tool's schema only when it searches for the tool, unless the tool has this: the first step of
 * reading has it, and saving, which is asked for by name.
 */
const ALWAYS_LOADED = { 'anthropic/alwaysLoad': true };

/** Added where the user has a personal store. */
const ABOUT_PERSONAL =
  ' What the user corrects as a habit of their own (short answers, an editor) goes with scope personal; what holds for this code, such as its package manager, does not.';

/**
 * The tools in the order of their use: `hasPersonal` tells whether the user has a personal store. With the server's
 * instructions and the line at a start they cost at most 900 tokens.
 */
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

/**
 * Runs a tool; throws GitMemError for errors that the caller has to fix. Each tool loads its own parts, because few are
 * used.
 */
export async function runTool(name: ToolName, sent: unknown, repository: Repository, call: Call): Promise<Answer> {
  const { given, ...reading } = understand(name, sent);
  const answer = await answerOf(name, given, repository, call);
  const note = readingLine(reading);
  return note === '' ? answer : { text: `${answer.text}\n${note}`, data: { ...answer.data, note } };
}

async function answerOf(
  name: ToolName,
  given: Record<string, unknown>,
  repository: Repository,
  call: Call,
): Promise<Answer> {
  const { now } = call;
  switch (name) {
    case 'search':
      return (await import('./tools/search.ts')).searchRecords(repository, parseArguments(name, given), now);
    case 'timeline':
      return (await import('./tools/timeline.ts')).showTimeline(repository, parseArguments(name, given), now);
    case 'get_observations':
      return (await import('./tools/get-observations.ts')).getObservations(
        repository,
        parseArguments(name, given),
        call,
      );
    case 'save_observation': {
      const { problemsIn, saveObservation } = await import('./tools/save-observation.ts');
      return saveObservation(repository, parseArguments(name, given, problemsIn(repository, given)), call);
    }
    case 'save_summary': {
      const { saveSessionSummary } = await import('./tools/save-summary.ts');
      return saveSessionSummary(repository, parseArguments(name, given), call);
    }
    case 'mark':
      return (await import('./tools/mark.ts')).markRecords(repository, parseArguments(name, given), call);
    default:
      return name satisfies never;
  }
}
