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

const TRUST_TITLES: Record<Card['trust'], string> = {
  reviewed: 'The same file is on the default branch.',
  own: 'This clone wrote it or accepted it.',
  edited: 'Its file differs from the one on the default branch.',
  unreviewed: 'Nobody has reviewed it, so it is not injected.',
};

const FRESHNESS_TITLES: Record<Card['freshness'], string> = {
  fresh: 'What it names still stands in the cited files.',
  touched: 'A name that it says is gone from the cited files.',
  moved: 'Cited files are elsewhere now.',
  gone: 'Cited files are gone.',
  unknown: 'It cites no file that could be compared.',
};

const TRUST_LEVELS: Record<Card['trust'], string> = {
  reviewed: 'plain',
  own: 'plain',
  edited: 'warn',
  unreviewed: 'bad',
};

/** How good or bad the freshness of a record or of one of its files is. */
export const FRESHNESS_LEVELS: Record<Card['freshness'], string> = {
  fresh: 'good',
  touched: 'warn',
  moved: 'warn',
  gone: 'bad',
  unknown: 'plain',
};

/** What is computed about a record: its trust, whether its files changed, and its state by marks and replacements. */
export function StateBadges({ card }: { card: Card }): JSX.Element {
  const { trust, freshness } = card;
  const states: [isShown: unknown, name: string, level: string, title?: string][] = [
    [card.pinned, 'pinned', 'pinned'],
    [card.verified, 'verified', 'good', 'Somebody checked it and left a mark.'],
    [card.superseded_by.length > 0, 'superseded', 'off'],
    [card.retired, 'retired', 'off'],
    [card.redacted, 'redacted', 'off'],
    [card.disputed, 'disputed', 'bad', 'Another record supersedes the same one.'],
    [true, trust, TRUST_LEVELS[trust], TRUST_TITLES[trust]],
    [card.edited && trust === 'own', 'edited', 'plain', 'A person changed in this clone what git-mem wrote in it.'],
    [freshness !== 'unknown', freshness, FRESHNESS_LEVELS[freshness], FRESHNESS_TITLES[freshness]],
    ...card.inputs.map((words): [boolean, string, string, string] => [
      true,
      words,
      'warn',
      'Its session read that before.',
    ]),
    [card.store === 'private', 'private', 'plain', 'Never committed.'],
  ];
  return (
    <span class="states">
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

export function hueOf(name: string): number {
  const known = HUES[name];
  if (known !== undefined) return known;
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 360;
  return hash;
}
