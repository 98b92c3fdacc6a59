import { withoutMarkup } from '../../../memory/without-markup.ts';
import type { Finding } from '../finding.ts';
import { titled } from '../wording.ts';
import type { Command } from './commands.ts';
import { clipped, factOf, pagesLike, placeOf, type Quote, quotedFinding, type Reading } from './page.ts';
import { type Section, sectionsOf } from './sections.ts';

const PAGES =
  /(?:^|\/)(?:contributing|hacking|coding[-_]?(?:style|standards?|guidelines?)|style[-_]?guide|development|developing|pull_request_template|agents|claude|copilot-instructions)\.(?:md|markdown|rst|txt|adoc)$|(?:^|\/)(?:contributing|developer-?guide|dev-?docs?)\/[^/]+\.(?:md|markdown|rst|adoc)$|^(?:CONTRIBUTING|HACKING)$|(?:^|\/)PULL_REQUEST_TEMPLATE\/[^/]+\.md$/i;
/** Folders with pages for other readers than contributors to this repository. */
const ELSEWHERE =
  /(?:review|issue|triag|maintain|releas|track)[^/]*$|(?:^|\/)(?:node_modules|vendor|third[_-]?party|examples?|fixtures?|test(?:s|data)?|templates?|i18n|translations?|[a-z]{2}[-_][A-Z]{2})\//;

/** Sections that demand nothing of a change. */
const BESIDE =
  /code of conduct|conduct|report(?:ing)? (?:a |an )?(?:bug|issue|security|vulnerab)|bug report|issue|question|support|help|sponsor|donat|governance|licen[cs]e|thank|communit|chat|discord|security|maintainer|triag|member|roadmap|review|repository configuration|publish|translat|financ|windows|editor|ide\b|visual studio|vs ?code|environment|set(?:ting)?[ -]?up|install|prerequisite|getting started|quick start|debug|first (?:time|contribution)|fork|clone|onboarding|becom|welcome|backer|credit|labels?|stale|meeting|role|welcom/i;

const DEMAND =
  /\b(?:must(?:n't)?|should(?:n't)?|shall|never|always|do not|don't|cannot|avoid|make sure|ensure|required?|requires|prefer(?:red|ably)?|instead of|rather than|not allowed|not accepted|need to|needs? (?:to|a)|has to|have to|only|forbidden|mandatory|expected to|please)\b/i;
/** Addressed to the reader: "do not add", but not "tools that do not follow". */
const STRONG =
  /\b(?:must(?:n't)?|should(?:n't)?|shall|required|not allowed|not accepted|forbidden|mandatory)\b|(?:^|\b(?:please|you|and|but|so|then) |[;:,(–—] ?)(?:do not|don't|never|always|avoid|make sure|ensure|prefer|use|add|run|keep|write|include)\b/i;
/** Words about the work itself, as rules use them. */
const TOPIC =
  /`|\b(?:tests?|commits?|pull requests?|PRs?|change ?log|dependenc(?:y|ies)|API|public|docs?|documentation|doc comments?|lint|format|style|types?|nam(?:e|ing)|functions?|class(?:es)?|modules?|packages?|imports?|exports?|branch|backport|breaking|compatib\w+|deprecat\w+|performance|benchmarks?|coverage|code|comments?|errors?|panic|unsafe|options?|features?|versions?|release|rebase|squash|subject|message|sign(?:ed)?-?off)\b/i;
const CHATTER =
  /^(?:however|but|some|many)\b|\b(?:we(?:'re| are) (?:happy|glad|excited)|feel free|thank|don't (?:worry|hesitate|be afraid)|please (?:ask|join|reach|contact|read|see|note that we)|code of conduct|if you (?:have|need) (?:any )?(?:questions?|help))\b/i;

/** Depends on the previous sentence. */
const LEANING =
  /^(?:in (?:that|this|both|these|some)|if not|this|that|these|those|it|they|as such|also|then|for (?:example|instance)|if (?:so|the)|there)\b/i;

/** Rules of one section: enough to know what is asked, and few enough to read; the section has the rest. */
const MOST_FACTS = 6;

/**
 * What a reviewer would insist on, according to the contributor guides: one finding per section. The commands in
 * `quoted` are not repeated.
 */
export async function findRules(reading: Reading, quoted: Command[]): Promise<Finding[]> {
  const pages = await pagesLike(reading, (path) => PAGES.test(path) && !ELSEWHERE.test(path), 30);
  const commands = new Set(quoted.map(({ command }) => command));
  const seen = new Set(quoted.map(({ text }) => text));
  return pages.flatMap(sectionsOf).flatMap((section) => {
    const rules = rulesIn(section).filter(({ text }) => {
      const called = /^(?:please )?run `([^`]+)`/i.exec(text)?.[1] ?? '';
      return !commands.has(called) && !seen.has(text) && seen.add(text);
    });
    return rules.some(({ text }) => STRONG.test(text) && !LEANING.test(text)) ? findingOf(section, rules) : [];
  });
}

function rulesIn({ path, heading, sentences }: Section): Quote[] {
  if (BESIDE.test(heading)) return [];
  const isChecklist = /pull_request_template/i.test(path);
  return sentences.filter(({ text, isItem }) => {
    const isDemand = DEMAND.test(text) || (isChecklist && isItem);
    const isWhole =
      text.length >= 25 && text.length <= 400 && !/[:,]$/.test(text) && (text.match(/\p{L}{2,}/gu)?.length ?? 0) > 1;
    return isDemand && isWhole && TOPIC.test(text) && !CHATTER.test(text) && !/\?$/.test(text);
  });
}

function findingOf({ path, heading, line }: Section, rules: Quote[]): Finding | [] {
  const strength = (text: string) =>
    (LEANING.test(text) ? -2 : 0) +
    (STRONG.test(text) ? 2 : 1) +
    (text.includes('`') ? 1 : 0) +
    (text.length < 160 ? 0.5 : 0);
  const [best] = rules.toSorted((a, b) => strength(b.text) - strength(a.text));
  if (best === undefined) return [];
  const kept = [best, ...rules.filter((rule) => rule !== best)].slice(0, MOST_FACTS).map((quote) => clipped(quote));
  const strong = rules.filter(({ text }) => STRONG.test(text)).length;
  const where = heading ? `The section "${heading}" (${placeOf({ path, line })})` : path;
  return quotedFinding({
    pattern: 'rule',
    subject: `${path}\0${heading}`,
    quotes: kept,
    weight: 0.55 + Math.min(0.25, 0.05 * strong) + Math.min(0.06, 0.02 * rules.length) - (strong === 0 ? 0.12 : 0),
    title: titleOf(heading, withoutMarkup(best.text).replace(/^\W*please,? /i, '')),
    narrative: `${where} demands: "${clipped(best, 300).text}" (${placeOf(best)}).`,
    facts: kept.map(factOf),
    concepts: ['convention', 'contributing'],
    files_read: [path],
  });
}

/** The condition of a rule, if it comes first. */
const CONDITION = /^(?:if|when(?:ever)?|unless|before|after|while|once|where|for|in|to|as|any time)\b[^,]{1,80}, /i;

/** The rule after its heading, or alone if it would be cut before its demand. */
function titleOf(heading: string, rule: string): string {
  const below = titled(heading && heading.length <= 40 ? `${heading}: ` : '', rule);
  const condition = CONDITION.exec(rule)?.[0] ?? '';
  if (condition === '' || below.includes(condition)) return below;
  const alone = titled('', rule);
  return alone.startsWith(condition) ? alone : titled('', `… ${rule.slice(condition.length)}`);
}
