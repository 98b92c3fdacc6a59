import type { JSX } from 'preact';
import { withoutTurns } from './plain-text.tsx';

/** Lines of a diff that are shown; a page of more is no longer read. */
const LINES = 2000;

/** A unified diff, line by line; added and removed lines are marked by their sign as well as by colour. */
export function Diff({ text, name }: { text: string; name: string }): JSX.Element {
  const from = text.search(/^@@/m);
  const lines = withoutTurns(from < 0 ? text : text.slice(from))
    .replace(/\n$/, '')
    .split('\n');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="diff" tabIndex={0} aria-label={`What changed in ${withoutTurns(name)}`}>
      <pre>
        {lines.slice(0, LINES).map((line, i) => (
          <span key={i} class={KINDS[line[0] ?? ''] ?? 'same'}>
            {line}
            {'\n'}
          </span>
        ))}
        {lines.length > LINES && <span class="hunk">… {lines.length - LINES} more lines</span>}
      </pre>
    </section>
  );
}

const KINDS: Record<string, string> = { '+': 'plus', '-': 'minus', '@': 'hunk' };
