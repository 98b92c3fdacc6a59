import { isHidden } from '../../memory/marks.ts';
import type { Observation, Summary } from '../../memory/record.ts';
import { shownBySession } from '../../memory/session-proofs.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { type Behind, evidenceFor } from '../../provenance/evidence.ts';
import type { Evidence } from '../../provenance/levels.ts';
import type { Cache } from '../index/cache.ts';
import { readLazily } from '../index/read-lazily.ts';
import type { Annotated } from './annotate.ts';
import { placesOf } from './judgement.ts';

/**
 * What each of these records rests on, by id: of active observations of this repository only, whose sessions and history are
 * here. Some git children for each of them.
 */
export async function evidenceOf(
  workspace: Workspace,
  cache: Cache,
  records: Annotated[],
): Promise<Map<string, Evidence>> {
  const works = await worksBehind(workspace, cache, records);
  const found = await evidenceFor(workspace, works);
  return new Map(works.map(({ record }, i) => [record.id, found[i] ?? 'claimed']));
}

/** The ids of those of the records whose change was taken back: in the session itself, or by a later commit. */
export async function undoneAmong(workspace: Workspace, cache: Cache, records: Annotated[]): Promise<Set<string>> {
  const works = await worksBehind(workspace, cache, records);
  return new Set(works.flatMap(({ record, isUndone }) => (isUndone ? [record.id] : [])));
}

async function worksBehind(workspace: Workspace, cache: Cache, records: Annotated[]): Promise<Behind[]> {
  const observations = workspace.linked ? [] : records.filter(isObservation);
  const sessions = new Set(observations.flatMap(({ record }) => record.session ?? []));
  const digests = await digestsOf(workspace, cache, sessions);
  return observations.map(({ record, state, reverted }) => {
    const { checked, taken_back: takenBack, started } = digests.get(record.session ?? '') ?? {};
    const { isChecked = false, isTakenBack = false } = shownBySession({ checked, takenBack }, record);
    return { record, isUndone: reverted !== undefined || isTakenBack, isProven: state.verified || isChecked, started };
  });
}

function isObservation(one: Annotated): one is Annotated<Observation> {
  return one.record.kind === 'observation' && !isHidden(one.state);
}

/** The newest digest of each of these sessions, from the private store of this clone. */
async function digestsOf(
  workspace: Workspace,
  cache: Cache,
  sessions: ReadonlySet<string>,
): Promise<Map<string, Summary>> {
  if (sessions.size === 0) return new Map();
  const places = await cache.query((index) => {
    const documents = [...index.newest()].filter(
      ({ card, store }) => store === 'private' && card.type === 'digest' && sessions.has(card.session ?? ''),
    );
    const replaced = new Set(documents.flatMap(({ card }) => card.supersedes));
    const left = documents.filter(({ card }) => !replaced.has(card.id));
    return placesOf(index, left);
  });
  const found = new Map<string, Summary>();
  for (const { entry, document } of places) {
    const session = document.card.session ?? '';
    try {
      const { record } = await readLazily(workspace.stores.private, entry);
      if (record.kind === 'summary') found.set(session, record);
    } catch {
      // Just removed: nothing is known about that session.
    }
  }
  return found;
}
