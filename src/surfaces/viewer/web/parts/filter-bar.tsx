import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { STORES } from '../../../../memory/record.ts';
import { FRESHNESS, TRUST } from '../../../../provenance/levels.ts';
import type { Filters, Kind, Meta, Name, Trust } from '../../protocol.ts';
import { numberOf } from '../dates.ts';
import { shortcuts } from '../keyboard.ts';
import { route } from '../route.ts';
import { Button, Field, Names } from './form.tsx';
import { withoutTurns } from './plain-text.tsx';

type ListName = 'kind' | 'type' | 'concept' | 'file';
type SingleName = 'branch' | 'since' | 'until' | 'store' | 'trust' | 'freshness';

/** The kinds in the order in which people look for them. */
const KINDS: Kind[] = ['observation', 'summary', 'prompt', 'mark'];

/** How many names are offered as buttons: the built-in types and some of the team's. */
const MOST_BUTTONS = 12;

/** The trust levels that a hub knows. */
const IN_HUB: Trust[] = ['reviewed', 'unreviewed'];

interface FilterFormProps {
  filters: Filters;
  meta: Meta;
  onChange(filters: Filters): void;
}

/** All filters of a list of records. */
export function FilterForm({ filters, meta, onChange }: FilterFormProps): JSX.Element {
  const set = (name: SingleName) => (value: string) => onChange(changed(filters, { [name]: value || undefined }));
  const add = (name: ListName) => (value: string) =>
    onChange(changed(filters, { [name]: [...new Set<string>([...(filters[name] ?? []), value])] }));
  const toggle = (name: ListName) => (value: string) => {
    const now: string[] = filters[name] ?? [];
    onChange(changed(filters, { [name]: now.includes(value) ? now.filter((one) => one !== value) : [...now, value] }));
  };
  // A hub indexes committed records: no private stores, and not the branch that each was written on.
  const isHub = meta.person !== undefined;
  const { counts } = meta;
  const kinds = KINDS.filter((name) => counts[name] > 0 || filters.kind?.includes(name));
  const types = meta.types.filter(({ name }, i) => i < MOST_BUTTONS || filters.type?.includes(name));
  const others = (filters.type ?? []).filter((name) => !types.some((one) => one.name === name));
  const unlisted = others.map((name): Name => ({ name, count: 0 }));

  return (
    <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <Buttons
        label="Kind"
        names={kinds.map((name) => ({ name, count: counts[name] }))}
        chosen={filters.kind}
        onToggle={toggle('kind')}
      />
      <Buttons label="Type" names={[...types, ...unlisted]} chosen={filters.type} onToggle={toggle('type')} />
      <Typed label="Concept" names={meta.concepts} onAdd={add('concept')} hint="Add a concept" />
      <Typed label="File, folder or glob" onAdd={add('file')} hint="src/auth/" />
      {!isHub && (
        <div class="pair">
          <Choice label="Branch" names={meta.branches} value={filters.branch} onChoose={set('branch')} />
          <Choice label="Store" names={STORES} value={filters.store} onChoose={set('store')} />
        </div>
      )}
      <div class="pair">
        <DateField label="Since" value={filters.since} onChoose={set('since')} />
        <DateField label="Until" value={filters.until} onChoose={set('until')} />
      </div>
      <div class="pair">
        <Choice label="Trust" names={isHub ? IN_HUB : TRUST} value={filters.trust} onChoose={set('trust')} />
        <Choice label="Freshness" names={FRESHNESS} value={filters.freshness} onChoose={set('freshness')} />
      </div>
      <label>
        <input
          type="checkbox"
          checked={filters.all ?? false}
          onChange={({ currentTarget }) => onChange(changed(filters, { all: currentTarget.checked || undefined }))}
        />{' '}
        Superseded, retired and redacted, too
      </label>
    </form>
  );
}

function Buttons(props: {
  label: string;
  names: Name[];
  chosen: string[] | undefined;
  onToggle(name: string): void;
}): JSX.Element | null {
  const { label, names, chosen = [], onToggle } = props;
  // With one name there is nothing to choose.
  if (names.length + chosen.length < 2) return null;
  return (
    <fieldset class="choices">
      <legend>{label}</legend>
      {names.map(({ name, count }) => (
        <button key={name} type="button" aria-pressed={chosen.includes(name)} onClick={() => onToggle(name)}>
          <bdi>{withoutTurns(name)}</bdi> <span class="soft">{numberOf(count)}</span>
        </button>
      ))}
    </fieldset>
  );
}

