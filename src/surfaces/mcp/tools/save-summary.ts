import { saveSummary } from '../../../capture/by-hand/save-summary.ts';
import { agentBehindCall } from '../../../capture/by-hand/saving-agent.ts';
import { createCleaner } from '../../../capture/drain/clean.ts';
import { sessionStore } from '../../../config.ts';
import { GitMemError } from '../../../errors.ts';
import { ADVICE, titleProblem } from '../../../memory/telling-title.ts';
import { foldersOf } from '../../../records/view.ts';
import { joinsCommit } from '../../../setup/git-hooks.ts';
import type { Answer, Call } from '../answer.ts';
import { type Arguments, NOTHING_SAVED } from '../arguments.ts';
import type { Repository } from '../repositories.ts';
import { adviceOnText, savedLine } from './save-observation.ts';

/** Writes the agent's summary for the next session: it replaces the one that would be derived. */
export async function saveSessionSummary(
  { project: { workspace, config: load } }: Repository,
  given: Arguments<'save_summary'>,
  { now, caller }: Call,
): Promise<Answer> {
  const { config } = load();
  const problem = titleProblem(given.title, ADVICE.summary);
  if (problem !== undefined) throw new GitMemError('bad-input', problem, { hint: NOTHING_SAVED });
  const { title, completed = '', next_steps = '', learned = '', files_edited = [] } = given;
  if (`${completed}${next_steps}${learned}`.trim() === '') {
    throw new GitMemError('bad-input', 'The summary is empty.', { hint: 'Give completed, next_steps or learned.' });
  }
  const store = sessionStore(config);
  const saved = await saveSummary(
    workspace,
    { title, completed, next_steps, learned, files_edited },
    { agent: agentBehindCall(workspace, caller), store, now, cleaner: createCleaner(config.privacy.redact) },
  );
  const path = `${foldersOf(workspace)[saved.store]}/${saved.path}`;
  const advice = [...(saved.waits ? [saved.waits] : []), ...adviceOnText(saved)];
  const joins = saved.waits ? undefined : await joinsCommit(workspace, config);
  return {
    text: [savedLine(saved, path, joins), ...advice].join('\n'),
    data: { id: saved.id, path, created: saved.created, ...(advice.length > 0 && { advice: advice.join(' ') }) },
  };
}
