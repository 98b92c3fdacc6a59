import { LIMITS } from '../../memory/record.ts';
import { withoutMarkup } from '../../memory/without-markup.ts';
import { grouped } from '../../quantities.ts';
import {
  type Block,
  codesIn,
  commandFinding,
  type Finding,
  factOf,
  fittingTitle,
  isWhole,
  type Page,
  placeOf,
  type Quote,
  type Section,
  sectionsOf,
} from './page.ts';
import { isCall, PROMPT, PURPOSES, type Purpose, purposeOf, typed } from './purposes.ts';

/** Sections of a README that are for developers too. */
const FOR_DEVELOPERS = /\b(?:build|compil|test|develop|contribut|hacking|from source|lint)/i;
/** Sections whose commands serve other ends, such as reporting a bug. */
const FOR_OTHERS =
  /\b(?:issues?|bugs?|report\w*|usage|benchmark\w*|profil\w+|debug\w*|releas\w*|publish\w*|translat\w*|troubleshoot\w*)\b/i;
const ABOUT_PAGES = /\b(?:docs?|documentation|website)\b/i;
/** Words of a section whose commands do not work, or no longer do. */
const BROKEN =
  /\b(?:is|are|currently|temporarily) (?:\w+ )?(?:broken|obsolete|deprecated|outdated|out of date)\b|\bno longer (?:works?|maintained|supported|used)\b/i;
/** Headings that don't narrow what is below them. */
const GENERIC =
  /^\W*(?:(?:common|useful|quick|local|key|the|your|and|develop\w*|commands?|contribut\w*|workflows?|getting|started|guides?|reference|setup|build\w*|test\w*|code|quality)[\s&]*)+$/i;
/** Words that say where or when something applies, which a title must not lose. */
const SCOPE =
  /\b(?:if|when|whenever|unless|only|optional(?:ly)?|except|director(?:y|ies)|folders?|for example|e\.g|windows|linux|mac ?os|once|examples?|instead|alternative\w*|not|never|avoid|specific|particular|single|individual|packages?|modules?|crates?|within|inside|need\w*|requires?|first|after|before(?! (?:you )?(?:submit|open|commit|push|send|creat|mak)\w*))\b|n't\b|\/(?=[`\s]|$)|\bcd\b/i;
const FOLDER = /\bcd\s|\b(?:from|in|inside|within|into|under|to)\b[^.]{0,50}\b(?:director(?:y|ies)|folders?)\b/i;
const AT_THE_TOP = /\b(?:root|cloned?|repository|repo|top)\b/i;
const LEANING =
  /^\W*(?:this|that|these|those|it|they|also|then|note|here|there|otherwise|the (?:above|former|latter)|however|but|and|or)\b/i;
