// What a sentence denies, from its words alone: "does not use bind mounts", "the default case was removed", "instead of
// a flattened commit".

/** A denial by the places of the words it reaches, the word it denies most of all first. */
interface Reach {
  as: 'denied' | 'over';
  at: number[];
}

interface Reading {
  isBreak(word: string): boolean;
  isContent(word: string): boolean;
}

const NOT = /^(?:not|cannot|never|neither|nor|hardly)$|n['’]t$/;
const LACKING = /^(?:no|without|lack(?:s|ing|ed)?|stop(?:s|ped)?|zero)$/;
const WRONGLY = /^(?:incorrectly|wrongly|mistakenly|erroneously|unnecessarily)$/;
/** After a form of `be`, these end what stands before them. */
const ENDED =
  /^(?:removed|dropped|deleted|gone|abandoned|discarded|discontinued|deprecated|reverted|rejected|refused|retired|refuted|disproved|undone|folded|replaced|superseded|withdrawn)$/;
/** These end what follows. */
const ENDS =
  /^(?:remov(?:e|es|ed|ing)|drop(?:s|ped|ping)?|delet(?:e|es|ed)|replac(?:e|es|ed|ing)|rejected|refused|revert(?:s|ed)?|abandoned|supersedes)$/;
const TURNS = /^(?:moved|changed|changes|switch|switched|migrated|went|goes|renamed|reverted)$/;
const BE = /^(?:is|are|was|were|been|be|being|get|gets|got|has|have|now)$/;
/** What "no longer" says of its subject: "the flag is no longer read". */
const IDLE =
  /^(?:use|used|set|needed|required|supported|available|written|read|called|shown|there|exist|exists|possible)$/;

/** "Without it" and "no evidence that" deny nothing of what follows. */
const NOTHING_DENIED = /^(?:it|them|this|that|these|those|evidence|reason|need|doubt|sign|idea|matter|such)$/;

/**
 * How many words a denial reaches; `no`, `without`, `absent` and the subject of "no longer" reach less far. Half would
 * miss a noun behind two adjectives, double would reach what is said of something else.
 */
const FAR = 4;
const NEAR = 3;

/** The denials of a sentence, given in lower case. */
export function denialsIn(words: string[], reading: Reading): Reach[] {
  const isReached = (at: number) => reading.isContent(words[at] ?? '') && !NOT.test(words[at] ?? '');
  const isEnd = (at: number) => reading.isBreak(words[at] ?? ',');
  const reach = (from: number, step: 1 | -1, most: number, until: string[] = []): number[] => {
    const found: number[] = [];
    for (let at = from; at >= 0 && at < words.length && found.length < most; at += step) {
      if (isEnd(at) || until.includes(words[at] ?? '')) break;
      if (isReached(at)) found.push(at);
    }
    return found;
  };
  const denialAt = (at: number): Reach | undefined => {
    const [word = '', next = '', before = ''] = [words[at], words[at + 1], words[at - 1]];
    if (word === 'no' && next === 'longer') {
      const isOfSubject = IDLE.test(words[at + 2] ?? '') && BE.test(before);
      const subject = isOfSubject || /^exists?$/.test(words[at + 2] ?? '') ? reach(at - 1, -1, NEAR) : [];
      return { as: 'over', at: subject.length > 0 ? subject : reach(at + 2, 1, FAR) };
    }
    if (word === 'not' && (next === 'only' || next === 'just')) return undefined;
    if (NOT.test(word)) return { as: 'denied', at: reach(at + 1, 1, FAR) };
    if (LACKING.test(word) && NOTHING_DENIED.test(next)) return undefined;
    if (LACKING.test(word)) return { as: 'denied', at: reach(at + 1, 1, NEAR) };
    if (WRONGLY.test(word)) return { as: 'over', at: reach(at + 1, 1, 2) };
    if ((word === 'instead' && next === 'of') || (word === 'rather' && next === 'than')) {
      return { as: 'over', at: reach(at + 2, 1, FAR) };
    }
    if (word === 'too' && BE.test(before)) return { as: 'denied', at: reach(at - 1, -1, FAR) };
    if (word === 'left' && next === 'out') return { as: 'denied', at: reach(at - 1, -1, NEAR) };
    if (word === 'absent') return { as: 'denied', at: reach(at - 1, -1, NEAR) };
    if (TURNS.test(word)) {
      const from = words.indexOf('from', at);
      if (from > at && from - at <= FAR) return { as: 'over', at: reach(from + 1, 1, FAR, ['to']) };
    }
    if (ENDED.test(word) && BE.test(before)) return { as: 'over', at: reach(at - 1, -1, FAR + 1) };
    if (ENDS.test(word)) return { as: 'over', at: reach(at + 1, 1, FAR, ['by', 'with', 'from']) };
    return undefined;
  };
  return words.flatMap((_, at) => denialAt(at) ?? []).filter(({ at }) => at.length > 0);
}
