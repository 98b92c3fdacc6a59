import { clampPhrase, clampSentences } from '../extract/clamp.ts';
import type { Draft } from '../extract/extractor.ts';
import type { Turn } from '../extract/turn.ts';
import { workOf } from '../extract/work.ts';
import { wholeSeconds } from '../memory/file-name.ts';
import { blobId, idOf } from '../memory/id.ts';
import { LIMITS, type Observation, oneLine } from '../memory/record.ts';
import { workingFile } from '../provenance/working-file.ts';
import type { Cleaner } from './clean.ts';

export interface Provenance {
  host: string;
  branch?: string;
  commit?: string;
  extractor: string;
  root: string;
  format: 'sha1' | 'sha256';
}

/**
 * Makes records of an extractor's drafts: validated, redacted once more, with ids that a retry finds again. The id is
 * over session, first event and ordinal.
 */
export async function harvest(
  drafts: Draft[],
  turn: Turn,
  provenance: Provenance,
  cleaner: Cleaner,
): Promise<Observation[]> {
  const { host, branch, commit, extractor, root, format } = provenance;
  const tokens = drafts.length > 0 ? Math.round(workOf(turn) / drafts.length) : 0;
  const records: Observation[] = [];
  for (const [ordinal, raw] of drafts.entries()) {
    const draft = await clean(raw, cleaner);
    if (draft.title === '') continue;
    records.push({
      id: idOf(turn.session, turn.key, String(ordinal)),
      kind: 'observation',
      ...draft,
      anchors: anchors([...draft.files_modified, ...draft.files_read], turn, root, format),
      session: turn.session,
      prompt_number: turn.promptNumber,
      ...(branch && { branch }),
      ...(commit && { commit }),
      generated: { by: host, at: wholeSeconds(turn.endedAt) },
      extractor,
      discovery_tokens: tokens,
    });
  }
  return records;
}

async function clean(draft: Draft, cleaner: Cleaner): Promise<Draft> {
  const text = async (raw: string) => cleaner.text(raw);
  const facts = await Promise.all(draft.facts.map(text));
  const concepts = await Promise.all(draft.concepts.map(text));
  return {
    type: oneLine(draft.type).toLowerCase() || 'change',
    title: clampPhrase(await text(draft.title), LIMITS.title),
    subtitle: clampPhrase(await text(draft.subtitle), LIMITS.subtitle),
    narrative: clampSentences(await text(draft.narrative), LIMITS.narrative),
    facts: facts.map((fact) => clampSentences(oneLine(fact), LIMITS.fact)).slice(0, LIMITS.facts),
    concepts: concepts.slice(0, LIMITS.concepts),
    files_read: draft.files_read.slice(0, LIMITS.files),
    files_modified: draft.files_modified.slice(0, LIMITS.files),
    supersedes: draft.supersedes,
  };
}

/**
 * The blob ids of the cited files as the turn left them. The working tree knows best (a formatter may have run after
 * the edit), unless it went on changing after the turn: then the last payload that held the whole file does.
 */
function anchors(paths: string[], turn: Turn, root: string, format: 'sha1' | 'sha256'): Record<string, string> {
  const endedMs = Date.parse(turn.endedAt);
  const found: Record<string, string> = {};
  for (const path of new Set(paths)) {
    const said =
      format === 'sha1' ? turn.calls.findLast((call) => call.blob && call.paths.includes(path))?.blob : undefined;
    const isAsLeft = (modifiedMs: number) => modifiedMs <= endedMs + TICK_MS || said === undefined;
    const bytes = workingFile(root, path, isAsLeft);
    const blob = bytes === undefined ? said : blobId(bytes, format);
    if (blob !== undefined) found[path] = blob;
  }
  return found;
}

/** Clocks of file systems tick coarsely: a file written in the turn's last moments may look a little later. */
const TICK_MS = 50;
