import type { Observation } from '../../memory/record.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Cleaner } from '../drain/clean.ts';
import type { Maker } from './maker.ts';
import { type Marking, writeMark } from './mark.ts';
import { type HandMade, type Saved, save } from './save.ts';

/**
 * Writes a person's edited version of a waiting record into the team store and marks the waiting one as superseded. Session and
 * author stay. Throws as `save` does.
 */
export async function acceptEdited(
  workspace: Workspace,
  { record, made }: { record: Observation; made: HandMade },
  { person, now, cleaner }: { person: Maker; now: Date; cleaner: Cleaner },
): Promise<Saved> {
  const { session, prompt_number, extractor, generated } = record;
  const origin = Object.entries({ session, prompt_number, extractor }).filter(([, value]) => value !== undefined);
  const how = { store: 'team', maker: { by: generated.by }, now, cwd: workspace.checkout.root, cleaner } as const;
  const saved = await save(workspace, { ...made, ...Object.fromEntries(origin) }, how);
  const reason = 'Edited before it was accepted.';
  const marking: Marking = { type: 'supersede', targets: [record.id], by: saved.id, reason, store: 'private' };
  await writeMark(workspace, marking, { maker: person, now, cleaner });
  return saved;
}
