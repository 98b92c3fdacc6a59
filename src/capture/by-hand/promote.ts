import { GitMemError } from '../../errors.ts';
import { canonical } from '../../memory/canonical.ts';
import { isNewer } from '../../memory/format.ts';
import { outlineReader } from '../../memory/outline.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import type { Entry } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { activeRedactions } from '../../provenance/redactions.ts';
import type { Cleaner } from '../drain/clean.ts';
import { cleanRecord } from './clean-record.ts';

/** A record of the team store; `created` tells whether it was written just now. */
export interface Promoted {
  id: string;
  /** Path inside the team store. */
  path: string;
  created: boolean;
}

/**
 * Copies private records into the team store under their own ids and removes secrets once more, because the team's
 * patterns may have changed since. Records that the team already has stay as they are. Nothing is written when one is
 * refused: throws bad-input for a prompt, or for a mark on a record that the team does not have; redacted;
 * newer-format; no-such-record. `ids` are full ids.
 */
export async function promote(workspace: Workspace, ids: string[], options: { cleaner: Cleaner }): Promise<Promoted[]> {
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
    if (entry.kind === 'prompt') refusePrompt(id);
    const { record } = workspace.stores.private.read(entry, outlineReader);
    if (isNewer(record)) refuseNewer(id);
    if (record.kind === 'mark') refuseDangling(record, (target) => team.has(target) || wanted.includes(target));
    const clean = canonical(await cleanRecord(record, options.cleaner));
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

function byId(entries: Iterable<Entry>): Map<string, Entry> {
  return new Map([...entries].map((entry) => [entry.id, entry]));
}

function refusePrompt(id: string): never {
  throw new GitMemError('bad-input', `${id} is a prompt: what people typed is never committed.`, {
    hint: 'Promote the observations that came of it, or say what matters with `git mem add`.',
  });
}

function refuseNewer(id: string): never {
  const message = `${id} is of a newer format: a copy would lack what this git-mem does not know.`;
  throw new GitMemError('newer-format', message, { hint: 'Update git-mem, then promote it.' });
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
