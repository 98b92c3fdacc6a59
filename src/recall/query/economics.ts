import type { Observation } from '../../memory/record.ts';
import type { Annotated } from './annotate.ts';

/** The longest that the sentence can get. */
export const ECONOMICS_ROOM = 'x'.repeat(120);

/**
 * The cost of reading these records, and what that saves of the work behind them; empty for none. What an agent saved
 * states no work, and one such record makes the sum unknown.
 */
export function economics(chosen: Annotated<Observation>[]): string {
  const read = chosen.reduce((sum, { readTokens }) => sum + readTokens, 0);
  const work = chosen.reduce((sum, { record }) => sum + (record.discovery_tokens ?? Number.NaN), 0);
  if (chosen.length === 0) return '';
  const isOne = chosen.length === 1;
  const saved = ` (${Math.floor((1 - read / work) * 100)} % saved)`;
  const spent = work > read ? `, the work behind ${isOne ? 'it' : 'them'} ${thousands(work)}${saved}` : '';
  return `${isOne ? 'This record costs' : `These ${chosen.length} records cost`} ${thousands(read)} tokens to read${spent}.`;
}

/** Digits in groups of three. `toLocaleString` would load locale data, a quarter of the whole hook. */
function thousands(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
