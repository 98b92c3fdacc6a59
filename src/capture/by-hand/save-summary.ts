import { readHead } from '../../git/locate.ts';
import { canonical } from '../../memory/canonical.ts';
import { wholeSeconds } from '../../memory/file-name.ts';
import { idOf } from '../../memory/id.ts';
import { LIMITS, type StoreName, type Summary } from '../../memory/record.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { activeRedactions } from '../../provenance/redactions.ts';
import type { Cleaner } from '../drain/clean.ts';
import { readSession } from '../drain/session-state.ts';
import { clampPhrase, clampSentences } from '../extract/clamp.ts';
import { noticing, repositoryPath, type Saved } from './save.ts';
import type { SavingAgent } from './saving-agent.ts';

/** What an agent says of its session. */
export type SummaryMade = Pick<Summary, 'title' | 'completed' | 'next_steps' | 'learned' | 'files_edited'>;

/** Summaries that are looked at for an earlier one of the same session. */
const LOOKED_AT = 30;

/**
 * Writes an agent's summary of its own session, freed of secrets; it replaces the earlier ones of that session, whoever
 * wrote them. Throws redacted when it says what a redact mark keeps out.
 */
export async function saveSummary(
  workspace: Workspace,
  made: SummaryMade,
  options: { agent: SavingAgent; store: StoreName; now: Date; cleaner: Cleaner },
): Promise<Saved> {
  const { checkout } = workspace;
  const { agent, store, now } = options;
  const { cleaner, hasRedacted } = noticing(options.cleaner);
  const { by, ...session } = agent;
  const section = async (text: string) => clampSentences(await cleaner.text(text), LIMITS.narrative);
  const content: Summary = {
    id: '',
    kind: 'summary',
    type: 'summary',
    files_read: [],
    request: '',
    investigated: '',
    notes: '',
    title: clampPhrase(await cleaner.text(made.title), LIMITS.title),
    files_edited: made.files_edited
      .slice(0, LIMITS.files)
      .map((file) => repositoryPath(checkout.root, checkout.root, file)),
    supersedes: session.session === undefined ? [] : earlierOf(workspace, session.session),
    ...session,
    ...readHead(checkout),
    generated: { by, at: wholeSeconds(now) },
    extractor: 'agent',
    completed: await section(made.completed),
    next_steps: await section(made.next_steps),
    learned: await section(made.learned),
  };
  const { title, completed, next_steps, learned } = content;
  const id = idOf(JSON.stringify(['summary', session.session ?? '', title, completed, next_steps, learned]));
  const record = canonical({ ...content, id, supersedes: content.supersedes.filter((other) => other !== id) });
  (await activeRedactions(workspace)).refuse(record);
  const { path, created } = workspace.stores[store].put(record);
  return { id, path, created, redacted: hasRedacted() };
}

/** The summaries that this session has: those that were derived, and those that its agent wrote before. */
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
        // What does not parse replaces nothing and is not replaced; `git mem check` names it.
      }
    }
  }
  return [...found].sort();
}
