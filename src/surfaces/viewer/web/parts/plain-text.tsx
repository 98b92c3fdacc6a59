import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { numberOf } from '../dates.ts';
import { linkTo } from '../route.ts';
import { Button } from './form.tsx';

/** Characters that change the direction of the text after them, by their Unicode names. */
const TURNS: Record<string, string> = {
  '\u202a': 'LRE',
  '\u202b': 'RLE',
  '\u202c': 'PDF',
  '\u202d': 'LRO',
  '\u202e': 'RLO',
  '\u2066': 'LRI',
  '\u2067': 'RLI',
  '\u2068': 'FSI',
  '\u2069': 'PDI',
};

/** Text whose direction depends on its letters only: invisible direction characters are spelled out. */
export function withoutTurns(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, (sign) => `⟨${TURNS[sign] ?? ''}⟩`);
}

/** Text of a record on one line or a few, isolated from its neighbours; `words` are highlighted. */
export function PlainText(props: { text: string; words?: string[]; class?: string }): JSX.Element {
  const { text, words = [], class: name } = props;
  const shown = parts(withoutTurns(text), words);
  return <bdi class={name}>{shown.map((part, i) => (i % 2 === 1 ? <mark key={i}>{part}</mark> : part))}</bdi>;
}

/** The words of a query to highlight in texts. */
export function wordsOf(query: string): string[] {
  return [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [])];
}

/** Every second part is one of the words, with the following letters if it begins a longer one. */
function parts(text: string, words: string[]): string[] {
  if (words.length === 0) return [text];
  // Words contain only letters, digits and underscores, so nothing needs escaping.
  const longestFirst = [...words].sort((a, b) => b.length - a.length).join('|');
  return text.split(new RegExp(`(?<![\\p{L}\\p{N}])((?:${longestFirst})[\\p{L}\\p{N}]*)`, 'giu'));
}

/** A link out of the viewer, in a new tab; plain text if no address is known. */
export function Outside({ url, children }: { url: string | undefined; children: ComponentChildren }): JSX.Element {
  if (url === undefined) return <>{children}</>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

/** A record by its title, or by its id if it is not here. */
export function RecordLink({ id, title }: { id: string; title: string }): JSX.Element {
  return (
    <a class="record-link" href={linkTo({ view: 'record', id })}>
      <PlainText text={title || id} />
    </a>
  );
}

interface RecordLinesProps {
  lines: { id: string; title: string; lead: ComponentChildren; note?: string }[];
  /** The one whose page this is, without a link. */
  current?: string;
}

/** Lines shown before the rest is expanded. */
const MOST = 60;

/** Records by their titles, one per line, each with something before it and something after it. */
export function RecordLines({ lines, current }: RecordLinesProps): JSX.Element {
  const [most, setMost] = useState(MOST);
  return (
    <>
      <ol class="record-lines">
        {lines.slice(0, most).map(({ id, title, lead, note }) => (
          <li key={id} aria-current={id === current ? 'true' : undefined}>
            <span class="soft">{lead}</span>
            {id === current ? <PlainText class="current" text={title || id} /> : <RecordLink id={id} title={title} />}
            {note && <PlainText class="soft" text={note} />}
          </li>
        ))}
      </ol>
      {lines.length > most && (
        <Button name={`${numberOf(lines.length - most)} more`} onClick={() => setMost(most + 10 * MOST)} />
      )}
    </>
  );
}
