import type { JSX } from 'preact';

/** Lines of a diff that are shown; a page of more is no longer read. */
const LINES = 2000;

/** A unified diff, line by line; added and removed lines are told by their sign as well as by colour. */
export function Diff({ text }: { text: string }): JSX.Element {
  const lines = text.split('\n').filter((line) => !/^(?:diff --git|index |--- |\+\+\+ )/.test(line));
  return (
    <pre class="diff">
      {lines.slice(0, LINES).map((line, i) => (
        <span key={i} class={KINDS[line[0] ?? ''] ?? 'same'}>
          {line}
          {'\n'}
        </span>
      ))}
      {lines.length > LINES && <span class="hunk">… {lines.length - LINES} more lines</span>}
    </pre>
  );
}

const KINDS: Record<string, string> = { '+': 'plus', '-': 'minus', '@': 'hunk' };
