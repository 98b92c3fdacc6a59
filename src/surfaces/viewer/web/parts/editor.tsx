import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { asError } from '../../../../errors.ts';
import { NO_CONTENT } from '../../../../memory/record.ts';
import type { Meta, NewRecord, Store as StoreName } from '../../protocol.ts';
import { go } from '../route.ts';
import type { Store } from '../store.ts';
import { Button, Dialog, Field, Names, Problem } from './form.tsx';

/** What a new record begins with. */
export const EMPTY_DRAFT: NewRecord = { ...NO_CONTENT, type: 'decision', subtitle: '', supersedes: [] };

/** Most characters of a title, as agents and models are asked for. */
const TITLE = 80;

const LISTS: [key: 'facts' | 'concepts' | 'files_modified' | 'files_read', name: string, rows: number][] = [
  ['facts', 'Facts, one per line', 3],
  ['concepts', 'Concepts, one per line', 2],
  ['files_modified', 'Files that it changed, one per line', 2],
  ['files_read', 'Files that it only read, one per line', 2],
];

interface EditorProps {
  title: string;
  draft: NewRecord;
  store: Store;
  meta: Meta;
  into: StoreName;
  /** The inbox record that is being edited: it goes to the team. */
  accepts?: string;
  onClose: () => void;
}

/** Writes a new record; if its draft supersedes others, it replaces them. */
export function Editor({ title, draft, store, meta, into, accepts, onClose }: EditorProps): JSX.Element {
  const record = useSignal(draft);
  const place = useSignal<StoreName>(into);
  const problem = useSignal<Error | undefined>(undefined);
  const isBusy = useSignal(false);
  const isNew = accepts === undefined;
  const set = (change: Partial<NewRecord>) => {
    record.value = { ...record.value, ...change };
  };
  const save = async () => {
    isBusy.value = true;
    try {
      const written = tidied(record.value);
      const [acted] = await store.source.act(
        isNew
          ? { action: 'add', record: written, store: place.value }
          : { action: 'accept', id: accepts, record: written },
      );
      store.done.value++;
      store.say(acted?.created === false ? 'That already existed.' : 'Written.');
      onClose();
      if (acted && isNew) go({ view: 'record', id: acted.id });
    } catch (error) {
      // A message behind the window could not be read.
      problem.value = asError(error);
    }
    isBusy.value = false;
  };
  return (
    <Dialog title={title} onClose={onClose} isHeld={record.value !== draft}>
      <form
        class="editor stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
        }}
      >
        <Fields
          record={record.value}
          set={set}
          types={meta.types}
          place={place.value}
          onPlace={isNew ? (to) => (place.value = to) : undefined}
        />
        {problem.value && <Problem error={problem.value} />}
        <div class="line end">
          <Button name="Cancel" onClick={onClose} />
          <Button
            name={isNew ? 'Write the record' : 'Accept this version'}
            type="submit"
            class="primary"
            disabled={isBusy.value}
          />
        </div>
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  record: NewRecord;
  set: (change: Partial<NewRecord>) => void;
  types: Meta['types'];
  place: StoreName;
  /** Absent where the store is not the person's choice. */
  onPlace: ((place: StoreName) => void) | undefined;
}

function Fields({ record, set, types, place, onPlace }: FieldsProps): JSX.Element {
  const known = useId();
  return (
    <>
      <Field label="Title">
        <input
          required
          maxLength={TITLE}
          value={record.title}
          onInput={(e) => set({ title: e.currentTarget.value })}
          autocomplete="off"
        />
      </Field>
      <Field label="In one sentence (may be empty)">
        <input value={record.subtitle} onInput={(e) => set({ subtitle: e.currentTarget.value })} autocomplete="off" />
      </Field>
      <div class="pair">
        <Field label="Type">
          <input required list={known} value={record.type} onInput={(e) => set({ type: e.currentTarget.value })} />
          <Names id={known} names={types} />
        </Field>
        {onPlace && (
          <Field label="Store">
            <select value={place} onChange={(e) => onPlace(e.currentTarget.value === 'private' ? 'private' : 'team')}>
              <option value="team">team: to be committed</option>
              <option value="private">private: stays here</option>
            </select>
          </Field>
        )}
      </div>
      <Field label="What was found or done, and why (Markdown)">
        <textarea rows={6} value={record.narrative} onInput={(e) => set({ narrative: e.currentTarget.value })} />
      </Field>
      {LISTS.map(([key, name, rows]) => (
        <Field key={key} label={name}>
          <textarea
            rows={rows}
            value={record[key].join('\n')}
            onInput={(e) => set({ [key]: e.currentTarget.value.split('\n') })}
          />
        </Field>
      ))}
    </>
  );
}

/** Removes the empty lines left over from typing. */
function tidied(record: NewRecord): NewRecord {
  const lines = (values: string[]) => values.map((line) => line.trim()).filter(Boolean);
  const { facts, concepts, files_modified, files_read } = record;
  return {
    ...record,
    type: record.type.trim(),
    title: record.title.trim(),
    subtitle: record.subtitle.trim(),
    facts: lines(facts),
    concepts: lines(concepts),
    files_modified: lines(files_modified),
    files_read: lines(files_read),
  };
}
