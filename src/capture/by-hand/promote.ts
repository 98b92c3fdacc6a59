import { GitMemError } from '../../errors.ts';
import { canonical } from '../../memory/canonical.ts';
import { isNewer } from '../../memory/format.ts';
import { outlineReader } from '../../memory/outline.ts';
import type { MemoryRecord, Observation } from '../../memory/record.ts';
import type { Entry } from '../../memory/store/source.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { activeRedactions } from '../../provenance/redactions.ts';
import type { Cleaner } from '../drain/clean.ts';
import { cleanedHere } from '../drain/local-paths.ts';
import { refuseAccepting, refuseSuspicious } from '../drain/must-wait.ts';
import { cleanRecord } from './clean-record.ts';

/** A record of the store that it was copied to; `created` tells whether it was written just now. */
export interface Promoted {
  id: string;
  /** Path inside that store. */
  path: string;
  created: boolean;
}

/**
 * Copies private records into the team store under their own ids and removes secrets once more, because the team's
 * patterns may have changed since. Records that the team already has stay as they are. Nothing is written when one is
 * refused: throws bad-input for a prompt, or for a mark on a record that the team does not have; redacted;
 * newer-format; no-such-record. `ids` are full ids.
 */
export async function promote(
  workspace: Workspace,
  ids: string[],
  options: { cleaner: Cleaner; isAgent?: boolean },
): Promise<Promoted[]> {
  const team = byId(workspace.stores.team.newest());
  const own = byId(workspace.stores.private.newest());
  const redactions = await activeRedactions(workspace);
  const wanted = [...new Set(ids)];
  const ready = new Map<string, MemoryRecord>();
  for (const id of wanted) {
    if (team.has(id)) continue;
    const entry = own.get(id);
    if (entry === undefined) {
      throw new GitMemError('no-such-record', `No private record has the id ${id}.`, {
        hint: '`git mem list --store private` shows them.',
      });
    }
    if (entry.kind === 'prompt') {
      throw new GitMemError('bad-input', `${id} is a prompt: what people typed is never committed.`, {
        hint: 'Promote the observations that came of it, or say what matters with `git mem add`.',
      });
    }
    const { record } = workspace.stores.private.read(entry, outlineReader);
    if (isNewer(record)) {
      const message = `${id} is of a newer format: a copy would lack what this git-mem does not know.`;
      throw new GitMemError('newer-format', message, { hint: 'Update git-mem, then promote it.' });
    }
    refuseAccepting(workspace, record, options);
    if (record.kind === 'mark') refuseDangling(record, (target) => team.has(target) || wanted.includes(target));
    const clean = canonical(await cleanRecord(record, cleanedHere(options.cleaner, workspace)));
    if (redactions.ids.has(id)) refuseRedacted(id);
    redactions.refuse(clean);
    ready.set(id, clean);
  }
  return wanted.map((id) => {
    const record = ready.get(id);
    const there = team.get(id);
    if (record !== undefined) return { id, ...workspace.stores.team.put(record) };
    return { id, path: there?.path ?? '', created: false };
  });
}

/**
 * Copies observations of either store into the user's personal store, under their own ids and without what belongs to this
 * repository: files, branch, commit, session, and the records that they replace. Nothing is written when one is refused: throws
 * no-such-record, bad-input for another kind, redacted. `ids` are full ids.
 */
export async function promoteToPersonal(
  { stores, ...workspace }: Workspace,
  personal: Workspace,
  ids: string[],
  options: { cleaner: Cleaner; isAgent?: boolean },
): Promise<Promoted[]> {
  const redactions = await activeRedactions({ stores, ...workspace });
  const ready: Observation[] = [];
  for (const id of new Set(ids)) {
    const [store, entry] = entryOf(stores, id);
    const { record } = store.read(entry, outlineReader);
    if (record.kind !== 'observation') {
      throw new GitMemError('bad-input', `${id} is a ${record.kind}: only observations become personal.`);
    }
    if (redactions.ids.has(id)) refuseRedacted(id);
    refuseAccepting({ stores, ...workspace }, record, { ...options, isPersonal: true });
    const clean = canonical(await cleanRecord(withoutProject(record), cleanedHere(options.cleaner, workspace)));
    refuseSuspicious(clean, { isPersonal: true });
    redactions.refuse(clean);
    ready.push(clean);
  }
  return ready.map((record) => ({ id: record.id, ...personal.stores.team.put(record) }));
}

function byId(entries: Iterable<Entry>): Map<string, Entry> {
  return new Map([...entries].map((entry) => [entry.id, entry]));
}

function refuseRedacted(id: string): never {
  throw new GitMemError('redacted', `${id} is redacted.`, {
    hint: `If that was a mistake, \`git mem undo ${id}\` lifts it.`,
  });
}

function refuseDangling(
  { id, targets, by }: Extract<MemoryRecord, { kind: 'mark' }>,
  isThere: (id: string) => boolean,
): void {
  const missing = [...targets, ...(by === undefined ? [] : [by])].find((target) => !isThere(target));
  if (missing === undefined) return;
  throw new GitMemError('bad-input', `${id} names ${missing}, which the team store does not have.`, {
    hint: `\`git mem promote ${missing} ${id}\` brings both.`,
  });
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
