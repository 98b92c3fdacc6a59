import type { Edit, Node, ParseError } from 'jsonc-parser';
import { applyEdits, createScanner, parseTree, printParseErrorCode } from 'jsonc-parser';
import { GitMemError } from '../errors.ts';

export type { Node } from 'jsonc-parser';

/* Edits users' JSON (with comments and trailing commas) so that every other byte stays. The parser's own `modify`
   formats whole lines, which would rewrite a one-line file; so only its parser and its offsets are used. `removeNode`
   removes exactly what `append` added. */

/** Parses a JSON object; throws bad-settings with the line at which `path` stops being one. */
export function parseObject(text: string, path: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    const line = text.slice(0, error.offset).split('\n').length;
    const what = printParseErrorCode(error.error).replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
    const message = `${path} is not valid JSON: line ${line}, ${what.toLowerCase()}.`;
    throw badSettings(message, 'Correct that line and run the command again.');
  }
  if (root?.type !== 'object')
    throw badSettings(`${path} holds no JSON object.`, 'Its outermost level must be { ... }.');
  return root;
}

/** The error for settings that cannot be merged; nothing has been written then. */
export function badSettings(message: string, hint: string): GitMemError {
  return new GitMemError('bad-settings', message, { hint: `${hint} Nothing was written.` });
}

/** The value of a key in an object node; the last one if the key occurs twice, as in JSON.parse. */
export function member(node: Node | undefined, key: string): Node | undefined {
  return node?.type === 'object'
    ? node.children?.findLast(({ children }) => children?.[0]?.value === key)?.children?.[1]
    : undefined;
}

/** JSON as formatters write it: a list of plain values on one line. `indent` is one step of indentation. */
export function printed(value: unknown, indent: string): string {
  const text = JSON.stringify(value, null, indent);
  const lists = /\[\s+((?:"(?:[^"\\]|\\.)*"(?:,\s+)?)+)\s+\]/g;
  return text.replace(lists, (_, list: string) => `[${list.replace(/,\s+"/g, ', "')}]`);
}

/** Adds a last element to an array, or under `key` a last member to an object. */
export function append(text: string, container: Node, value: unknown, key?: string): string {
  const close = container.offset + container.length - 1;
  const last = container.children?.at(-1);
  const bodyEnd = text.slice(0, close).trimEnd().length;
  const comma = last && commaAfter(text, last);
  const edits: Edit[] = last && comma === undefined ? [insert(endOf(last), ',')] : [];
  const name = key === undefined ? '' : `${JSON.stringify(key)}:`;

  if (!isOnLinesOfItsOwn(text, container, bodyEnd, close)) {
    const space = /[,:]\s/.test(text) ? ' ' : '';
    const lead = last ? space : '';
    return applyEdits(text, [...edits, insert(bodyEnd, `${lead}${name}${name && space}${JSON.stringify(value)}`)]);
  }
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = indentUnit(text, container);
  const indent =
    last && isFirstOnLine(text, last) ? lineIndent(text, last.offset) : lineIndent(text, container.offset) + unit;
  const body = printed(value, unit).replaceAll('\n', eol + indent);
  edits.push(insert(bodyEnd, `${eol}${indent}${name}${name && ' '}${body}${comma === undefined ? '' : ','}`));
  if (!text.slice(bodyEnd, close).includes('\n')) {
    edits.push({ offset: bodyEnd, length: close - bodyEnd, content: eol + lineIndent(text, container.offset) });
  }
  return applyEdits(text, edits);
}

/** Removes a member (its property node) or an element from its container, with its comma. */
export function removeNode(text: string, node: Node): string {
  const siblings = node.parent?.children ?? [];
  const begin = text.slice(0, node.offset).trimEnd().length;
  const comma = commaAfter(text, node);
  if (comma !== undefined) return text.slice(0, begin) + text.slice(comma + 1);
  const previous = siblings[siblings.indexOf(node) - 1];
  const commaBefore = previous && commaAfter(text, previous);
  const head =
    commaBefore === undefined ? text.slice(0, begin) : text.slice(0, commaBefore) + text.slice(commaBefore + 1, begin);
  const tail = text.slice(endOf(node));
  const isEmptied = begin - 1 === node.parent?.offset;
  return head + (isEmptied ? tail.trimStart() : tail);
}

/** Replaces a node's value, on one line if the old one was. */
export function replaceNode(text: string, node: Node, value: unknown): string {
  const old = text.slice(node.offset, endOf(node));
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const body = old.includes('\n')
    ? printed(value, indentUnit(text, node)).replaceAll('\n', eol + lineIndent(text, node.offset))
    : JSON.stringify(value);
  return text.slice(0, node.offset) + body + text.slice(endOf(node));
}

const endOf = ({ offset, length }: Node): number => offset + length;

const insert = (offset: number, content: string): Edit => ({ offset, length: 0, content });

/** The position of the comma after a node, skipping comments. */
function commaAfter(text: string, node: Node): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(endOf(node));
  scanner.scan();
  return text[scanner.getTokenOffset()] === ',' ? scanner.getTokenOffset() : undefined;
}

/** Whether members are on lines of their own; an empty container follows the rest of the document. */
function isOnLinesOfItsOwn(text: string, container: Node, bodyEnd: number, close: number): boolean {
  if (text.slice(bodyEnd, close).includes('\n')) return true;
  if (container.children?.length) return false;
  return container.parent === undefined || text.trim().includes('\n');
}

/** One step of indentation in this document: that of its outermost members. */
function indentUnit(text: string, node: Node): string {
  let root = node;
  while (root.parent) root = root.parent;
  const first = root.children?.find((child) => isFirstOnLine(text, child));
  return (first && lineIndent(text, first.offset)) || '  ';
}

function isFirstOnLine(text: string, node: Node): boolean {
  const start = text.lastIndexOf('\n', node.offset - 1) + 1;
  return start > 0 && text.slice(start, node.offset).trim() === '';
}

function lineIndent(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? '';
}
