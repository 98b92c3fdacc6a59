import { baseOf, gerundOf, isBaseVerb, isPastVerb, participleOf, simplePastOf, thirdOf } from './verbs.ts';

/** Words of the first person, outside code. `I/O` and `us-east-1` are none. */
export const FIRST_PERSON =
  /(?<![\p{L}\p{N}_/.-])(?:I(?:'m|'ve|'ll|'d)?(?![/.\p{L}\p{N}_-])|[Mm]e|[Mm]y(?:self)?|[Mm]ine|[Ww]e(?:'re|'ve|'ll|'d)?|[Uu]s|[Oo]urs?(?:elves)?|[Ll]et's|[Ii]ch|[Mm]ich|[Mm]ir|[Ww]ir|[Uu]nser\p{Ll}{0,2}|[Mm]ein(?:e[mnrs]?)?|[Jj]e|[Nn]ous|[Jj]'ai)(?![\p{L}\p{N}_-])/u;

const ADVERBS =
  '(?:(?:also|now|just|already|then|therefore|instead|deliberately|intentionally|explicitly|additionally|only|simply|first|finally|subsequently|thus|again|still|currently|actually|successfully|quickly|carefully|briefly|manually|temporarily) )*';

/** Turns "I VERB ..." into "VERBED ..." or "VERBs ...": what is done is said, who did it is not. */
export function subjectGone(text: string): string | undefined {
  const rest = text
    .replace(
      /^(?:I|[Ww]e)('ve|'d|'m|'re)?\s+/u,
      (_, tail: string | undefined) =>
        ({ "'ve": 'have ', "'d": 'would ', "'m": 'am ', "'re": 'are ' })[tail ?? ''] ?? '',
    )
    .replace(/\b(did|do|have|could|can|would|should|am|are|was|were)n't\b/u, '$1 not')
    .replace(/^can(?:'t|not)\b/u, 'can not');
  let match =
    /^(?:found|noticed|saw|realised|realized|learned|discovered|see|notice) (?:out )?(?:that|how|why) (.*)$/su.exec(
      rest,
    );
  if (match) return match[1];
  match = /^(?:think|believe|guess|suspect|assume|suppose|reckon) (?:that )?(.*)$/su.exec(rest);
  if (match) return FIRST_PERSON.test(match[1] ?? '') ? undefined : `Presumably ${match[1]}`;
  match = /^(?:would |do )?(?:strongly )?(?:recommend|suggest|propose|advise|prefer)(?: that)? (.*)$/su.exec(rest);
  if (match) return `Recommended: ${match[1]?.replace(/^to /u, '')}`;
  match = /^would (?:not |rather |first |also )?(.*)$/su.exec(rest);
  if (match) return /^would not /u.test(rest) ? `Not recommended: ${match[1]}` : `Recommended: ${match[1]}`;
  if (
    /^(?:hope|want|wanted|wish|am (?:sorry|afraid|glad|happy|not sure|unsure)|apologi[sz]e|know|understand|was wrong)\b/u.test(
      rest,
    )
  )
    return undefined;
  if (/^(?:do|did) not (?:yet |really )?(?:know|understand|see why)\b/u.test(rest)) return undefined;
  if (/^left (?:it|that|them|this)\b/u.test(rest)) return undefined;
  match = new RegExp(`^(?:have )?${ADVERBS}(?:not|never) (?:yet )?(\\S+) (.*)$`, 'su').exec(rest);
  const negated =
    /^(?:did|do|have) not (?:yet |actually |even )?(\S+) (.*)$/su.exec(rest) ??
    (rest.startsWith('have') ? match : null);
  if (negated) return notDone(baseOf(negated[1] ?? '') ?? negated[1] ?? '', negated[2] ?? '');
  match = /^(?:can|could|may|might) not (.*)$/su.exec(rest);
  if (match) return `Could not ${match[1]}`;
  match = new RegExp(`^(?:have|had) ${ADVERBS}(\\S+)(.*)$`, 'su').exec(rest);
  if (match?.[1]) {
    const past = simplePastOf(match[1]) ?? (/ed$/u.test(match[1]) ? match[1] : undefined);
    if (past !== undefined) return `${past}${match[2]}`;
  }
  match = new RegExp(`^am ${ADVERBS}(\\S+ing)(.*)$`, 'su').exec(rest);
  if (match?.[1] && baseOf(match[1])) return `${thirdOf(baseOf(match[1]) ?? '')}${match[2]}`;
  match = new RegExp(`^(${ADVERBS})(\\S+)(.*)$`, 'su').exec(rest);
  const [, adverbs = '', verb = '', tail = ''] = match ?? [];
  if (/^need$/u.test(verb) || /^(?:should|must)$/u.test(verb))
    return /^\s*not\b/u.test(tail) ? `Must${tail.replace(/ to /u, ' ')}` : `Still to do:${tail.replace(/^ to /u, ' ')}`;
  const also = adverbs.includes('also') ? 'also ' : '';
  if (isPastVerb(verb) && !(isBaseVerb(verb) && /^We/u.test(text))) return `${also}${verb}${tail}`;
  // "We retry three times" tells what the code does; "I use the id" what was chosen.
  if (/^[Ww]e/u.test(text)) return text;
  if (isBaseVerb(verb)) return `${also}${thirdOf(verb)}${coordinated(tail)}`;
  return /ed$/u.test(verb) ? `${also}${verb}${tail}` : undefined;
}

/** In "resolve the path and refuse anything" the second verb changes with the first. */
function coordinated(tail: string): string {
  return tail.replace(
    /(\band(?: then)?) (\p{Ll}+)(?= (?:the|a|an|any|anything|each|every|it|them|all|no|only|\ue000))/gu,
    (whole, and: string, verb: string) => (isBaseVerb(verb) ? `${and} ${thirdOf(verb)}` : whole),
  );
}

/** "add locking" gives "Locking was not added"; a longer object stays behind its verb. */
function notDone(base: string, rest: string): string {
  const match =
    /^((?:the |a |an |any )?(?:[\p{L}\p{N}_-]+|\ue000\d+\ue001)(?: (?:[\p{L}\p{N}_-]+|\ue000\d+\ue001)){0,3}?)(?=$|[.,;:]|\s(?:because|since|as|so|yet)\b)(.*)$/su.exec(
      rest,
    );
  const object = match?.[1];
  if (
    object === undefined ||
    !isBaseVerb(base) ||
    /\b(?:it|that|this|them|to|and|or|in|on|for|with|from|at|by)\b/u.test(object)
  ) {
    return `Did not ${base} ${rest}`;
  }
  const plural = /[^s'iu]s$/u.test(object);
  const participle = participleOf(base);
  if (/^any /u.test(object)) return `No ${object.slice(4)} ${plural ? 'were' : 'was'} ${participle}${match?.[2] ?? ''}`;
  return `${object} ${plural ? 'were' : 'was'} not ${participle}${match?.[2] ?? ''}`;
}

/** "You must set X" gives "Set X". */
export function imperative(text: string): string {
  const match =
    /^[Yy]ou (?:should |must |need to |have to |can |could |will need to |will have to |'ll need to )(also )?(not |never )?(.*)$/su.exec(
      text,
    );
  if (!match) return text;
  const [, , not, rest = ''] = match;
  return not === undefined ? rest : not.startsWith('never') ? `Never ${rest}` : `Do not ${rest}`;
}

/** Says for whoever reads what was said to the reader: "before you raise" gives "before raising". */
export function secondPersonGone(text: string): string {
  return text
    .replace(
      /,? (?:as|like|just as) you (?:asked|requested|suggested|said|wanted|noted|mentioned|pointed out)(?: for)?/giu,
      '',
    )
    .replace(/^(?:As|Like) you (?:asked|requested|suggested|said|wanted|noted|mentioned),?\s*/u, '')
    .replace(/, which (?:is|was) (?:what|why|where|how) you [^,;.]{1,120}(?=[,;.]|$)/gu, '')
    .replace(
      /\b([Bb]efore|[Aa]fter|[Ww]hen|[Ww]hile) you (?:next )?(\p{Ll}+)\b/gu,
      (whole, word: string, verb: string) => (isBaseVerb(verb) ? `${word} ${gerundOf(verb)}` : whole),
    )
    .replace(/\b([Yy])our\b/gu, (_, y: string) => (y === 'Y' ? 'The' : 'the'));
}

/** What is ours is the project's: "our cache" gives "the cache". */
export function possessiveGone(text: string): string {
  return text
    .replace(
      / (?:behind (?:our|my) backs?|on (?:our|my) (?:side|end)|in (?:our|my) case|for (?:us|me)|to (?:us|me))(?= |[.,;:]|$)/gu,
      '',
    )
    .replace(
      /\b([Gg]ives?|[Ss]aves?|[Cc]osts?|[Tt]ells?|[Ss]hows?|[Bb]uys?|[Gg]ave|[Ss]aved|[Tt]old|[Gg]ets?) (?:us|me)\b/gu,
      '$1',
    )
    .replace(/\b(?:[Mm]y|[Oo]ur) own\b/gu, 'own')
    .replace(/\b([Mm]y|[Oo]ur)\b/gu, (word) => (/^[MO]/u.test(word) ? 'The' : 'the'));
}

/** "we retry" becomes "the code retries": the reader asks what happens, not who is meant. */
export function weGone(text: string): string {
  // "can we retry" is a question turned round: its verb keeps its form.
  const asked = text.replace(
    /\b([Cc]an|[Cc]ould|[Ss]hould|[Ss]hall|[Dd]o|[Dd]id|[Ww]ill|[Mm]ust) we (\p{Ll}+)/gu,
    '$1 the code $2',
  );
  const person =
    /(^|[\s(])([Ww]e)('re|'ve|'d)?\s+((?:also|now|only|never|always|still|already|just|currently|then)\s+)?([\p{L}']+)/gu;
  return asked.replace(
    person,
    (whole, before: string, we: string, tail: string | undefined, adverb = '', verb: string) => {
      const subject = `${before}${we === 'We' ? 'The code' : 'the code'}`;
      if (tail === "'re") return `${subject} is ${adverb}${verb}`;
      if (tail === "'ve") return `${subject} has ${adverb}${verb}`;
      if (tail === "'d") return whole;
      const modal =
        /^(?:can|could|must|may|might|should|would|will|cannot|can't|won't|had|did|didn't|couldn't|shouldn't)$/u.test(
          verb,
        );
      if (modal) return `${subject} ${adverb}${verb}`;
      const third = {
        are: 'is',
        "aren't": 'is not',
        were: 'was',
        "weren't": 'was not',
        "don't": 'does not',
        "haven't": 'has not',
      }[verb];
      if (third !== undefined) return `${subject} ${adverb}${third}`;
      if (isBaseVerb(verb) && !(isPastVerb(verb) && verb !== 'run' && verb !== 'read'))
        return `${subject} ${adverb}${thirdOf(verb)}`;
      return isPastVerb(verb) || /ed$/u.test(verb) ? `${subject} ${adverb}${verb}` : whole;
    },
  );
}
