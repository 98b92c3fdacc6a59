import { type Options, toJsxRuntime } from 'hast-util-to-jsx-runtime';
import type { ComponentChildren, JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Fragment, jsx, jsxs } from 'preact/jsx-runtime';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { Button } from './form.tsx';
import { Outside, withoutTurns } from './plain-text.tsx';

/**
 * Longest text parsed as Markdown, in UTF-16 units: hostile text takes quadratic time. The rest is shown as plain text.
 */
const LONGEST = 5000;

/** Longest rest that is shown without a click: more than anybody reads at once. */
const LONGEST_REST = 20_000;

/** Deepest nesting that is rendered: deeper nesting strains browsers and their stacks, and nobody writes it. */
const DEEPEST = 60;

/** GitHub's rules, without images, which would tell other machines that somebody reads this. */
const SCHEMA = {
  ...defaultSchema,
  tagNames: defaultSchema.tagNames?.filter((name) => !['img', 'picture', 'source'].includes(name)) ?? [],
  protocols: { ...defaultSchema.protocols, href: ['http', 'https', 'mailto'] },
};

const toHtml = unified().use(remarkParse).use(remarkGfm).use(remarkRehype).use(rehypeSanitize, SCHEMA).freeze();

/** The text of a record, which anybody may have written: its HTML tags are dropped, and only web addresses are kept. */
export function Markdown({ text: given, level }: { text: string; level: Level }): JSX.Element {
  const text = useMemo(() => withoutTurns(given), [given]);
  const [isWhole, setWhole] = useState(false);
  const end = useMemo(() => endOfPart(text), [text]);
  const tree = useMemo(() => rendered(text.slice(0, end), level), [text, end, level]);
  const rest = text.slice(end);
  const shown = isWhole ? rest : rest.slice(0, LONGEST_REST);
  return (
    <div class="markdown" dir="auto">
      {tree}
      {rest !== '' && <pre class="wrap">{shown}</pre>}
      {shown.length < rest.length && (
        <Button name={`Show all ${Math.ceil(text.length / 1000)} KB`} onClick={() => setWhole(true)} />
      )}
    </div>
  );
}

function rendered(text: string, level: Level): ComponentChildren {
  try {
    const tree = toHtml.runSync(toHtml.parse(text));
    if (isShallow(tree)) return toJsxRuntime(tree, RUNTIMES[level]);
  } catch {
    // Nested deeper than the stack allows.
  }
  return <pre class="wrap">{text}</pre>;
}

type Nodes = Parameters<typeof toJsxRuntime>[0];

function isShallow(tree: Nodes): boolean {
  let level: Nodes[] = [tree];
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    level = level.flatMap((node) => ('children' in node ? node.children : []));
  }
  return level.length === 0;
}

/** Level of the first headings: a record's headings are below the page's own. */
type Level = 2 | 4;

/** Preact with the signatures that the renderer expects; the two libraries' element types differ in name only. */
const runtimeOf = (headings: Record<string, string>) =>
  ({
    Fragment,
    jsx,
    jsxs,
    elementAttributeNameCase: 'html',
    components: {
      ...headings,
      a: Link,
      pre: Block,
      input: ({ checked }: { checked?: boolean }) => <span>{checked ? '☑' : '☐'}</span>,
    },
  }) as unknown as Options;

const RUNTIMES = {
  2: runtimeOf({ h1: 'h2', h3: 'h3', h4: 'h4', h5: 'h5', h6: 'h6' }),
  4: runtimeOf({ h1: 'h4', h2: 'h4', h3: 'h5', h4: 'h6', h5: 'h6', h6: 'h6' }),
};

/** Code, which scrolls if it is wide, and therefore has to be reachable by keyboard. */
function Block({ children }: { children?: ComponentChildren }): JSX.Element {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
  return <pre tabIndex={0}>{children}</pre>;
}

/** Anchors within a record lead nowhere, because the address belongs to the viewer. */
function Link({ href, children }: { href?: string; children?: ComponentChildren }): JSX.Element {
  return <Outside url={href?.startsWith('#') ? undefined : href}>{children}</Outside>;
}

/** Where Markdown ends and plain text begins, at the end of a line. */
function endOfPart(text: string): number {
  if (text.length <= LONGEST) return text.length;
  const line = text.lastIndexOf('\n', LONGEST);
  return line > 0 ? line + 1 : LONGEST;
}
