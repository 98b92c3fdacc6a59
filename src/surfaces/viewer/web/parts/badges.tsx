import type { JSX } from 'preact';
import type { Card } from '../../protocol.ts';

/** Hues of the built-in types, in degrees; others get one from their name. */
const HUES: Record<string, number> = {
  rule: 320,
  decision: 295,
  bugfix: 25,
  feature: 150,
  refactor: 240,
  discovery: 80,
  change: 260,
  security: 350,
  summary: 195,
};

/** The type of a record. */
export function TypeBadge({ type }: { type: string }): JSX.Element {
  return (
    <span class="type" style={{ '--hue': String(hueOf(type)) }}>
      {type}
    </span>
  );
}

const STALE: Partial<Record<Card['freshness'], string>> = {
  touched: 'A name that it says is gone from the cited files.',
  moved: 'Cited files are elsewhere now.',
  gone: 'Cited files are gone.',
};

/** How good or bad the freshness of a record or of one of its files is. */
export const FRESHNESS_LEVELS: Record<Card['freshness'], string> = {
  fresh: 'good',
  touched: 'warn',
  moved: 'warn',
  gone: 'bad',
  unknown: 'off',
};

/** What is unusual about a record: by its trust, its files, and its marks and replacements. */
export function StateBadges({ card }: { card: Card }): JSX.Element {
  const { trust, freshness, inputs } = card;
  const states: [isShown: boolean, name: string, level: string, title?: string | undefined][] = [
    [card.pinned, 'pinned', 'pinned'],
    [card.verified, 'verified', 'good', 'Somebody checked it and left a mark.'],
    [card.superseded_by.length > 0, 'superseded', 'off'],
    [card.retired, 'retired', 'off'],
    [card.redacted, 'redacted', 'off'],
    [card.disputed, 'disputed', 'bad', 'Another record supersedes the same one.'],
    [trust === 'unreviewed', trust, 'bad', 'Nobody has reviewed it, so it is not injected.'],
    [trust === 'edited', trust, 'warn', 'Its file differs from the one on the default branch.'],
    [card.edited && trust === 'own', 'edited', 'off', 'A person changed in this clone what git-mem wrote in it.'],
    [freshness in STALE, freshness, FRESHNESS_LEVELS[freshness], STALE[freshness]],
    [inputs.length > 0, inputs.join(', '), 'warn', 'Its session read that before.'],
    [card.store === 'private', 'private', 'off', 'Never committed.'],
  ];
  return (
    <span class="states line">
      {states
        .filter(([isShown]) => isShown)
        .map(([, name, level, title]) => (
          <span key={`${name} ${level}`} class={`state ${level}`} title={title}>
            {name}
          </span>
        ))}
    </span>
  );
}

function hueOf(name: string): number {
  const known = HUES[name];
  if (known !== undefined) return known;
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 360;
  return hash;
}
