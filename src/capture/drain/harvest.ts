import { withinLimits } from '../../memory/clamp.ts';
import { wholeSeconds } from '../../memory/file-name.ts';
import { blobId, idOf } from '../../memory/id.ts';
import { type Observation, oneLine } from '../../memory/record.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { workingFile } from '../../provenance/working-file.ts';
import type { Draft } from '../extract/extractor.ts';
import { type Turn, workOf } from '../extract/turn.ts';
import type { Cleaner } from './clean.ts';
import type { PendingTurn } from './pending-turns.ts';

/**
 * Makes records of an extractor's drafts about these turns: validated, redacted once more, with ids that a retry
 * reproduces; each with the root of its turn's worktree. The id is a hash of the session, the turn's first event, and the ordinal within the turn.
 */
export async function harvest(
  drafts: Draft[],
  pending: PendingTurn[],
  { host, extractor, format }: { host: string; extractor: string; format: Workspace['format'] },
  cleaner: Cleaner,
): Promise<{ root: string; record: Observation }[]> {
  const work = pending.reduce((sum, { turn }) => sum + workOf(turn), 0);
  const tokens = drafts.length > 0 ? Math.round(work / drafts.length) : 0;
  // The extractor saw all turns, so a draft may come from any of them.
  const inputs = [...new Set(pending.flatMap(({ turn }) => turn.inputs))].sort();
  const ordinals = new Map<string, number>();
  const records: { root: string; record: Observation }[] = [];
  for (const raw of drafts) {
    const of = pending.find(({ turn }) => turn.key === raw.turn) ?? pending.at(-1);
    const draft = await clean(raw, cleaner);
    if (of === undefined || draft.title === '') continue;
    const { turn, root, branch, commit } = of;
    const ordinal = ordinals.get(turn.key) ?? 0;
    ordinals.set(turn.key, ordinal + 1);
    const record: Observation = {
      id: idOf(turn.session, turn.key, String(ordinal)),
      kind: 'observation',
      ...draft,
      anchors: anchors([...draft.files_modified, ...draft.files_read], pending, root, format),
      session: turn.session,
      prompt_number: turn.promptNumber,
      ...(branch && { branch }),
      ...(commit && { commit }),
      generated: { by: host, at: wholeSeconds(turn.endedAt) },
      extractor,
      inputs,
      discovery_tokens: tokens,
    };
    records.push({ root, record });
  }
  return records;
}

async function clean({ turn: _, ...draft }: Draft, cleaner: Cleaner): Promise<Omit<Draft, 'turn'>> {
  const text = async (raw: string) => cleaner.text(raw);
  return withinLimits({
    ...draft,
    type: oneLine(draft.type).toLowerCase() || 'change',
    facts: await Promise.all(draft.facts.map(text)),
    concepts: await Promise.all(draft.concepts.map(text)),
    title: await text(draft.title),
    subtitle: await text(draft.subtitle),
    narrative: await text(draft.narrative),
  });
}

/**
 * The blob ids of the cited files as the last of the turns left them, because the extractor saw all turns. A file that
 * changed after those turns has none.
 */
function anchors(
  paths: string[],
  pending: PendingTurn[],
  root: string,
  format: Workspace['format'],
): Record<string, string> {
  const turns: Turn[] = pending.flatMap((one) => (one.root === root ? [one.turn] : []));
  const endedMs = Math.max(...turns.map(({ endedAt }) => Date.parse(endedAt)));
  const found: Record<string, string> = {};
  for (const path of new Set(paths)) {
    const bytes = workingFile(root, path, (modifiedMs) => modifiedMs <= endedMs + TICK_MS);
    if (bytes !== undefined) found[path] = blobId(bytes, format);
  }
  return found;
}

/** File system clocks are coarse: a file written in the turn's last moments may look slightly later. */
const TICK_MS = 50;
