import { LIMITS } from '../../memory/record.ts';
import { sentencesOf } from '../../memory/sentences.ts';
import { withoutMarkup } from '../../memory/without-markup.ts';
import {
  type Block,
  type Finding,
  factOf,
  inSite,
  isWhole,
  pagesLike,
  placeOf,
  type Quote,
  quotedFinding,
  type Reading,
  type Section,
  sectionsOf,
} from './page.ts';

const PAGES =
  /(?:^|\/)(?:contributing|hacking|(?:gen)?ai[-_]?(?:usage[-_])?policy|(?:coding[-_]?)?(?:style|standards?|guidelines?|conventions?)(?:[-_]?guide)?|code[-_]style|development|developing|pull_request_template)\.(?:md|markdown|rst|txt|adoc)$|(?:^|\/)(?:contributing|developer-?guide|dev-?docs?)\/[^/]+\.(?:md|markdown|rst|adoc)$|^(?:CONTRIBUTING|HACKING)$|(?:^|\/)PULL_REQUEST_TEMPLATE\/[^/]+\.md$/i;
/** Folders with pages for other readers than contributors to this repository. */
const ELSEWHERE =
  /(?:review|issue|triag|maintain|releas|track)[^/]*$|(?:^|\/)(?:node_modules|vendor|third[_-]?party|examples?|fixtures?|test(?:s|data)?|templates?|i18n|translations?|[a-z]{2}[-_][A-Z]{2})\//;
/** The folders of pages about the whole repository; elsewhere they are about one of its parts. */
const GUIDES = /^(?:(?:\.github|docs?|documentation|contributing|dev[\w-]*)\/(?:[^/]+\/)?)?[^/]+$/i;

/** Sections that demand nothing of changes, or only of people. */
const BESIDE =
  /conduct|collaborator|releas|\bbugs?\b|\bisn't working|linux|mac ?os|report|reproduc|issue|question|support|help|sponsor|donat|governance|licen[cs]e|copyright|thank|communit|chat|discord|security|maintainer|triag|member|roadmap|review|discuss|repository configuration|publish|translat|financ|windows|editor|ide\b|visual studio|vs ?code|environment|set(?:ting)?[ -]?up|install|prerequisite|getting started|quick start|debug|first (?:time|contribution)|fork|clone|onboarding|becom|welcome|backer|credit|labels?|stale|meeting|role|(?:finding|choosing) |propos|request a|who |how (?:is|are|do we)|run(?:ning)? /i;

/** What a change is refused for. Addressed to the reader: "do not add", but not "tools that do not follow". */
const DEMAND =
  /\bmust(?:n't)?\b|\b(?:is|are) (?:required|mandatory)\b|\b(?:can(?:'t|not)|won't|will not) be (?:merged|accepted)\b|\bwill be (?:closed|rejected)\b|\bnot (?:allowed|accepted|permitted|accepting pull requests)\b|\bno [^.,;]{1,60} (?:is|are) (?:allowed|accepted|permitted)\b|(?:^|\b(?:please|you|and|but|so|then) |[;:,(–—] ?)(?:do not|don't|never|always)\b(?! (?:want|need|have|know)\b)|\bshould (?:always )?(?:add|write|include|update|have)\b[^.]{0,30}\btests?\b/i;
/** The reader may choose, or is only talked to: a beginner, or somebody who hesitates. */
const PERMITTED =
  /\b(?:we(?:'re| are) (?:happy|glad|excited)|we (?:will|'ll|can) help|thank|(?:not|n't) (?:worry|hesitate|be afraid|let )|afraid|code of conduct|CLA|licen[cs]e agreement|(?:you are|you're|do not have|don't have) (?:\w+ )?(?:new|unsure|not sure|experience\w*)|beginners?|newcomers?|first[- ]time|(?:need|ask for|our) (?:any )?help|questions?|whether you prefer|do whatever|feel free|if you (?:like|want|prefer|wish)|up to you|optional(?:ly)?|(?:not|n't|never)(?: be)? (?:required|mandatory|have to|need)|must be (?:installed|running)|required to (?:build|run|compile)|nominated|maintainers? (?:must|will)|your (?:fork|local|branch(?:es)?)|assigned)\b/i;
