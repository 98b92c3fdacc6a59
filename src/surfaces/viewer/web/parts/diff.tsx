import type { JSX } from 'preact';
import { lineAddress } from '../../../../review/code-host.ts';
import { Outside } from './outside.tsx';
import { withoutTurns } from './plain-text.tsx';

/** Most lines of a diff that are shown; nobody reads more on a page. */
const LINES = 2000;

/**
 * A unified diff, line by line; added and removed lines are marked by their sign as well as by colour. With the file's
 * address on the code host, each hunk links to its first line there.
 */
export function Diff({ text, name, url }: { text: string; name: string; url: string | undefined }): JSX.Element {
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
            <Outside url={url && lineAt(url, line)}>{line}</Outside>
            {'\n'}
          </span>
        ))}
        {lines.length > LINES && <span class="hunk">… {lines.length - LINES} more lines</span>}
      </pre>
    </section>
  );
}

function lineAt(url: string, line: string): string | undefined {
  const [, number] = /^@@ \S+ \+(\d+)/.exec(line) ?? [];
  return number === undefined ? undefined : lineAddress(url, Number(number));
}

const KINDS: Record<string, string> = { '+': 'plus', '-': 'minus', '@': 'hunk' };
