import { blocksOf, plainText } from './blocks.ts';
import { sentencesOf } from './sentences.ts';
import { LEAST_WORDS, type Statement } from './statements.ts';

const PLAN = /^\s*(?:please )?implement (?:the following|this) plan\b[^\n]*\n/iu;
/** The parts of a plan that give reasons: what is wrong, what was decided. Steps and proofs concern the work itself. */
const REASONS =
  /\b(?:context|problem|background|motivation|why|goal|cause|fix|solution|decisions?|approach|design|rationale)\b/iu;

/** Tells whether a prompt hands over a plan that the user approved. */
export function isPlan(prompt: string): boolean {
  return PLAN.test(prompt);
}

/** The title of an approved plan, and its statements on context and decisions. */
export function planIn(prompt: string): { title: string; statements: Statement[] } {
  if (!isPlan(prompt)) return { title: '', statements: [] };
  const plan = prompt.replace(PLAN, '');
  const title = plainText(/^#{1,2}\s+(.*)$/mu.exec(plan)?.[1] ?? '');
  const statements = blocksOf(plan)
    .filter(({ lead, kind }) => kind === 'paragraph' && REASONS.test(lead))
    .flatMap(({ text }) => sentencesOf(text))
    .filter((text) => !text.endsWith(':') && text.split(/\s+/u).length >= LEAST_WORDS)
    .map((text): Statement => ({ text, kind: 'sentence' }));
  return { title, statements };
}
