import { type Options, toJsxRuntime } from 'hast-util-to-jsx-runtime';
import type { ComponentChildren, JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Fragment, jsx, jsxs } from 'preact/jsx-runtime';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';

/** Longest text that is read as Markdown, in UTF-16 units: hostile text takes quadratic time. What follows is shown as it is. */
const LONGEST = 10_000;

/** Longest rest that is shown without being asked for. */
const LONGEST_REST = 20_000;

/** GitHub's rules, and no images: they would tell other machines that somebody reads this. */
const SCHEMA = {
  ...defaultSchema,
  tagNames: defaultSchema.tagNames?.filter((name) => !['img', 'picture', 'source'].includes(name)) ?? [],
  protocols: { ...defaultSchema.protocols, href: ['http', 'https', 'mailto'] },
};

const toHtml = unified().use(remarkParse).use(remarkGfm).use(remarkRehype).use(rehypeSanitize, SCHEMA).freeze();

/** The text of a record, which anybody may have written: no tag of it is kept as such, and no address but of the web. */
export function Markdown({ text }: { text: string }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const end = useMemo(() => endOfPart(text), [text]);
  const tree = useMemo(() => rendered(text.slice(0, end)), [text, end]);
  const rest = text.slice(end);
  const shown = isWhole ? rest : rest.slice(0, LONGEST_REST);
  return (
    <div class="markdown" dir="auto">
      {tree}
      {rest !== '' && <pre class="wrap">{shown}</pre>}
      {shown.length < rest.length && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {Math.ceil(text.length / 1000)} KB
        </button>
      )}
    </div>
  );
}

function rendered(text: string): ComponentChildren {
  try {
    const tree = toHtml.runSync(toHtml.parse(text));
    return toJsxRuntime(tree, RUNTIME);
  } catch {
    return <pre class="wrap">{text}</pre>; // Nested deeper than the stack.
  }
}

/** Preact as the renderer calls it; the elements' types of the two differ in name only. */
const RUNTIME = {
  ...{ Fragment, jsx, jsxs, elementAttributeNameCase: 'html' },
  components: {
    // Headings of a record lie below the page's own.
    ...{ h1: 'h3', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6' },
    a: Outside,
    input: ({ checked }: { checked?: boolean }) => <span>{checked ? '☑' : '☐'}</span>,
  },
} as unknown as Options;

/** A link out of the viewer; those within a record lead nowhere, because the address is the viewer's. */
function Outside({ href, children }: { href?: string; children?: ComponentChildren }): JSX.Element {
  if (href === undefined || href.startsWith('#')) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

/** Where Markdown ends and plain text begins, at the end of a line. */
function endOfPart(text: string): number {
  if (text.length <= LONGEST) return text.length;
  const line = text.lastIndexOf('\n', LONGEST);
  return line > 0 ? line + 1 : LONGEST;
}
