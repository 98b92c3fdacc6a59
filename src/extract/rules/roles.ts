import { isIntent, isOffer } from './talk.ts';
import { isPastVerb } from './verbs.ts';

/**
 * What a sentence does in a report. `state` is a plain finding, `side` a change beside the point, `advice` what should
 * still be done, `open` what is not known or not done, `noise` what nobody needs later.
 */
export type Role =
  | 'cause'
  | 'change'
  | 'decision'
  | 'caveat'
  | 'side'
  | 'advice'
  | 'open'
  | 'state'
  | 'outcome'
  | 'commit'
  | 'noise';

interface Setting {
  /** True where the original spoke in the first person. */
  spoken: boolean;
  original: string;
  heading: string;
  isItem: boolean;
}

const DECISION =
  /\b(?:decision|decided|deciding|chose|chosen|choice|opted|picked|went with|go with|going with|settled on|(?:was|were|is|are|been) rejected(?! (?:with|by|as|when|if|for))|rejected (?:alternative|option|idea|because|since|approach)|rejected:|ruled out|alternatives?:|alternatives|trade-?offs?|proposal|propose[ds]?|considered|in favou?r of|preferred|prefers?|entschieden|Entscheidung|verworfen|bewusst|Alternativen?|Vorschlag|gewählt|abgelehnt|choisi|rejeté|elegid[oa]|descartad[oa])\b/iu;
const REJECTION =
  /\b(?:instead of|rather than|and not|but not|not (?:used|chosen|taken|added|introduced|switched|adopted|moved|split|done)|[Dd]id not (?:use|choose|take|pick|add|introduce|switch|adopt|move|split|go)|over (?:a|an|the) |statt|anstatt|anstelle|und nicht|au lieu de|plutôt que|en lugar de|en vez de)\b/u;
const REASON =
  /\b(?:because|since|as (?:it|that|this|the)|so that|otherwise|due to|reason|weil|da|denn|damit|sonst|wegen|parce que|car|porque)\b/iu;