const TOLD = /(?:^\W*|[,;:] |\b(?:can|should|must|please|also|then) )(?:also )?(?:run|execute|use)\b[^`]{0,60}$/i;
/** Arguments that choose some tests. */
const SOME = /<|\[|--filter|--grep|\s-(?:[kt]|run)[=\s]|\.(?:[cm]?[jt]sx?|py|rb|rs|go|php)\b|::|\bpath\b|\btest_?name/i;

/** Commands that appear together in a guide, with the words around them. */
export interface Passage {
  purposes: Purpose[];
  finding: Finding;
}

interface Parts {
  section: Section;
  crumb: string;
  /** The words that introduce the lines. */
  lead: string;
  quotes: Quote[];
  /** Parts of a title, each whole in itself. */
  units: string[];
  purposes: Purpose[];
}

/** The passages of a guide, in its order. `areTestsBounded` leaves out those that run all tests. */
export function passagesOf(page: Page, areTestsBounded: boolean): Passage[] {
  const isReadme = /(?:^|\/)readme[^/]*$/i.test(page.path) && !/contributing/i.test(page.path);
  const all = sectionsOf(page);
  const tops = all.filter(({ level }) => level === 1);
  return all.flatMap((section, i): Passage[] => {
    const parents = parentsOf(all.slice(0, i), section);
    const chain = [...parents, section].filter((one) => one.heading && !(tops.length === 1 && one === tops[0]));
    const headings = chain.map(({ heading }) => heading);
    const isForUsers = headings.some((one) => /\binstall/i.test(one));
    const isWanted = !isReadme || (headings.some((one) => FOR_DEVELOPERS.test(one)) && !isForUsers);
    if (!isWanted || [page.path, ...headings].some((one) => FOR_OTHERS.test(one))) return [];
    if (ABOUT_PAGES.test(section.heading) || section.blocks.some(({ text }) => BROKEN.test(text))) return [];
    const crumb = headings.filter((one, at) => at === headings.length - 1 || !GENERIC.test(one)).join(' > ');
    const parts = [...fromCode(section, crumb), ...fromLists(section, crumb)];
    return parts.flatMap((one): Passage[] => {
      const isBound = one.quotes.every(({ text }) => {
        return [text, ...codesIn(text, page.path)].every((code) => purposeOf(code) !== 'test' || SOME.test(code));
      });
      const isSome = !one.purposes.includes('test') || one.quotes.some(({ text }) => SOME.test(text));
      const isHere = !isElsewhere([...parents, section], one) && !/\bwatch\b/i.test(one.lead);
      const purposes = PURPOSES.filter((purpose) => one.purposes.includes(purpose));
      const finding = purposes[0] && isHere && ((isBound && isSome) || !areTestsBounded) && findingOf(one);
      return finding ? [{ purposes, finding }] : [];
    });
  });
}

/** Tells whether words outside the quotation say that it runs in another folder. */
function isElsewhere(sections: Section[], { quotes: [first], lead }: Parts): boolean {
  const before = sections
    .flatMap(({ blocks, code }) => [...blocks, ...code])
    .filter(({ line }) => line < (first?.line ?? 0));
  const clones = before.some(({ text }) => /\bgit clone\b/.test(text));
  const isAtTop = (text: string) => AT_THE_TOP.test(text) || (clones && /^\W*cd [^/\s]+\/?$/.test(text));
  return before.some(({ text }) => text !== lead && FOLDER.test(text) && !isAtTop(text));
}

/** The lines of a code block and their comments; a block that is too long for one record is left out. */
function fromCode(section: Section, crumb: string): Parts[] {
  const leadOf = ({ line }: Quote) => section.blocks.findLast((block) => block.line < line);
  const blocks = [...grouped(section.code, (quote) => `${leadOf(quote)?.line}`).values()];
  return blocks.flatMap((block): Parts[] => {
    const code = block.filter(({ text }) => text !== '');
    const next = section.blocks.find(({ line }) => line > (block.at(-1)?.line ?? 0));
    const quotes = [...code, ...(next && LEANING.test(next.text) && isWhole(next.text) ? [next] : [])];
    const isShell = code.every(({ text }, i) => isComment(text) || isCall(text) || code[i - 1]?.text.endsWith('\\'));
    if (!isShell || quotes.length > LIMITS.facts) return [];
    const purposes = code.flatMap(({ text }) => purposeOf(text) ?? []);
    const lead = code[0] && leadOf(code[0])?.text;
    return [{ section, crumb, lead: lead ?? '', quotes, units: unitsOf(code), purposes }];
  });
}

function isComment(text: string): boolean {
  return /^(?:#|\/\/)/.test(text);
}

/** Commands, each with the comment above it and the one after it. */
function unitsOf(code: Quote[]): string[] {
  const units: string[] = [];
  let words: string[] = [];
  let isOpen = false;
  for (const { text } of code) {
    const comment = isComment(text) ? text.replace(/^[#/]+\s*/, '') : undefined;
    const line = text.replace(PROMPT, '').replace(/\\$/, '').replace(/\s+/g, ' ').trim();
    if (comment !== undefined) words.push(comment);
    else if (isOpen) units.push(`${units.pop()} ${line}`);
    else units.push([...(words.length > 0 ? [`${words.join(' ').replace(/:$/, '')}:`] : []), line].join(' '));
    if (comment === undefined) words = [];
    isOpen = text.endsWith('\\');
  }
  const own = units.filter((unit) => !/^git clone |^cd [^/\s]+\/?$/.test(unit));
  return own.length > 0 && units.some((unit) => unit.startsWith('git clone ')) ? own : units;
}

/** A list that is mostly commands, whole; of other or long lists, only the items with a command. */
function fromLists(section: Section, crumb: string): Parts[] {
  const lists: Block[][] = [];
  const isItem = (one?: Block) => one && (one.mark !== '' || one.isNested) && !one.isQuotation;
  for (const [i, block] of section.blocks.entries()) {
    if (!isItem(block)) continue;
    if (isItem(section.blocks[i - 1])) lists.at(-1)?.push(block);
    else lists.push([block]);
  }
  return lists.flatMap((list) => {
    const lead = section.blocks.findLast(({ line }) => line < (list[0]?.line ?? 0))?.text ?? '';
    // A list below a command says what that command does.
    if (codesIn(lead, section.path).some(purposeOf)) return [];
    const told = list.filter((item) => toldIn(item));
    const isOrdered = /^[\d#]/.test(list[0]?.mark ?? '') && told.length > 1;
    const isOne = list.length <= LIMITS.facts && (isOrdered || told.length >= list.length / 2);
    const isFree = (item: Block) =>
      !item.isNested && !list[list.indexOf(item) + 1]?.isNested && !/:\W*$/.test(item.text);
    const groups = isOne ? [list] : told.filter((item) => isFree(item) && !/^\d/.test(item.mark)).map((item) => [item]);
    return groups
      .filter((quotes) => quotes.every(({ text }) => !/:\W*$/.test(text)))
      .map((quotes): Parts => {
        const purposes = quotes.flatMap((item) => toldIn(item) ?? []);
        const units = quotes.map(({ text }) => withoutMarkup(text.replace(/\.$/, '')));
        return { section, crumb, lead, quotes, units, purposes };
      });
  });
}

/** The purpose of the command that an item says to run. */
function toldIn({ path, text }: Quote): Purpose | undefined {
  const [code = ''] = codesIn(text, path);
  const before = withoutMarkup(text.slice(0, Math.max(text.indexOf(code), 0)).replace(/(?<!`)`+$/, ''));
  const isTold = TOLD.test(before) || /^\W*$/.test(before) || /^[^:.]{1,40}[:–—-]\W*$/.test(before);
  const isDoubtful = /\b(?:not|never|instead|avoid|slow|fail\w*|unless|except|no longer)\b|n't\b/i.test(text);
  const isCommand = /\s|\//.test(typed(code)) || /^(?:make|tox|nox|pytest|prove)$/.test(code);
  return isTold && !isDoubtful && isCommand ? purposeOf(code) : undefined;
}

function parentsOf(before: Section[], { level }: Section): Section[] {
  const at = before.findLastIndex((one) => one.level < level && one.level > 0);
  const parent = before[at];
  return parent === undefined ? [] : [...parentsOf(before.slice(0, at), parent), parent];
}

/** Words that do not fit are dropped only if they limit nothing. */
function findingOf({ section, crumb, lead, quotes, units, purposes }: Parts): Finding | undefined {
  const { path, line } = section;
  const said = withoutColon(withoutMarkup(lead));
  const limits = SCOPE.test(lead);
  const isSaid = said && !/\b(?:this|that|it|so)$/i.test(said) && (limits || /:\W*$/.test(lead));
  const heading = crumb && `, "${crumb}"`;
  const titles = units.toReversed().flatMap((_, i) => {
    const shown = units.slice(0, units.length - i);
    const bare = shown.map((unit) => (SCOPE.test(unit.split(' # ')[1] ?? '') ? unit : typed(unit)));
    const lists = [shown, bare].map((list) => `${list.join('; ')}${i > 0 ? ` (and ${i} more)` : ''}`);
    return lists.flatMap((list) => [
      ...(isSaid ? [`${path}${heading}, "${said}": ${list}`] : []),
      ...(limits ? [] : [`${path}${heading}: ${list}`]),
    ]);
  });
  const title = fittingTitle(titles, LIMITS.title);
  const isTooLong = lead.length > 300 || quotes.some((quote) => !factOf(quote).endsWith(quote.text));
  if (title === '' || isTooLong) return undefined;
  const where = crumb ? `The section "${crumb}" (${placeOf({ path, line })})` : placeOf(quotes[0] ?? { path, line });
  const list = quotes.map(({ text }) => (text.includes('`') ? `"${text}"` : `\`${text}\``)).join(', ');
  const isLong = quotes.reduce((sum, { text }) => sum + text.length + 1, -1) > 300;
  return commandFinding({
    subject: `${path}\0${crumb}\0${purposes.join(' ')}\0${quotes[0]?.text}`,
    quotes,
    title,
    narrative: `${where} has${said ? `, under the words "${lead}",` : ''} ${isLong ? 'the lines in the facts' : list}.`,
    concepts: ['how-to', ...purposes],
  });
}

/** A text without a colon at its end and the punctuation around it. */
function withoutColon(text: string): string {
  const at = text.search(/(?<!\W)\W*$/);
  const [before = '', ...rest] = text.slice(at).split(':');
  return rest.length === 0 ? text : `${text.slice(0, at)}${before.trimEnd()}`;
}
