import { blocksOf } from './blocks.ts';
import { isAgreeable, type Role, roleOf, withoutOpener } from './roles.ts';
import { sentencesOf } from './sentences.ts';
import { identifiersIn, termsIn } from './terms.ts';
import { isFirstPerson, neutralise } from './voice.ts';

/** One neutral sentence of the agent's message. */
export interface Statement {
  /** Without first person and filler, with its end mark. */
  text: string;
  role: Role;
  /** Place in the message; sentences of one paragraph share it. */
  block: number;
  heading: string;
  identifiers: Set<string>;
  terms: Set<string>;
  /** True where the agent spoke of its own doing. */
  spoken: boolean;
  /** True for list items and table rows. */
  isItem: boolean;
}

/** What the reader was asked, kept apart: it is no statement, but the summary names it as open. */
interface Reading {
  statements: Statement[];
  questions: string[];
}

const MAX_STATEMENTS = 120;

/** Reads an agent's message: what it states, in order, and what it asks. */
export function readMessage(message: string): Reading {
  const statements: Statement[] = [];
  const questions: string[] = [];
  const seen = new Set<string>();
  for (const [block, { text, heading, kind }] of blocksOf(message).entries()) {
    for (const sentence of sentencesOf(text)) {
      if (statements.length >= MAX_STATEMENTS) break;
      const bare = harmless(withoutOpener(sentence));
      if (bare === '') continue;
      if (/[?？]["”)]?$/u.test(bare)) {
        questions.push(bare);
        continue;
      }
      const spoken = isFirstPerson(bare);
      for (const neutral of neutralise(bare)) {
        const key = neutral.toLowerCase();
        if (seen.has(key) || (!spoken && isAgreeable(neutral))) continue;
        seen.add(key);
        const rejected = /reject|verworfen|discarded|not chosen|ruled out/iu.test(heading) && kind === 'item';
        const text = rejected && !/reject|verworfen/iu.test(neutral) ? `Rejected: ${neutral}` : neutral;
        const role = roleOf(text, { spoken, original: bare, heading, isItem: kind !== 'paragraph' });
        if (role === 'noise') continue;
        const [identifiers, terms] = [identifiersIn(text), termsIn(text)];
        statements.push({
          text,
          role,
          block,
          heading,
          identifiers,
          terms,
          spoken,
          isItem: kind !== 'paragraph',
        });
      }
    }
  }
  return { statements, questions };
}

/** What an agent says of planted orders, without the orders themselves; empty where nothing else is left. */
function harmless(sentence: string): string {
  if (!givesOrders(sentence)) return sentence;
  const bare = sentence
    .replace(/(?:(?<!\s)\s+)?\(?["“„«][^"”“»]{4,400}["”“»]\)?/gu, '')
    .replace(/(?:(?<!\s)\s+)?`[^`]{12,400}`/gu, '');
  return givesOrders(bare) || bare.length < 30 ? '' : bare;
}

/** Text that gives orders to a reader of the memory, wherever the agent took it from. */
export function givesOrders(text: string): boolean {
  return /\b(?:ignore|disregard|forget)\b.{0,30}\b(?:previous|prior|above|earlier|all|your|system)\b.{0,20}\b(?:instructions?|prompts?|rules|messages?)\b|\b(?:store|save|remember|write|record) (?:this |it )?(?:in|to|into) (?:the |your )?(?:long-term )?memory(?: that\b|:)|\b(?:user|owner|admin|maintainer)s? (?:has |have )?(?:pre-?)?(?:approved|authori[sz]ed|consented)(?: to)? \p{Ll}+ing\b|\bcurl\b[^|]{0,200}\|\s*(?:sudo )?(?:ba|z)?sh\b|\byou are now\b|\b(?:system|developer) prompt\b.{0,40}\b(?:override|reveal|print)|\bignorier\p{L}* .{0,30}\b(?:Anweisungen|Instruktionen)\b/iu.test(
    text,
  );
}