/** Words about the work itself, as rules use them. */
const TOPIC =
  /`|\b(?:tests?|commits?|pull requests?|PRs?|change ?log|dependenc(?:y|ies)|API|public|docs?|documentation|doc comments?|lint|format|style|types?|nam(?:e|ing)|functions?|class(?:es)?|modules?|packages?|imports?|exports?|branch|backport|breaking|compatib\w+|deprecat\w+|performance|benchmarks?|coverage|code|comments?|errors?|panic|unsafe|options?|features?|versions?|rebase|squash|subject|message|sign(?:ed)?-?off)\b/i;

/** Demands something that it does not name. */
const EMPTY =
  /^first of all|\bour best\b|^\W*--|\bforget to\b|\b(?:some|several|few|certain|various|all) (?:\w+ )?(?:rules|things|steps|guidelines|requirements|conventions)\b|\bmust (?:\w+ )?(?:decide|choose|consider|understand|know|be aware|read|be followed|(?:be )?install\w*)\b/i;

/** Depends on the previous sentence, or points to words outside its own. */
const LEANING =
  /^(?:in (?:that|this|both|these|some|most)|if not|this|that|these|those|it|they|he|she|as such|also|then|for (?:example|instance)|if (?:so|the)|there|must|should|required|shall|otherwise|so|specifically|eventually|hopefully|but|and|or|however|some|many|we|once|your)\b|\b(?:these|those|above|below|following|as such|instead|the policy|this(?! (?:repository|project|package|guide|file))|(?:it|them|that)(?=\.?$))\b/i;
/** Introduces an example, or holds only under a condition that its items do not repeat. */
const LIMITED =
  /\b(?:examples?|instance|e\.g|sample|if|when|whenever|unless|where|while|not|never|avoid|without|cannot|releases?|versions?)\b|n't\b/i;

/** Characters of a rule, rules of one section, and sections of one page: a long guide must not hide the others. */
const LONGEST = 400;
const MOST_FACTS = 6;
const MOST_SECTIONS = 3;
/** A policy on what models write; one record is enough, however often it is repeated. */
const ON_MODELS = /\b(?:AI|LLMs?)\b|artificial intelligence/i;
/** A paragraph or an item that demands something, whole, and the sentence in it that says what. */
interface Rule extends Quote {
  title: string;
}

/** One finding per section of a guide. Pages for agents are left out: their hosts read them anyway. */
export async function findRules(reading: Reading): Promise<Finding[]> {
  const isGuide = (path: string) => {
    const short = inSite(path);
    return PAGES.test(short) && !ELSEWHERE.test(short) && GUIDES.test(short);
  };
  const pages = await pagesLike(reading, isGuide, 30);
  const seen = new Set<string>();
  const isNew = (text: string) => !seen.has(text) && seen.add(text);
  return pages.flatMap((page) => {
    const sections = sectionsOf(page).flatMap((section) => {
      const rules = rulesIn(section).filter(({ text }) => isNew(text));
      return rules.length === 0 ? [] : [{ section, rules }];
    });
    sections.sort((a, b) => b.rules.length - a.rules.length || a.section.line - b.section.line);
    const wanted = sections.filter(({ section }) => !isOnModels(section) || isNew('model')).slice(0, MOST_SECTIONS);
    return wanted.map(({ section, rules }) => findingOf(section, rules.slice(0, MOST_FACTS)));
  });
}

function isOnModels({ path, heading }: Section): boolean {
  return ON_MODELS.test(`${path} ${heading}`.replaceAll('_', ' '));
}

function rulesIn(section: Section): Rule[] {
  const isPolicy = /policy/i.test(section.path) || isOnModels(section);
  if (BESIDE.test(section.heading) && !isPolicy) return [];
  return section.blocks.flatMap((block): Rule[] => {
    const isItem = block.mark !== '';
    const isLead = (one: Block) => one.line < block.line && !(isItem && (one.mark !== '' || one.isNested));
    const lead = section.blocks.findLast(isLead)?.text ?? '';
    const isLed = /:\W*$/.test(lead) && (!isItem || LIMITED.test(lead));
    const isWholeBlock = isWhole(block.text) && block.text.length <= LONGEST && !PERMITTED.test(block.text);
    if (block.isNested || block.isQuotation || isLed || !isWholeBlock) return [];
    const title = ruleIn(block, isPolicy);
    return title === undefined ? [] : [{ ...block, title }];
  });
}

/** The sentence of a block that says what is demanded, if it can be understood alone and is short enough for a title. */
function ruleIn({ text }: Block, isPolicy: boolean): string | undefined {
  const sentences = sentencesOf(text);
  // A start that depends on the words before the block makes all of it unclear.
  if (LEANING.test(withoutMarkup(sentences[0] ?? ''))) return undefined;
  const found = sentences.find((sentence, i) => {
    const said = withoutMarkup(sentence);
    const isFree = i === 0 || (!LEANING.test(said) && !LIMITED.test(sentences.slice(0, i).join(' ')));
    const isClear = isWhole(sentence) && said.split(' ').length >= 4 && !/https?:|::|<|\]|\|/.test(said);
    const isFitting = said.length <= LIMITS.title + 1 && (isPolicy || TOPIC.test(sentence));
    // The words of a link may be the title of somebody's article.
    const own = withoutMarkup(sentence.replace(/\[[^\]]{0,300}\]\([^)]{0,300}\)/g, '…'));
    return isFree && isClear && isFitting && DEMAND.test(own) && !EMPTY.test(said);
  });
  return found && withoutMarkup(found.replace(/\.([*_]*)$/, '$1'));
}

function findingOf({ path, heading, line }: Section, rules: Rule[]): Finding {
  const where = heading ? `The section "${heading}" (${placeOf({ path, line })})` : path;
  const [{ title, text, line: first } = { title: '', text: '', line }] = rules;
  return quotedFinding({
    pattern: 'rule',
    subject: `${path}\0${heading}`,
    quotes: rules,
    title,
    narrative: `${where} says: "${text}" (${placeOf({ path, line: first })}).`,
    facts: rules.filter((rule) => factOf(rule).endsWith(rule.text)).map(factOf),
    concepts: ['convention', 'contributing'],
    files_read: [path],
  });
}
