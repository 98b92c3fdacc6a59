import type { JSX } from 'preact';
import type { Filters } from '../../protocol.ts';
import { withoutTurns } from './plain-text.tsx';

interface ActiveFiltersProps {
  filters: Filters;
  onChange(filters: Filters): void;
}

/** The active filters, each with a button that removes it. */
export function ActiveFilters({ filters, onChange }: ActiveFiltersProps): JSX.Element | null {
  const active = activeOf(filters);
  if (active.length === 0) return null;
  return (
    <ul class="chips" aria-label="Active filters">
      {active.map(({ label, rest }) => (
        <li key={label}>
          <button type="button" class="chip" aria-label={`Remove the filter ${label}`} onClick={() => onChange(rest)}>
            <bdi>{label}</bdi>
            <span aria-hidden="true">✕</span>
          </button>
        </li>
      ))}
      <li>
        <button type="button" class="chip clear" onClick={() => onChange({})}>
          Clear all
        </button>
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
export function changed(filters: Filters, changes: Record<string, string | string[] | boolean | undefined>): Filters {
  const isSet = ([, value]: [string, unknown]) => value !== undefined && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries({ ...filters, ...changes }).filter(isSet));
}
