import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Meta, NewRecord, Store as StoreName } from '../../protocol.ts';
import { go } from '../route.ts';
import type { Store } from '../store.ts';
import { TypeBadge } from './badges.tsx';
import { Dialog } from './dialog.tsx';
import { Markdown } from './markdown.tsx';

/** What an editor begins with. */
export type Draft = Omit<NewRecord, 'supersedes'>;

/** Longest title that a record may have. */
const TITLE = 80;

/** Writes a new record, beside a preview of it; with `supersedes` it replaces others. */
export function Editor({
  title,
  draft,
  store,
  meta,
  into,
  onClose,
}: {
  title: string;
  draft: NewRecord;
  store: Store;
  meta: Meta;
  into: StoreName;
  onClose: () => void;
}): JSX.Element {
  const record = useSignal(draft);
  const place = useSignal<StoreName>(into);
  const types = useId();
  const { value } = record;
  const set = (change: Partial<NewRecord>) => {
    record.value = { ...record.value, ...change };
  };
  const save = async () => {
    const acted = await store.act({ action: 'add', record: value, store: place.value }, 'Written.');
    const id = acted?.[0]?.id;
    if (id === undefined) return;
    onClose();
    go({ view: 'record', id });
  };
  return (
    <Dialog title={title} onClose={onClose} wide>
      <form
        class="editor"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div class="fields">
          <label>
            <span>Title</span>
            <input
              required
              maxLength={TITLE}
              value={value.title}
              onInput={(e) => set({ title: e.currentTarget.value })}
            />
          </label>
          <div class="row">
            <label>
              <span>Type</span>
              <input required list={types} value={value.type} onInput={(e) => set({ type: e.currentTarget.value })} />
              <datalist id={types}>
                {meta.types.map((type) => (
                  <option key={type} value={type} />
                ))}
              </datalist>
            </label>
            <label>
              <span>Store</span>
              <select
                value={place.value}
                onChange={(e) => (place.value = e.currentTarget.value === 'private' ? 'private' : 'team')}
              >
                <option value="team">team: to be committed</option>
                <option value="private">private: stays here</option>
              </select>
            </label>
          </div>
          <label>
            <span>What was found or done, and why</span>
            <textarea rows={6} value={value.narrative} onInput={(e) => set({ narrative: e.currentTarget.value })} />
          </label>
          <Lines name="Facts, one a line" value={value.facts} onInput={(facts) => set({ facts })} rows={4} />
          <Lines
            name="Concepts, one a line"
            value={value.concepts}
            onInput={(concepts) => set({ concepts })}
            rows={2}
          />
          <Lines
            name="Files that it changed, one a line"
            value={value.files_modified}
            onInput={(files_modified) => set({ files_modified })}
            rows={2}
          />
        </div>
        <section class="preview" aria-label="Preview">
          <TypeBadge type={value.type || 'change'} />
          <h2>{value.title || 'Without a title'}</h2>
          <Markdown text={value.narrative} />
          {value.facts.some(Boolean) && (
            <Markdown
              text={value.facts
                .filter(Boolean)
                .map((fact) => `- ${fact}`)
                .join('\n')}
            />
          )}
        </section>
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary">
            Write the record
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Lines({
  name,
  value,
  onInput,
  rows,
}: {
  name: string;
  value: string[];
  onInput: (lines: string[]) => void;
  rows: number;
}): JSX.Element {
  return (
    <label>
      <span>{name}</span>
      <textarea rows={rows} value={value.join('\n')} onInput={(e) => onInput(e.currentTarget.value.split('\n'))} />
    </label>
  );
}
