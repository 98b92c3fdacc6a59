import { LIMITS } from '../../memory/record.ts';
import type { Turn } from '../turn.ts';
import { blocksOf } from './blocks.ts';
import { sentencesOf } from './sentences.ts';
import { givesOrders } from './statements.ts';
import { isFirstPerson } from './voice.ts';

const MOST = 5;

/** What the decision documents say that the agent itself wrote in this turn (`docs/adr/0007-...md` and their like). */
export function decisionNotes(turn: Turn): string[] {
  const notes: string[] = [];
  for (const { action, paths, change, ok } of turn.calls) {
    const isDocument = paths.some((path) =>
      /(?:^|\/)(?:adrs?|decisions?|rfcs?)\/[^/]+\.(?:md|mdx|rst|adoc|txt)$|(?:^|\/)adr[-_]?\d[^/]*$/iu.test(path),
    );
    if (!isDocument || ok === false || (action !== 'write' && action !== 'edit') || !change) continue;
    for (const { text } of blocksOf(change.added.slice(0, 12_000))) {
      for (const sentence of sentencesOf(text)) {
        const isNote =
          sentence.length >= 25 &&
          sentence.length < LIMITS.fact &&
          !/^(?:status|date|deciders?|author)\b/iu.test(sentence);
        if (isNote && !isFirstPerson(sentence) && !givesOrders(sentence))
          notes.push(/[.!?]$/u.test(sentence) ? sentence : `${sentence}.`);
      }
    }
  }
  return [...new Set(notes)].slice(0, MOST);
}
