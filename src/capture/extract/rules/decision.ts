import { LIMITS } from '../../../memory/record.ts';
import type { Draft } from '../extractor.ts';
import type { Turn } from '../turn.ts';
import { blocksOf } from './blocks.ts';
import { editsOf } from './edits.ts';
import { sentencesOf } from './sentences.ts';
import { mainClauseOf } from './title.ts';

/** Somebody states a decision, or chooses one thing over another. */
const DECIDED =
  /\b(?:I|we)(?:'ve| have)? (?:decided|agreed|settled on|ruled out|rejected)\b|^(?:decision|decided):\s|\b(?:let's|let us|we(?:'ll| will)?|I(?:'ll| will)?) (?:go with|stick (?:with|to)|use|keep|prefer|choose|chose|drop)\b.{8,}\b(?:because|since|so that|instead of|rather than|over)\b/iu;
const OPEN =
  /[?？]["'”)]*$|\b(?:if|maybe|perhaps|might|could|should we|do you|can you|can we|what about|or should|not sure)\b/iu;

/** Longest prompt that counts as the user's own words and not as a paste, in characters. */
const OWN_WORDS = 2_000;

/** The decision that the user stated explicitly, in the user's words; undefined if the turn holds none. */
export function decisionIn(turn: Turn): Draft | undefined {
  if (turn.promptFrom !== 'user' || turn.prompt.length > OWN_WORDS) return undefined;
  const sentences = blocksOf(turn.prompt).flatMap(({ text }) => sentencesOf(text));
  const said = sentences.findLast((text) => DECIDED.test(text) && !OPEN.test(text) && text.length <= LIMITS.narrative);
  const title = said === undefined ? undefined : mainClauseOf(said);
  if (said === undefined || title === undefined) return undefined;
  return {
    turn: turn.key,
    type: 'decision',
    title,
    subtitle: '',
    narrative: said,
    facts: [],
    concepts: [],
    files_read: [],
    files_modified: editsOf(turn).edited.slice(0, LIMITS.files),
    supersedes: [],
  };
}
