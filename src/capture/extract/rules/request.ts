import { LIMITS } from '../../../memory/record.ts';
import { blocksOf, plainText } from '../blocks.ts';
import { showsFailure } from '../checks.ts';
import { editsOf } from '../edits.ts';
import type { Draft } from '../extractor.ts';
import { sentencesOf } from '../sentences.ts';
import type { Turn } from '../turn.ts';
import { LEAST_WORDS, type Statement } from './statements.ts';
import { mainClauseOf } from './title.ts';

const PLAN = /^\s*(?:please )?implement (?:the following|this) plan\b[^\n]*\n/iu;
/** The parts of a plan that give reasons: what is wrong, what was decided. Steps and proofs concern the work itself. */
const REASONS =
  /\b(?:context|problem|background|motivation|why|goal|cause|fix|solution|decisions?|approach|design|rationale)\b/iu;
/** Somebody states a decision, or chooses one thing over another. */
const DECIDED =
  /\b(?:I|we)(?:'ve| have)? (?:decided|agreed|settled on|ruled out|rejected)\b|^(?:decision|decided):\s|\b(?:let's|let us|we(?:'ll| will)?|I(?:'ll| will)?) (?:go with|stick (?:with|to)|use|keep|prefer|choose|chose|drop)\b.{8,}\b(?:because|since|so that|instead of|rather than|over)\b/iu;
const OPEN =
  /[?？]["'”)]*$|\b(?:if|maybe|perhaps|might|could|should we|do you|can you|can we|what about|or should|not sure)\b/iu;
/** Longest prompt that counts as the user's own words and not as a paste, in characters: about 350 words. */
const OWN_WORDS = 2_000;

/** Tells whether a prompt hands over a plan that the user approved. */
export function isPlan(prompt: string): boolean {
  return PLAN.test(prompt);
}

/** The title of an approved plan, and its statements on context and decisions. */
export function planIn(prompt: string): { title: string; statements: Statement[] } {
  if (!isPlan(prompt)) return { title: '', statements: [] };
  const plan = prompt.replace(PLAN, '');
  const statements = blocksOf(plan)
    .filter(({ lead, kind }) => kind === 'paragraph' && REASONS.test(lead))
    .flatMap(({ text }) => sentencesOf(text))
    .filter((text) => !text.endsWith(':') && text.split(/\s+/u).length >= LEAST_WORDS)
    .map((text): Statement => ({ text, kind: 'sentence' }));
  return { title: plainText(/^#{1,2}\s+(.*)$/mu.exec(plan)?.[1] ?? ''), statements };
}

/** The request in one sentence: a plan's title, or a prompt's first sentence; empty where that introduces a paste. */
export function requestIn(prompt: string): string {
  const [line = ''] = prompt.trim().split('\n');
  const request = isPlan(prompt) ? planIn(prompt).title : (sentencesOf(plainText(line))[0] ?? '');
  return request.endsWith(':') ? '' : request;
}

/** The decision that the user stated explicitly, in the user's words; undefined if the turn holds none. */
export function decisionIn(turn: Turn): Draft | undefined {
  if (turn.saved || turn.promptFrom !== 'user' || turn.prompt.length > OWN_WORDS) return undefined;
  const sentences = blocksOf(turn.prompt).flatMap(({ text }) => sentencesOf(text));
  // What a program printed may say that it decided something, too.
  const isOwn = (text: string) => !OPEN.test(text) && !showsFailure(text) && text.length <= LIMITS.narrative;
  const said = sentences.findLast((text) => DECIDED.test(text) && isOwn(text));
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
