import type { JSX } from 'preact';
import type { Card, Evidence } from '../../protocol.ts';

/** Hues of the built-in types, in degrees; others get one from their name. */
const HUES: Record<string, number> = {
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
  fresh: 'No cited file changed since.',
  touched: 'Cited files changed since.',
  moved: 'Cited files are elsewhere now.',
  gone: 'Cited files are gone.',
  unknown: 'It cites no file that could be compared.',
};

const EVIDENCE_TITLES: Record<Evidence, string> = {
  verified: 'A failed check passed in its turn, or its change is committed and still there.',
  claimed: 'It was said, and nothing here proves it.',
  undone: 'Its change was reverted, or restored in the same session.',
};
const EVIDENCE_CLASSES: Record<Evidence, string> = { verified: 'good', claimed: 'plain', undone: 'off' };

/** What is computed about a record: its trust, whether its files changed, and its state by marks and replacements. */
export function StateBadges({ card, evidence }: { card: Card; evidence?: Evidence | undefined }): JSX.Element {
  const { trust, freshness } = card;
  return (
    <span class="states">
      {card.pinned && <span class="state pinned">pinned</span>}
      {card.verified && <span class="state good">verified</span>}
      {evidence && !card.verified && (
        <span class={`state ${EVIDENCE_CLASSES[evidence]}`} title={EVIDENCE_TITLES[evidence]}>
          {evidence}
        </span>
      )}
      {card.superseded_by.length > 0 && <span class="state off">superseded</span>}
      {card.retired && <span class="state off">retired</span>}
      {card.reverted_by && (
        <span class="state off" title={`Commit ${card.reverted_by.slice(0, 8)} reverted what it describes.`}>
          reverted
        </span>
      )}
      {card.redacted && <span class="state off">redacted</span>}
      {card.disputed && <span class="state bad">disputed</span>}
      <span
        class={`state ${trust === 'unreviewed' ? 'bad' : trust === 'edited' ? 'warn' : 'plain'}`}
        title={TRUST_TITLES[trust]}
      >
        {trust}
      </span>
      {card.edited && trust === 'own' && (
        <span class="state plain" title="A person changed in this clone what git-mem wrote in it.">
          edited
        </span>
      )}
      {freshness !== 'unknown' && (
        <span
          class={`state ${freshness === 'fresh' ? 'good' : freshness === 'gone' ? 'bad' : 'warn'}`}
          title={FRESHNESS_TITLES[freshness]}
        >
          {freshness}
        </span>
      )}
      {card.store === 'private' && (
        <span class="state plain" title="Never committed.">
          private
        </span>
      )}
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
