import type { Heading, Root, RootContent } from 'mdast';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { type BodyReader, emptySummary, type SummaryBody, sections } from './body.ts';
import { MAX_PARSED_BODY } from './size.ts';

/** Lists and quotes nested on one line, for which the parser takes seconds; nobody writes that many. */
const DEEP = /(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+){30}/;

/** Reads bodies that people wrote: any heading level, any bullet; prose is copied from the source, not re-rendered. */
export const outlineReader: BodyReader = {
  observation(body) {
    if (body.length > MAX_PARSED_BODY || DEEP.test(body)) return undefined;
    const prose: string[] = [];
    const facts: string[] = [];
    for (const { title, nodes } of outline(body)) {
      if (!/^facts?$/i.test(title.text)) {
        prose.push(...[title.source, ...nodes.map(({ source }) => source)].filter(Boolean));
        continue;
      }
      for (const { node, source } of nodes) {
        if (node.type === 'list') facts.push(...node.children.map((item) => listItem(body, item)));
        else facts.push(source);
      }
    }
    return { narrative: prose.join('\n\n'), facts };
  },
  summary(body) {
    if (body.length > MAX_PARSED_BODY || DEEP.test(body)) return undefined;
    const summary: SummaryBody = emptySummary();
    for (const { title, nodes } of outline(body)) {
      const key = sections().find(([, name]) => name.toLowerCase() === title.text.toLowerCase())?.[0] ?? 'notes';
      const heading = key === 'notes' && !/^notes$/i.test(title.text) ? title.source : '';
      const text = [summary[key], heading, ...nodes.map(({ source }) => source)];
      summary[key] = text.filter(Boolean).join('\n\n');
    }
    return summary;
  },
};

interface Section {
  title: { text: string; source: string };
  nodes: { node: RootContent; source: string }[];
}

function outline(body: string): Section[] {
  const root: Root = unified().use(remarkParse).parse(body);
  const result: Section[] = [{ title: { text: '', source: '' }, nodes: [] }];
  for (const node of root.children) {
    const source = sourceOf(body, node);
    if (node.type === 'heading') {
      result.push({ title: { text: contentOf(body, node), source }, nodes: [] });
    } else result.at(-1)?.nodes.push({ node, source });
  }
  return result;
}

function sourceOf(body: string, node: { position?: RootContent['position'] }): string {
  return node.position === undefined ? '' : body.slice(node.position.start.offset, node.position.end.offset);
}

/** A heading's words without its `#` or its underline. */
function contentOf(body: string, { children }: Heading): string {
  return body.slice(children[0]?.position?.start.offset ?? 0, children.at(-1)?.position?.end.offset ?? 0).trim();
}

function listItem(body: string, item: { position?: RootContent['position'] }): string {
  return sourceOf(body, item)
    .replace(/^(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/, '')
    .replace(/\n[^\S\n]+/g, '\n')
    .trim();
}
