import { canonical } from '../../memory/canonical.ts';
import { clampPhrase, clampSentences, isShortened } from '../../memory/clamp.ts';
import { wholeSeconds } from '../../memory/file-name.ts';
import { idOf } from '../../memory/id.ts';
import { LIMITS, type StoreName, type Summary } from '../../memory/record.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { activeRedactions } from '../../provenance/redactions.ts';
import type { Cleaner } from '../drain/clean.ts';
import { inputsOfSession } from '../drain/inputs.ts';
import { cleanedHere } from '../drain/local-paths.ts';
import { mustWait, refuseSuspicious, waitingWords } from '../drain/must-wait.ts';
import { readSession } from '../drain/session-state.ts';
import { headHere, noticing, repositoryPath, type Saved } from './save.ts';
import type { SavingAgent } from './saving-agent.ts';

/** What an agent says about its session. */
export type SummaryMade = Pick<Summary, 'title' | 'completed' | 'next_steps' | 'learned' | 'files_edited'>;

/** How many summaries are searched for an earlier one of the same session: few others are written while a session runs. */
const LOOKED_AT = 30;

/**
 * Writes an agent's summary of its own session, with secrets removed; it replaces the earlier ones of that session,
 * whoever wrote them. `cut` names the parts that were longer than a record's limits. Throws redacted when a redact mark
 * keeps it out.
 */
export async function saveSummary(
  workspace: Workspace,
  made: SummaryMade,
  options: { agent: SavingAgent; store: StoreName; now: Date; cleaner: Cleaner },
): Promise<Saved & { cut: string[]; store: StoreName }> {
  const { checkout } = workspace;
  const { agent, now } = options;
  const { cleaner: secretless, hasRedacted } = noticing(options.cleaner);
  const cleaner = cleanedHere(secretless, workspace);
  const { by, ...session } = agent;
  const inputs = await inputsOfSession(workspace, session);
  const cut: string[] = [];
  const fitted = async (key: 'title' | 'completed' | 'next_steps' | 'learned') => {
    const text = await cleaner.text(made[key]);
    const fit = key === 'title' ? clampPhrase(text, LIMITS.title) : clampSentences(text, LIMITS.narrative);
    if (isShortened(text, fit)) cut.push(key);
    return fit;
  };
  const content: Summary = {
    id: '',
    kind: 'summary',
    type: 'summary',
    files_read: [],
    request: '',
    investigated: '',
    notes: '',
    title: await fitted('title'),
    files_edited: await cleaner.names(
      made.files_edited.slice(0, LIMITS.files).map((file) => repositoryPath(checkout.root, checkout.root, file)),
    ),
    supersedes: session.session === undefined ? [] : earlierOf(workspace, session.session),
    ...session,
    ...(await headHere(checkout, cleaner)),
    generated: { by, at: wholeSeconds(now) },
    extractor: 'agent',
    inputs,
    completed: await fitted('completed'),
    next_steps: await fitted('next_steps'),
    learned: await fitted('learned'),
  };
  const { title, completed, next_steps, learned } = content;
  const id = idOf(JSON.stringify(['summary', session.session ?? '', title, completed, next_steps, learned]));
  const record = canonical({ ...content, id, supersedes: content.supersedes.filter((other) => other !== id) });
  refuseSuspicious(record);
  (await activeRedactions(workspace)).refuse(record);
  const waits = mustWait(workspace, record);
  const store = waits ? 'private' : options.store;
  const { path, created } = workspace.stores[store].put(record, { waits });
  if (made.files_edited.length > LIMITS.files) cut.push('files_edited');
  return { id, path, created, redacted: hasRedacted(), cut, store, ...(waits && { waits: waitingWords(record) }) };
}

/** The summaries that this session has: derived ones, and earlier ones of its agent. */
function earlierOf({ layout, stores }: Workspace, session: string): string[] {
  const found = new Set(readSession(layout.state, session)?.summaries ?? []);
  for (const store of [stores.team, stores.private]) {
    let looked = 0;
    for (const entry of store.newest('summary')) {
      if (++looked > LOOKED_AT) break;
      try {
        const { record } = store.read(entry);
        if (record.kind === 'summary' && record.session === session) found.add(record.id);
      } catch {
        // A record that does not parse replaces nothing and is not replaced; `git mem check` names it.
      }
    }
  }
  return [...found].sort();
}
