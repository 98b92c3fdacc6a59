import { GitMemError } from '../../errors.ts';
import { canonical } from '../../memory/canonical.ts';
import { outlineReader } from '../../memory/outline.ts';
import type { Observation } from '../../memory/record.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { activeRedactions } from '../../provenance/redactions.ts';
import type { Cleaner } from '../drain/clean.ts';
import { cleanRecord } from './clean-record.ts';
import type { Promoted } from './promote.ts';

/**
 * Copies observations of either store into the user's personal store, under their own ids and without all that belongs
 * to this repository: files, branch, commit, session, and the records that they replace. Nothing is written when one is
 * refused: throws no-such-record, bad-input for another kind, redacted. `ids` are full ids.
 */
export async function promoteToPersonal(
  { stores, ...workspace }: Workspace,
  personal: Workspace,
  ids: string[],
  { cleaner }: { cleaner: Cleaner },
): Promise<Promoted[]> {
  const redactions = await activeRedactions({ stores, ...workspace });
  const ready: Observation[] = [];
  for (const id of new Set(ids)) {
    const [store, entry] = entryOf(stores, id);
    const { record } = store.read(entry, outlineReader);
    if (record.kind !== 'observation') {
      throw new GitMemError('bad-input', `${id} is a ${record.kind}: only observations become personal.`);
    }
    if (redactions.ids.has(id)) throw new GitMemError('redacted', `${id} is redacted.`);
    const clean = canonical(await cleanRecord(withoutProject(record), cleaner));
    redactions.refuse(clean);
    ready.push(clean);
  }
  return ready.map((record) => ({ id: record.id, ...personal.stores.team.put(record) }));
}

function entryOf({ team, private: own }: Workspace['stores'], id: string) {
  for (const store of [team, own]) {
    for (const entry of store.newest()) if (entry.id === id) return [store, entry] as const;
  }
  throw new GitMemError('no-such-record', `No record has the id ${id}.`, { hint: '`git mem list` shows them.' });
}

function withoutProject(record: Observation): Observation {
  const { branch: _, commit: __, session: ___, prompt_number: ____, ...rest } = record;
  return { ...rest, files_modified: [], files_read: [], anchors: {}, supersedes: [] };
}
