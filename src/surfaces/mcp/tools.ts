import type { Tool } from '@modelcontextprotocol/server';
import type { Answer, Call } from './answer.ts';
import { parseArguments, schemaOf, type ToolName } from './arguments.ts';
import type { Repository } from './repositories.ts';

/** What a host shows for each tool; how they work together is in the server's instructions. */
const ABOUT: Record<ToolName, string> = {
  search: "Step 1: search this repository's memory. One line a record, best first.",
  timeline: 'Step 2: what was recorded before and after a hit, one line each.',
  get_observations: 'Step 3: full records, for the few ids that matter.',
  get_turn: 'The raw turn behind a record, to check what it claims.',
  save_observation:
    'Save what a colleague could not see in the code: a cause, a decision with its reason, a refuted approach, a trap, a number. ' +
    'Not status, plans or what the diff shows. One thing a record.',
  save_summary: 'Leave the state of unfinished work to the next session.',
  mark: 'State that records are replaced, out of date, important or checked; or undo that.',
};

export function isReading(name: ToolName): boolean {
  return name === 'search' || name === 'timeline' || name === 'get_observations' || name === 'get_turn';
}

/**
 * Claude Code loads a tool's schema only when it searches for the tool, unless the tool has this; the first step has
 * it.
 */
const ALWAYS_LOADED = { 'anthropic/alwaysLoad': true };

/** Added where the user has a personal store. */
const ABOUT_PERSONAL =
  ' What the user corrects as a habit of their own (short answers, an editor) goes with scope personal; what holds for this code, such as its package manager, does not.';

/**
 * The tools in the order of their use: `hasPersonal` tells whether the user has a personal store, `keepsTurns` whether
 * turns are kept. Together they must not cost a host more than 1,200 tokens.
 */
export function listTools({ hasPersonal, keepsTurns }: { hasPersonal: boolean; keepsTurns: boolean }): Tool[] {
  const names = (Object.keys(ABOUT) as ToolName[]).filter((name) => keepsTurns || name !== 'get_turn');
  return names.map((name) => {
    const description = ABOUT[name];
    const isSaving = name === 'save_observation';
    return {
      name,
      description: isSaving && hasPersonal ? description + ABOUT_PERSONAL : description,
      annotations: isReading(name) ? { readOnlyHint: true } : { destructiveHint: false, idempotentHint: true },
      inputSchema: schemaOf(name, isSaving && !hasPersonal ? ['scope'] : []),
      ...(name === 'search' && { _meta: ALWAYS_LOADED }),
    };
  });
}

/**
 * Runs a tool; throws GitMemError for errors that the caller has to fix. Each tool loads its own parts, because few are
 * used.
 */
export async function runTool(name: ToolName, given: unknown, repository: Repository, call: Call): Promise<Answer> {
  const { now } = call;
  switch (name) {
    case 'search':
      return (await import('./tools/search.ts')).searchRecords(repository, parseArguments(name, given), now);
    case 'timeline':
      return (await import('./tools/timeline.ts')).showTimeline(repository, parseArguments(name, given), now);
    case 'get_observations':
      return (await import('./tools/get-observations.ts')).getObservations(repository, parseArguments(name, given));
    case 'get_turn':
      return (await import('./tools/get-turn.ts')).getTurn(repository, parseArguments(name, given), now);
    case 'save_observation': {
      const { saveObservation } = await import('./tools/save-observation.ts');
      return saveObservation(repository, parseArguments(name, given), call);
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
