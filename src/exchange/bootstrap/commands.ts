import { sentencesOf } from '../../memory/sentences.ts';
import { withoutMarkup } from '../../memory/without-markup.ts';
import { codesIn, type Finding, inSite, type Page, pagesLike, type Reading, sectionsOf } from './page.ts';
import { type Passage, passagesOf } from './passages.ts';
import { PURPOSES, type Purpose, purposeOf } from './purposes.ts';
import { declaresTasks, findTasks } from './tasks.ts';

/** Guides for agents win over other guides, and guides over tasks. Pipelines are not read: what they run is for their jobs. */
export async function findCommands(reading: Reading): Promise<Finding[]> {
  const files = new Set(reading.tree.keys());
  const guides = await pagesLike(reading, (path) => GUIDE.test(inSite(path)) || FOR_ALL_AGENTS.test(path), 30);
  const forAgents = await pagesLike(reading, (path) => FOR_AGENTS.test(path), 30);
  const tasks = (await pagesLike(reading, declaresTasks, 20)).flatMap((page) => findTasks(page, files));
  const { all: isForbidden } = forbiddenIn([...guides, ...forAgents]);
  const agents = guides.filter(({ path }) => FOR_AGENTS.test(path));
  const told = (pages: Page[]) => pages.flatMap((page) => passagesOf(page, isForbidden));
  const taken = new Set<Purpose>(agents.flatMap(purposesIn));
  if (forbiddenIn(forAgents).some || isForbidden) taken.add('test');
  const others = chosen(told(guides.filter((page) => !agents.includes(page))), taken);
  const found = [...chosen(told(agents), new Set()), ...others];
  for (const purpose of others.flatMap(({ purposes }) => purposes)) taken.add(purpose);
  const said = found.flatMap(({ finding }) => finding.content.facts).join('\n');
  const unsaid = tasks.filter(({ command }) => !said.includes(command));
  const declared = unsaid.map(({ purpose, finding }): Passage => ({ purposes: [purpose], finding }));
  found.push(...chosen(declared, taken));
  const rank = ({ purposes: [first] }: Passage) => (first ? PURPOSES.indexOf(first) : PURPOSES.length);
  return found.toSorted((a, b) => rank(a) - rank(b)).map(({ finding }) => finding);
}

/** Passages with a new purpose, those with the most purposes first; none with a purpose that is taken. */
function chosen(passages: Passage[], taken: ReadonlySet<Purpose>): Passage[] {
  const seen = new Set<Purpose>();
  const open = passages.filter(({ purposes }) => purposes.every((purpose) => !taken.has(purpose)));
  return open
    .toSorted((a, b) => b.purposes.length - a.purposes.length)
    .filter(({ purposes }) => {
      const isNew = purposes.some((purpose) => !seen.has(purpose));
      if (isNew) for (const purpose of purposes) seen.add(purpose);
      return isNew;
    });
}

/** Pages for people who work on the repository; other pages tell its users what to run. */
const GUIDE =
  /^(?:(?:\.github|docs?|doc|documentation)\/)?(?:(?:guides?\/)?(?:contributing|dev(?:elopment)?)\/[^/]+|(?:guides?\/)?contributing|hacking|develop(?:ment|ing)?|building|pull_request_template)\.(?:md|markdown|rst|txt|adoc)$|^(?:\.github\/)?readme\.(?:md|markdown|rst|txt|adoc)$|^contributing\/readme\.md$|^(?:HACKING|CONTRIBUTING|BUILDING|README)$/i;
/** Pages for agents. What the deeper ones recommend is for their folder, but what they forbid counts. */
const FOR_AGENTS =
  /(?:^|\/)(?:agents|claude|gemini|copilot-instructions|\.junie\/guidelines)\.md$|(?:^|\/)\.(?:cursor|windsurf|cline)rules$|(?:^|\/)\.(?:cursor|windsurf)\/rules\/[^/]+\.mdc?$|(?:^|\/)\.github\/instructions\/.+\.md$/i;
const FOR_ALL_AGENTS = /^(?:\.github\/copilot-instructions|agents|claude|gemini)\.md$/i;

const ALL_TESTS =
  /\b(?:never|avoid|not|don't|doesn't|shouldn't|mustn't)\b[^.]{0,40}\b(?:run\w*|execut\w+)\b[^.]{0,30}\b(?:all|full|entire|whole|complete|every)\b[^.]{0,40}\b(?:tests?|suites?|specs?)\b/i;
const NO_TESTS = /\b(?:never|avoid|not|don't)\b[^.]{0,60}\b(?:run\w*|execut\w+)\b[^.]{0,60}\btests?\b/i;

/** What guides forbid: running all tests, or something else about tests. */
function forbiddenIn(pages: Page[]): { all: boolean; some: boolean } {
  const blocks = pages.flatMap(sectionsOf).flatMap((one) => [...one.blocks, ...one.code]);
  const sentences = blocks.flatMap(({ text }) => sentencesOf(text).map(withoutMarkup));
  return { all: sentences.some((one) => ALL_TESTS.test(one)), some: sentences.some((one) => NO_TESTS.test(one)) };
}

/** The purposes of all commands that a page mentions. */
function purposesIn(page: Page): Purpose[] {
  const codes = sectionsOf(page).flatMap(({ blocks, code }) => [
    ...code.map(({ text }) => text),
    ...blocks.flatMap(({ text }) => codesIn(text, page.path)),
  ]);
  return codes.flatMap((code) => purposeOf(code) ?? []);
}