/** A value that is typed or chosen from names; Enter makes it a filter. */
function Typed(props: { label: string; hint: string; names?: Name[]; onAdd(value: string): void }): JSX.Element {
  const { label, hint, names = [], onAdd } = props;
  const list = useId();
  return (
    <Field label={label}>
      <input
        list={names.length > 0 ? list : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder={hint}
        onChange={({ currentTarget }) => {
          const value = currentTarget.value.trim();
          currentTarget.value = '';
          if (value !== '') onAdd(value);
        }}
      />
      {names.length > 0 && <Names id={list} names={names} />}
    </Field>
  );
}

function Choice(props: {
  label: string;
  names: readonly (string | Name)[];
  value: string | undefined;
  onChoose(value: string): void;
}): JSX.Element {
  const { label, names, value = '', onChoose } = props;
  const counts = new Map(names.map((one) => (typeof one === 'string' ? [one, ''] : [one.name, ` (${one.count})`])));
  if (value !== '' && !counts.has(value)) counts.set(value, '');
  return (
    <Field label={label}>
      <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        <option value="">any</option>
        {[...counts].map(([name, count]) => (
          <option key={name} value={name}>
            {`${withoutTurns(name)}${count}`}
          </option>
        ))}
      </select>
    </Field>
  );
}

function DateField(props: { label: string; value: string | undefined; onChoose(value: string): void }): JSX.Element {
  const { label, value = '', onChoose } = props;
  return (
    <Field label={label}>
      <input
        type="date"
        value={/^\d{4}-\d{2}-\d{2}$/.test(value) ? value : ''}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      />
    </Field>
  );
}

/** The active filters, each with a button that removes it. */
export function ActiveFilters({ filters, onChange }: Omit<FilterFormProps, 'meta'>): JSX.Element | null {
  const active = activeOf(filters);
  if (active.length === 0) return null;
  return (
    <ul class="line" aria-label="Active filters">
      {active.map(({ label, rest }) => (
        <li key={label}>
          <button type="button" class="chip" aria-label={`Remove the filter ${label}`} onClick={() => onChange(rest)}>
            <bdi>{label}</bdi>
            <span aria-hidden="true">✕</span>
          </button>
        </li>
      ))}
      <li>
        <Button name="Clear all" class="chip" onClick={() => onChange({})} />
      </li>
    </ul>
  );
}

/** Every active filter, with the filters that remain without it. */
export function activeOf(filters: Filters): { label: string; rest: Filters }[] {
  return Object.entries(filters).flatMap(([name, value]) => {
    if (Array.isArray(value)) {
      return value.map((one) => {
        const others = value.filter((other) => other !== one);
        return { label: `${name}: ${withoutTurns(one)}`, rest: changed(filters, { [name]: others }) };
      });
    }
    const label = value === true ? 'superseded and retired, too' : `${name}: ${withoutTurns(String(value))}`;
    return [{ label, rest: changed(filters, { [name]: undefined }) }];
  });
}

/** The filters with some replaced; undefined and empty lists remove them. */
function changed(filters: Filters, changes: Record<string, string | string[] | boolean | undefined>): Filters {
  const isSet = ([, value]: [string, unknown]) => value !== undefined && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries({ ...filters, ...changes }).filter(isSet));
}

/** The search field: `/` focuses it, Escape empties and then leaves it, Enter goes to the results. */
export function FindField(props: { query: string; onQuery(query: string): void; onEnter(): void }): JSX.Element {
  const { query, onQuery, onEnter } = props;
  const field = useRef<HTMLInputElement>(null);
  const text = useSignal(query);
  useEffect(() => shortcuts({ '/': () => field.current?.select() }), []);
  // The address may have changed by other means: a step back, or a link. Applied before another key is pressed.
  useLayoutEffect(() => {
    if (text.peek().trim() !== query) text.value = query;
  }, [query, route.value]);
  const type = (value: string) => {
    text.value = value;
    onQuery(value.trim());
  };
  return (
    <input
      ref={field}
      type="search"
      aria-label="Find records"
      aria-keyshortcuts="/"
      placeholder="Find records ( / )"
      autocomplete="off"
      spellcheck={false}
      enterkeyhint="search"
      value={text.value}
      onInput={({ currentTarget: { value } }) => type(value)}
      onKeyDown={(event) => {
        // These keys also end an IME composition.
        if (event.isComposing || !['Escape', 'Enter', 'ArrowDown'].includes(event.key)) return;
        event.preventDefault();
        if (event.key !== 'Escape') onEnter();
        else if (text.value === '') field.current?.blur();
        else type('');
      }}
    />
  );
}
