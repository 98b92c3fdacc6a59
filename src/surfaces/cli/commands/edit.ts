import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { personAt } from '../../../capture/by-hand/maker.ts';
import { prepare, save } from '../../../capture/by-hand/save.ts';
import { refuseTaintedShell } from '../../../capture/by-hand/tainted-session.ts';
import { GitMemError } from '../../../errors.ts';
import { outlineReader } from '../../../memory/outline.ts';
import { release } from '../../../memory/store/held.ts';
import { readOwnVersions } from '../../../memory/store/ledger.ts';
import { activeRedactions } from '../../../provenance/redactions.ts';
import { untrackedRecords } from '../../../provenance/untracked.ts';
import { fullIds } from '../../../records/records.ts';
import { foldersOf } from '../../../records/view.ts';
import { define, type Flags, type Register } from '../command.ts';
import { editStored } from '../written-record.ts';

export const register: Register = (program, context) =>
  define(program, 'edit', 'correct a record in $EDITOR')
    .argument('<id>', 'its id, or its first four characters or more')
    .jsonAndNotes(`
What was committed is never changed: the corrected text becomes a record that supersedes the old one. A record that this
clone wrote and never committed, or one of the private store, is changed in place.

Example:
  git mem edit k3v9`)
    .action(async (given: string, { json = false }: Flags<'json'>) => {
      const project = context.project();
      const { workspace } = project;
      const { stores, layout, checkout } = workspace;
      await refuseTaintedShell(workspace, context.stdin, `git mem edit ${given}`);
      const [id = ''] = fullIds(workspace, [given]);
      const entry = [stores.team, stores.private].flatMap((one) => [...one.newest()]).find((one) => one.id === id);
      if (entry?.kind !== 'observation') throw new GitMemError('bad-input', `${id} is not an observation.`);
      const { store } = entry;
      if ((await activeRedactions(workspace)).ids.has(id)) throw new GitMemError('redacted', `${id} is redacted.`);
      const { record } = stores[store].read(entry, outlineReader);
      if (record.kind !== 'observation') throw new GitMemError('bad-input', `${id} is not an observation.`);
      const made = editStored(context, workspace, entry);
      const maker = await personAt(workspace, 'cli');
      const making = { maker, now: context.now(), cwd: checkout.root, cleaner: await project.cleaner() };
      const isUncommitted =
        store === 'private' ||
        (readOwnVersions(workspace).has(entry.path) &&
          (await untrackedRecords(workspace)).includes(`.memory/${entry.path}`));
      let written: { id: string; path: string };
      if (isUncommitted) {
        const { record: corrected } = await prepare(workspace, made, making);
        const { session, prompt_number, extractor, branch, commit, generated } = record;
        const origin = { session, prompt_number, extractor, branch, commit };
        const known = Object.fromEntries(Object.entries(origin).filter(([, value]) => value !== undefined));
        const { branch: _, commit: __, ...text } = corrected;
        rmSync(join(stores[store].dir, entry.path));
        written = { id, ...stores[store].put({ ...text, ...known, id, generated }) };
        // If the title changed, the held copy has the old name.
        if (store === 'team' && written.path !== entry.path) release(layout.state, [entry]);
      } else written = await save(workspace, { ...made, supersedes: [id] }, { store, ...making });
      const path = `${foldersOf(workspace)[store]}/${written.path}`;
      if (json) return context.json({ id: written.id, path });
      context.stdout.write(`${written.id}  ${path}\n`);
      context.stderr.write(isUncommitted ? 'Changed in place: it was never committed.\n' : `It supersedes ${id}.\n`);
    });
