import { LIMITS } from '../../../memory/record.ts';
import { type Block, blocksOf } from './blocks.ts';
import { sentencesOf } from './sentences.ts';

/** One sentence or list item, whole and in its author's words. */
export interface Statement {
  text: string;
  /** A lead announces a list: it may be a record's title, but is no fact without the list. */
  kind: 'sentence' | 'item' | 'lead';
}

/** Asks, offers, or is about the reader. */
const TO_READER =
  /[?？]["'”)]*$|\b(?:you|your|you're|you'll|yours|let me know|want me|would you|shall I|should I|happy to|feel free)\b/iu;
/** Not known, not decided, not done yet. */
const UNSURE =
  /\b(?:might|maybe|perhaps|probably|presumably|likely|possibly|plausible|suspect\w*|suspicious|seems?|appears?|apparently|I (?:do not |don['’]t )?(?:think|believe|guess)|I would|I'd|I could|we could|could|would|if I had to|candidates?|hypothes\w+|not sure|unclear|unverified|couldn't verify|TODO|going to|will need|needs? to be|next step|next,|later|follow-up)\b/iu;
/** Advice: something that should be done and was not. */
const ADVICE =
  /^(?:heads up|consider|try|check|make sure|ensure|note that|re-?run|run|use|set|open|see|look|you can|alternatively|option [\da-z]|recommend\w*)\b|\bshould\b|\b(?:recommend|suggest)\b/iu;
/** The state of work, outdated when it is read. */
const STATUS =
  /^(?:(?:all|both|the|full|\d+|clean)\b[^.]{0,60}\b(?:pass(?:es|ed|ing)?|green|clean|succeed\w*)\b[^.]{0,60}|done|good|great|perfect|right|correct|yes|no|ok|okay|sure|exactly|understood|fixed|updated|added|committed|pushed|finished|complete[d]?|verified|verification|tests?|build|lint\w*|no (?:diff|change|changes)\b.{0,60}|here(?:'s| is| are)\b.*|(?:the )?(?:fix|change|work|task|implementation)s? (?:is|are) (?:complete|done|in place|working)[^.]*|nothing (?:else|further)\b.*|summary\b.*|(?:opened|created) (?:the |a )?PR\b.*|the (?:only|remaining) (?:change|unstaged)\b.*)[.!:]?$/iu;
const VERIFIED =
  /^(?:verified|verification|tested|checked|confirmed|validated)\b|\b(?:pass(?:es|ed|ing)?|reran|re-ran)\b[^.]{0,40}\.?$/iu;
/** Says that work was handed to git. Code is also pushed and merged into other code: only work is meant here. */
const HANDED_ON =
  /^(?:(?:I|we)(?:['’]ve| have)? )?(?:just |now |also |since )?(?:committed|pushed|merged) (?:(?:and pushed )?(?:it|them|everything|all of it)|(?:the |this |these |all |my |your )?(?:changes?|fix(?:es)?|work|files?|branch(?:es)?|commits?|PRs?))\b(?!.*\b(?:because|since|so that|instead)\b)[^.]{0,60}\.?$/iu;
/** Says what its author left undone. */
const UNDONE =
  /\bI (?:did not|didn't|could not|couldn't|haven't|have not|left|skipped|only)\b|\bleft (?:it|them|those) alone\b/iu;
/** A measured number stays useful after the work that it was measured for. */
const MEASURED = /\d\s?(?:ms|s|sec|seconds|minutes|[kMG]i?B|%|x)\b/u;
/** The end of a line that continues in the list below it. */
const UNFINISHED =
  /\b(?:by \p{Ll}+ing|now|so it|to|with|for|in|of|are|is|was|were|the following|that|and|or|also|by)$/iu;
/** Fewer words are a remark that says nothing by itself. */
export const LEAST_WORDS = 4;
/** Refers back: without the sentence before, it says nothing. */
const LEANING =
  /^(?:it|its|this|that|these|those|they|them|he|she|which|so|then|otherwise|both|such|instead|also|but|and|or|however|same)\b(?!-)/iu;

/** Headings and lead lines without statements below: what is not true, not done, not decided, or only proof of work. */
const NO_STATEMENT =
  /\b(?:not|n't|no|never|without|skipp\w+|omitted|ignored|left out|unchanged|options?|alternatives?|approach(?:es)?|ideas?|questions?|next steps?|todo|follow-?ups?|recommend\w*|suggest\w*|consider\w*|could|would|might|should|candidates?|possib\w+|likely|plan|planned|proposal|verif\w+|test(?:s|ed)? (?:run|results?)|limitations?|status|remaining|unrelated|heads up|before|previously|was wrong|root cause|problem|issue|impact|if you|what I'd|try|steps|usage|example)\b/iu;

/** What a message states as fact, in order; everything else is left out. */
export function statementsIn(message: string): Statement[] {
  const blocks = blocksOf(message);
  const taken = new Set<Block>();
  return blocks.flatMap((block, index) => {
    if (taken.has(block) || (block.lead !== '' && NO_STATEMENT.test(block.lead))) return [];
    const list = listUnder(blocks, index);
    for (const one of block.kind === 'item' || isUnfinished(block.text) ? list : []) taken.add(one);
    return block.kind === 'item' ? itemStatements(block, list) : paragraphStatements(block, list);
  });
}

/** An item with those below it. If one sentence asks or doubts, the item is left out: the others may depend on it. */
function itemStatements({ text }: Block, list: Block[]): Statement[] {
  const below = list.filter((one) => sentencesOf(one.text).every(isStated)).map((one) => one.text);
  if (!sentencesOf(text).every(isStated)) return [];
  if (below.length === 0) return [text.endsWith(':') ? leadOf(text) : { text, kind: 'item' }];
  const whole = joined(text, below);
  if (whole.length <= LIMITS.fact) return [{ text: whole, kind: 'item' }];
  if (isUnfinished(text) && whole.length <= LIMITS.narrative) return [{ text: whole, kind: 'sentence' }];
  const own: Statement = text.endsWith(':') ? leadOf(text) : { text, kind: 'item' };
  return [own, ...below.map((one): Statement => ({ text: one, kind: 'item' }))];
}

function paragraphStatements({ text }: Block, list: Block[]): Statement[] {
  const found: Statement[] = [];
  let isOpen = false;
  for (const sentence of sentencesOf(text)) {
    // A sentence that refers to an omitted one would mean something else without it.
    isOpen = (isOpen || !LEANING.test(sentence)) && isStated(sentence);
    if (!isOpen || sentence.split(/\s+/u).length < LEAST_WORDS) continue;
    const goesOn = isUnfinished(sentence) && list.every((one) => sentencesOf(one.text).every(isStated));
    const whole = goesOn
      ? joined(
          sentence,
          list.map((one) => one.text),
        )
      : '';
    if (whole !== '' && list.length > 0 && whole.length <= LIMITS.narrative)
      found.push({ text: whole, kind: 'sentence' });
    else found.push(sentence.endsWith(':') ? leadOf(sentence) : { text: sentence, kind: 'sentence' });
  }
  return found;
}

/** The list that an item or a paragraph announces. */
function listUnder(blocks: Block[], index: number): Block[] {
  const block = blocks[index];
  const isPart = (one: Block) =>
    one.kind === 'item' && (block?.kind === 'item' ? one.isWithin : one.lead === block?.text);
  const end = blocks.findIndex((one, at) => at > index && !isPart(one));
  return blocks.slice(index + 1, end < 0 ? undefined : end);
}

function joined(lead: string, items: string[]): string {
  const colon = isUnfinished(lead) ? '' : ':';
  return `${lead.replace(/:$/u, '')}${colon} ${items.map((one) => one.replace(/[.;,]$/u, '')).join('; ')}`;
}

function leadOf(text: string): Statement {
  return { text: text.replace(/:$/u, ''), kind: 'lead' };
}

/** Tells whether a line continues in the list below it. */
export function isUnfinished(line: string): boolean {
  return UNFINISHED.test(line.replace(/:$/u, ''));
}

/** Tells whether a sentence states a fact. */
export function isStated(sentence: string): boolean {
  const isOpen = [TO_READER, UNSURE, ADVICE, UNDONE].some((pattern) => pattern.test(sentence));
  return !isOpen && !isStatus(sentence);
}

function isStatus(sentence: string): boolean {
  return !MEASURED.test(sentence) && [STATUS, HANDED_ON, VERIFIED].some((pattern) => pattern.test(sentence.trim()));
}

/** Tells whether a sentence needs the one before it. */
export function isLeaning(sentence: string): boolean {
  return LEANING.test(sentence);
}
