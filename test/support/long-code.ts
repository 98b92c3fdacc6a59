import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** A function or class with more lines than read well at once. */
export interface LongCode {
  /** File, line and name, for messages. */
  place: string;
  lines: number;
  /** Its documentation comment says why: a sentence that begins "Long because". */
  hasReason: boolean;
}

/** The functions, methods and classes of a file with more than `most` lines, their comments not counted. */
export function longCodeIn(path: string, most: number, text = readFileSync(path, 'utf8')): LongCode[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: LongCode[] = [];
  const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isClassLike(node) || (ts.isFunctionLike(node) && 'body' in node)) {
      const first = lineOf(node.getStart());
      const lines = lineOf(node.end) - first + 1;
      if (lines > most) {
        found.push({ place: `${path}:${first} ${nameOf(node)}`, lines, hasReason: hasReason(node, file) });
      }
    }
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

function nameOf(node: ts.Node): string {
  const named =
    ts.getNameOfDeclaration(node as ts.Declaration) ?? ts.getNameOfDeclaration(node.parent as ts.Declaration);
  return named?.getText() ?? '(unnamed)';
}

/** The comment is above the statement or the member of a class that the code is part of. */
function hasReason(node: ts.Node, file: ts.SourceFile): boolean {
  let owner = node;
  while (!ts.isStatement(owner) && !ts.isClassElement(owner)) owner = owner.parent;
  const comments = ts.getLeadingCommentRanges(file.text, owner.pos) ?? [];
  return comments.some(({ pos, end }) => /Long because [a-z]/.test(file.text.slice(pos, end)));
}