const CAVEAT =
  /\b(?:must not|must never|mustn't|may not be|should not|shouldn't|(?<=(?:^|[:;,]|must|should|please|may) )never \p{Ll}+|^never |(?<=(?:^|[:;,]|please|and|so) )do not |^do not |^don't |be careful|careful|caveats?|beware|gotchas?|pitfall|(?:please )?note(?: that)?:?(?! in)|remember|keep in mind|bear in mind|be aware|watch out|(?:thing|point)s? to (?:watch|know|remember|check|keep)|before (?:you|raising|running|deploying|upgrading|enabling|switching|changing|removing|merging|releasing|rolling|increasing|scaling|setting|adding|moving|using|turning)\b|when (?:deploying|upgrading|releasing|rolling out|scaling)|important(?:ly)?:|^important\b|^warning\b|warning:|^attention\b|^always \p{Ll}+|(?<=[:;,] )always (?:pass|use|run|call|set|check)|instructions (?:aimed|addressed|directed|meant)|make sure|ensure that|will (?:keep |still |then )?(?:fail|break|be lost|lose|crash|reject|be rejected)|would (?:break|fail|lose|come back)|must (?!have been)\p{Ll}+|has to (?:stay|remain|be|run|match)|have to (?:stay|remain|be|run|match)|needs? to (?:stay|remain|be|run|match)|as long as|only works? (?:if|when|with|on)|breaking change|not backwards?[- ]compatible|hidden instructions|prompt injection|worth (?:checking|knowing|noting|remembering|watching)|known (?:issue|limitation)|limitation|darf(?: \S+){0,5} nicht|dürfen(?: \S+){0,5} nicht|niemals|Achtung|Vorsicht|Hinweis|beachten|aufpassen|muss(?: \S+){0,6} (?:bleiben|sein|werden|laufen)|müssen(?: \S+){0,6} (?:bleiben|sein|werden|laufen)|vor dem (?:Deploy\w*|Update|Upgrade|Release)|nicht vergessen|ne (?:doit|doivent) (?:pas|jamais)|il faut|jamais|no debe[n]?|hay que|nunca)\b/iu;
const LIMIT =
  /\b(?:can still|could still|may still|is not (?:safe|covered|handled|supported|protected|thread-?safe)|are not (?:safe|covered|handled|supported)|not (?:yet )?(?:covered|handled|verified|tested|supported|protected|locked)|could not (?:be )?(?:verif\w+|test\w*|check\w*|reproduce\w*)|the price|drawback|downside|kann(?: \S+){0,4} immer noch|noch nicht)\b/iu;
const SIDE =
  /\b(?:on purpose|side[- ]effect|behaviou?rs? (?:has |have |was |is )?(?:also )?chang\w+|(?:is|are|was|were) (?:now )?also (?:now )?\p{Ll}+(?:ed|en|t)|also (?:applies|affects|changes|covers|means|widens|extends)|while (?:there|at it|doing so)|as a (?:bonus|consequence|side)|incidentally|unrelated|nebenbei|absichtlich|gilt (?:auch|jetzt auch|nun auch)|betrifft auch|à dessein|a propósito)\b/iu;
const CAUSE =
  /\b(?:because|root cause|caus(?:e|es|ed|ing)|due to|reason|came from|comes from|come from|stems? from|turn(?:s|ed) out|leads? to|led to|the (?:bug|problem|issue|culprit|error|failure|crash|leak) (?:was|is|lay|lies|came|comes|sat|sits|happen\w*|occur\w*|appear\w*)|(?:was|were) (?:missing|wrong|broken|never|not|lost|dropped|skipped|swallowed|ignored|overwritten)|which (?:means|meant|cuts?|made|makes|caused|let|lets|left)|, so |race|deadlock|weil|Ursache|Grund|lag an|liegt an|verursacht|dadurch|wodurch|führte|à cause|parce que|cause|provoqu\p{Ll}+|porque|debido)\b|, so /iu;
const NOW =
  /\b(?:now|again|gone|no longer|anymore|any more|jetzt|nun|nicht mehr|künftig|désormais|maintenant|ahora|ya no)\b/iu;
/** The sentence names the cause in so many words, whatever else it speaks of. */
const NAMED_CAUSE =
  /^(?:the )?(?:root |actual |real )?(?:cause|problem|bug|issue|culprit|reason|ursache|grund|das problem|der fehler)(?: \S+){0,6}? (?:is|was|lay|lies|ist|war|liegt|lag)\b|^(?:root )?cause:|^ursache:/iu;
const ADVICE =
  /^(?:recommended|not recommended|still to do|next(?: steps?)?:|todo|follow[- ]?up|first[, ]|second[, ]|third[, ]|finally,|then )|\b(?:worth (?:doing|adding|considering|revisiting)|should (?:also |still |be |then |next )|next step|follow-up|stop-?gap|would be (?:better|good|safer|cleaner|worth)|empfehl\w+|sollte[n]?|nächste[rs]? Schritt)\b/iu;
const OPEN =
  /\b(?:not (?:yet )?(?:know|known|clear|sure)|unknown|unclear|remains? open|still open|[Cc]ould not (?:reach|find|tell|determine|run|access|connect|build)|offen|unklar|nicht bekannt|konnte(?: \S+){0,5} nicht)\b/iu;
const OUTCOME =
  /\b(?:(?:all |both |the )?(?:\S{1,60} )?(?:\p{Ll}{1,40} )?(?:tests?|specs?|suites?|checks?|lint\w*|typecheck|build|compil\p{Ll}+|pipeline|packages?|examples?|scenarios?|assertions?|everything|CI)\b.{0,60}\b(?:pass\w*|green|succe\p{Ll}+|clean|ok|fail\w*|run|laufen|grün|erfolgreich|bestanden|durch|passent|pasan|réuss\w+)|\d+ (?:tests? )?(?:pass(?:ed|es|ing)?|passed|grün)\b|no regressions?|tests? added)/iu;
const COMMIT =
  /^(?:also )?(?:committed|pushed|merged|opened (?:a |the )?(?:PR|pull request)|created (?:the |a )?(?:branch|commit)|everything is committed|changes? (?:are|were|is) committed|the commit|commit(?:ted)? [0-9a-f]{7}|committet|eingecheckt|gepusht|(?:\S+ ){1,4}(?:wurde|wurden|ist|sind) (?:committet|eingecheckt|gepusht))\b|\bcommitted as ["“\ue000]/iu;

/** Tells what a sentence does; `neutral` is its text without the first person. */
export function roleOf(neutral: string, { spoken, original, heading, isItem }: Setting): Role {
  const words = neutral.split(/\s+/u).length;
  const coded = /`|\d|[a-z][A-Z]|_|\//u.test(neutral);
  if (isIntent(original) || isOffer(neutral) || isFiller(neutral)) return 'noise';
  if (words < 3 && !coded) return 'noise';
  if (
    /^(?:(?:\S+ ){1,3}(?:is|are) (?:now )?(?:in place|done|live|ready)(?=\.?$)|Left (?:it|that|them)|It works|That works|This works|Works)\b.{0,30}$/u.test(
      neutral,
    )
  )
    return 'noise';
  if (spoken && words <= 6 && !coded) return 'noise';
  if (
    /^(?:Also )?(?:looked|checked|read|searched|started|walked|opened|ran|re-?ran|dug|went|reviewed|inspected|verified|confirmed|tested|double-checked)\b/iu.test(
      neutral,
    ) &&
    words <= 12 &&
    !REASON.test(neutral) &&
    !/\bthat\b/u.test(neutral)
  )
    return 'noise';
  if (spoken && words <= 5 && /\b(?:it|them|that|this)\b/iu.test(neutral)) return 'noise';
  if (COMMIT.test(neutral) && !CAVEAT.test(neutral)) return 'commit';
  if (NAMED_CAUSE.test(neutral)) return 'cause';
  if (words <= 14 && OUTCOME.test(neutral) && !REASON.test(neutral) && !CAVEAT.test(neutral)) return 'outcome';
  if (spoken && /\b(?:I|we)(?:'d| would) (?:go with|use|pick|choose)\b/iu.test(original)) return 'decision';
  const chosen =
    DECISION.test(neutral) &&
    (spoken || REJECTION.test(neutral) || /:|reject|verworfen|alternativ|decision|proposal/iu.test(neutral));
  if (
    chosen ||
    (REJECTION.test(neutral) &&
      spoken &&
      (REASON.test(neutral) || /^(?:Uses|Kept|Keeps|Used|Verwendet|Nutzt)\b/u.test(neutral)))
  )
    return 'decision';
  if (/decision|alternativ|reject|trade-?off|entscheid/iu.test(heading) && isItem) return 'decision';
  if (CAVEAT.test(neutral) || CAVEAT.test(original)) return 'caveat';
  if (
    SIDE.test(neutral) ||
    /^(?:while (?:at it|there|doing so)|in passing|along the way|on the way)\b/iu.test(original)
  )
    return 'side';
  if (ADVICE.test(neutral) || /\b(?:would|'d|recommend)\b.{0,30}:/iu.test(original)) return 'advice';
  if (/next|follow|to ?do|nächste|offen|open/iu.test(heading) && isItem) return 'advice';
  if (/caveat|note|warning|risk|limit|watch|gotcha|hinweis|achtung/iu.test(heading) && isItem) return 'caveat';
  if (OPEN.test(neutral)) return 'open';
  if (LIMIT.test(neutral)) return 'caveat';
  if (/cause|why|problem|diagnos|ursache|root/iu.test(heading) && isItem) return 'cause';
  const [first = ''] = neutral.split(/\s+/u);
  if (spoken && isPastVerb(first)) return 'change';
  if (CAUSE.test(neutral)) return 'cause';
  if (isPastVerb(first) || NOW.test(neutral) || /\bwurden?\b/u.test(neutral)) return 'change';
  return 'state';
}

const OPENER =
  /^(?:(?:done|great|sure|okay|ok|perfect|excellent|awesome|nice|cool|got it|alright|all right|absolutely|certainly|of course|right|yes|yep|yeah|no|nope|nein|non|no problem|understood|fixed|good (?:catch|point|question|news|idea|call)|great (?:catch|point|question|news|idea)|you(?:'re| are) (?:absolutely |completely |quite )?right(?: about (?:that|this))?|(?:and )?thanks(?: for [^,.;:!–—-]{1,60})?|(?:and )?thank you(?: for [^,.;:!–—-]{1,60})?|hello|hi|hey|h+m+|oh|ah|all (?:done|set)|finished|here(?:'s| is| are) (?:what|the|a|my|your)[^,.;:!–—-]{0,60}|summary|one (?:more|other|last) thing|by the way|btw|fyi|for the record|heads[- ]up|side note|übrigens|au passage|por cierto|tl;?dr|in short|to summari[sz]e|so|well|fertig|erledigt|alles klar|gerne?|klar|natürlich|super|prima|perfekt|verstanden|genau|stimmt|du hast recht|sie haben recht|gute (?:frage|idee)|hallo|danke|kurz|zusammenfassung|d'accord|bien sûr|voilà|parfait|fait|terminé|listo|hecho|claro|perfecto|por supuesto)\s*(?:[,:;!.–—-]+\s+|[!.]+$))/iu;
const APOLOGY =
  /^(?:(?:I(?:'m| am) )?(?:so |very |really )?sorry|(?:my |sincere )?apologies|my (?:mistake|bad|fault)|I apologi[sz]e|entschuldigung|entschuldige|sorry|tut mir leid|mein fehler|désolé|perdón|lo siento)\b[^,.;:!–—-]{0,80}(?:[,.;:!–—-]+\s*|$)/iu;

/** Drops greeting, praise, agreement and apology from the front of a sentence. */
export function withoutOpener(sentence: string): string {
  let text = sentence.trim();
  for (let round = 0; round < 4; round++) {
    const next = text.replace(APOLOGY, '').replace(OPENER, '').trim();
    if (next === text) break;
    text = next;
  }
  return text;
}

/** True where a text warns: what must hold, what must not be done, what will fail. */
export function isCaveat(text: string): boolean {
  return CAVEAT.test(text);
}

/** Talk that carries nothing by itself. */
export function isAgreeable(text: string): boolean {
  return /^(?:that'?s? (?:is )?(?:it|all|done|great|a good \w+)|all done|everything (?:works|is (?:done|fine|in place|ready))|hope (?:this|that) helps|enjoy|good luck|no changes? (?:were|was) (?:made|needed)|ready (?:to|for) (?:go|review|merge)|anything else)\b.{0,60}$/iu.test(
    text,
  );
}

function isFiller(text: string): boolean {
  return /^(?:here(?:'s| is| are)\b|below (?:is|are)\b|see (?:above|below)\b|the following\b.{0,40}$|as (?:requested|discussed)\b.{0,20}$|a (?:review|background|sub-?)\s?\S{0,12} (?:agent|task)\b.{0,80}(?:running|started|background)|(?:waiting|standing by)\b|good (?:catch|point|question)\b.{0,30}$|great\b.{0,20}$|this (?:should|will) (?:fix|resolve|do)\b.{0,20}$|no problem)/iu.test(
    text,
  );
}
