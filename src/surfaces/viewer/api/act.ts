import { acceptEdited } from '../../../capture/by-hand/accept-edited.ts';
import { accept } from '../../../capture/by-hand/acceptance.ts';
import { personAt } from '../../../capture/by-hand/maker.ts';
import { writeMark } from '../../../capture/by-hand/mark.ts';
import { promote } from '../../../capture/by-hand/promote.ts';
import { redact } from '../../../capture/by-hand/redact.ts';
import { save } from '../../../capture/by-hand/save.ts';
import { type Cleaner, createCleaner } from '../../../capture/drain/clean.ts';
import { GitMemError } from '../../../errors.ts';
import type { MarkType } from '../../../memory/record.ts';
import { MAX_SCANNED_TEXT } from '../../../memory/size.ts';
import type { Workspace } from '../../../memory/store/workspace.ts';
import { isWaiting } from '../../../records/annotate.ts';
import { readEverything } from '../../../records/read.ts';
import { fullIds } from '../../../records/records.ts';
import { foldersOf } from '../../../records/view.ts';
import type { Library } from '../library.ts';
import { parseAction } from '../posted.ts';
import type { Acted, NewRecord, Store } from '../protocol.ts';

/** Executes a page's action like the command of the same name; throws the same errors. */
export async function act({ project }: Library, body: unknown, now: Date): Promise<Acted[]> {
  const { workspace, config } = project;
  const action = parseAction(body);
  const cleaner = (length?: number) => createCleaner(config().config.privacy.redact, length);
  switch (action.action) {
    case 'promote': {
      const ids = fullIds(workspace, action.ids);
      const promoted = await promote(workspace, ids, { cleaner: cleaner(MAX_SCANNED_TEXT) });
      return promoted.map(({ path, ...one }) => ({ ...one, path: `${foldersOf(workspace).team}/${path}` }));
    }
    case 'trust':
      return trust(workspace, new Set(fullIds(workspace, action.ids)));
    case 'add':
      return add(workspace, action.record, { store: action.store, now, cleaner: cleaner() });
    case 'accept':
      return accepted(workspace, action, { now, cleaner: cleaner() });
    case 'redact': {
      const redacting = { ids: fullIds(workspace, action.ids), reason: action.reason ?? '' };
      const { marks } = await redact(workspace, redacting, {
        maker: await personAt(workspace, 'viewer'),
        now,
        cleaner: cleaner(),
      });
      return marks.map(({ store, path, ...one }) => ({ ...one, path: `${foldersOf(workspace)[store]}/${path}` }));
    }
    default: {
      const { action: type, ids, reason = '' } = action;
      return mark(workspace, { type, ids, reason }, { now, cleaner: cleaner() });
    }
  }
}

async function mark(
  workspace: Workspace,
  { type, ids, reason }: { type: MarkType; ids: string[]; reason: string },
  { now, cleaner }: { now: Date; cleaner: Cleaner },
): Promise<Acted[]> {
  const marking = { type, targets: fullIds(workspace, ids), reason };
  const making = { maker: await personAt(workspace, 'viewer'), now, cleaner };
  const { id, store, path, created } = await writeMark(workspace, marking, making);
  return [{ id, path: `${foldersOf(workspace)[store]}/${path}`, created }];
}

async function trust(workspace: Workspace, ids: Set<string>): Promise<Acted[]> {
  const { accepted, trusted } = await accept(workspace, ids);
  const acted = ({ record, entry }: (typeof accepted)[number], created: boolean): Acted => {
    return { id: record.id, path: `${foldersOf(workspace)[entry.store]}/${entry.path}`, created };
  };
  return [...accepted.map((one) => acted(one, true)), ...trusted.map((one) => acted(one, false))];
}

/** Only a waiting record is accepted in another form; any other is superseded. */
async function accepted(
  workspace: Workspace,
  { id, record: made }: { id: string; record: NewRecord },
  { now, cleaner }: { now: Date; cleaner: Cleaner },
): Promise<Acted[]> {
  const { records } = await readEverything(workspace);
  const record = records.find((one) => one.record.id === id && isWaiting(one))?.record;
  if (record?.kind !== 'observation') {
    throw new GitMemError('no-such-record', `${id} is not in the inbox.`, { hint: 'Load the page again.' });
  }
  const supersedes = fullIds(workspace, made.supersedes);
  const making = { person: await personAt(workspace, 'viewer'), now, cleaner };
  const saved = await acceptEdited(workspace, { record, made: { ...made, supersedes } }, making);
  return [{ id: saved.id, path: `${foldersOf(workspace).team}/${saved.path}`, created: saved.created }];
}

async function add(
  workspace: Workspace,
  record: NewRecord,
  { store, now, cleaner }: { store: Store; now: Date; cleaner: Cleaner },
): Promise<Acted[]> {
  const made = { ...record, supersedes: fullIds(workspace, record.supersedes) };
  const options = { store, maker: await personAt(workspace, 'viewer'), now, cwd: workspace.checkout.root, cleaner };
  const { id, path, created } = await save(workspace, made, options);
  return [{ id, path: `${foldersOf(workspace)[store]}/${path}`, created }];
}
