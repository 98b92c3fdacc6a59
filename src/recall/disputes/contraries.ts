import { stem } from '../index/tokens.ts';
import { readOnce, type Sentence } from './sentence.ts';

/**
 * What can be said of one thing and its opposite, never both. Opposites that tell two things apart are left out:
 * `public` and `private`, `client` and `server`, `read` and `write` can both be right.
 */
const CONTRARIES = table([
  'work: fail break',
  'pass: fail break',
  'succeed: fail',
  'clean: fail dirty',
  'safe: break unsafe dangerous',
  'enable: disable',
  'enabled: disabled off',
  'on: off',
  'allow: refuse forbid deny reject',
  'permit: forbid',
  'accept: refuse reject',
  'ignore: reject',
  'require: optional',
  'required: optional',
  'mandatory: optional',
  'keep: drop remove delete',
  'include: exclude',
  'show: hide',
  'present: absent',
  'always: never',
  'possible: impossible',
  'true: false',
  'valid: invalid',
  'supported: unsupported',
  'needed: unneeded unnecessary',
  'necessary: unnecessary',
  'testable: untestable',
  'used: unused',
  'stable: unstable',
  'strict: lenient loose',
  'sequential: parallel',
  'serial: parallel',
  'synchronous: asynchronous',
  'lazy: eager',
  'increase: decrease reduce',
  'faster: slower',
  'fail-open: fail-closed',
  'blocking: non-blocking',
  'mutable: immutable',
  'persistent: ephemeral',
  'forget: remember keep',
  'throw: return ignore accept',
  'raise: return ignore accept',
  'twice: once',
  'skip: run',
  'restore: remove drop',
  'deprecate: stay keep',
  'reuse: fresh create',
  'absolute: relative',
  'succeed: throw raise',
]);

function table(lines: string[]): Map<string, Set<string>> {
  const pairs = new Map<string, Set<string>>();
  const add = (one: string, other: string) => pairs.set(one, (pairs.get(one) ?? new Set()).add(other));
  for (const line of lines) {
    const [word = '', others = ''] = line.split(': ');
    for (const other of others.split(' ')) {
      add(stem(word), stem(other));
      add(stem(other), stem(word));
    }
  }
  return pairs;
}

/**
 * What the words of a sentence are the contraries of by the table; and those that may have a contrary with a prefix, with
 * the rests of those that have one.
 */
const contrariesOf = readOnce(({ stems }) => {
  const all = [...stems];
  return {
    named: all.flatMap((one) => [...(CONTRARIES.get(one) ?? [])]),
    plain: new Set(all.map(withoutEnding)),
    rests: all.flatMap((one) => (DENYING.test(one) ? [withoutEnding(one.replace(DENYING, ''))] : [])),
  };
});

/** Tells whether any word of one sentence may be contrary to one of the other: of hardly any two sentences. */
export function mayBeContrary(one: Sentence, other: Sentence): boolean {
  const [here, there] = [contrariesOf(one), contrariesOf(other)];
  return (
    here.named.some((word) => other.stems.has(word)) ||
    here.rests.some((word) => there.plain.has(word)) ||
    there.rests.some((word) => here.plain.has(word))
  );
}

/** Tells whether two words, without their endings, are opposites: of the table, or by a prefix as in `untested`. */
export function areContrary(one: string, other: string): boolean {
  return CONTRARIES.get(one)?.has(other) || isPrefixed(one, other) || isPrefixed(other, one);
}

const DENYING = /^(?:un|non-?|dis|in|im)/;

function isPrefixed(prefixed: string, plain: string): boolean {
  if (prefixed.length <= plain.length || plain.length < 4) return false;
  const rest = prefixed.replace(DENYING, '');
  // "Incorrectly" judges; it says nothing of the thing itself.
  if (plain === 'correct') return false;
  return rest !== prefixed && withoutEnding(rest) === withoutEnding(plain);
}

function withoutEnding(word: string): string {
  return word.replace(/abl$/, '');
}
