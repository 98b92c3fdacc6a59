import { endOfFrontMatter, plainLines } from '../../memory/front-matter-lines.ts';
import type { SessionProofs } from '../../memory/session-proofs.ts';
import type { StoredFile } from '../../memory/store/store.ts';

/** What sessions showed, from their digests in the private store, newest first: without git, and without parsing YAML. */
export function proofsIn(digests: StoredFile[]): Map<string, SessionProofs> {
  const found = new Map<string, SessionProofs>();
  for (const { text } of digests) {
    const source = plainLines(text);
    const front = source.slice(0, endOfFrontMatter(source) ?? 0);
    const session = /^session: "([^"\n]+)"$/m.exec(front)?.[1];
    if (session === undefined || found.has(session)) continue;
    found.set(session, { checked: numbersIn(front, 'checked'), takenBack: numbersIn(front, 'taken_back') });
  }
  return found;
}

function numbersIn(front: string, key: 'checked' | 'taken_back'): number[] {
  const line = new RegExp(`^${key}: \\[([^\\]\n]*)\\]$`, 'm').exec(front)?.[1] ?? '';
  return (line.match(/\d+/g) ?? []).map(Number);
}
