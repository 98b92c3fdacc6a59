import { withoutMarkup } from '../../memory/without-markup.ts';
import { inSite, type Page } from './page.ts';
import { type Purpose, purposeOf } from './purposes.ts';
import { sectionsOf, sentencesIn } from './sections.ts';

/** Pages for people who work on the repository; other pages tell its users what to run. */
const GUIDE =
  /^(?:(?:\.github|docs?|doc|documentation)\/)?(?:(?:guides?\/)?(?:contributing|dev(?:elopment)?)\/[^/]+|(?:guides?\/)?contributing|hacking|develop(?:ment|ing)?|building|pull_request_template)\.(?:md|markdown|rst|txt|adoc)$|^(?:\.github\/)?readme\.(?:md|markdown|rst|txt|adoc)$|^contributing\/readme\.md$|^(?:HACKING|CONTRIBUTING|BUILDING|README)$/i;
/** Pages for agents. What the deeper ones give is for their folder, but what they forbid counts. */
const FOR_AGENTS =
  /(?:^|\/)(?:agents|claude|gemini|copilot-instructions|\.junie\/guidelines)\.md$|(?:^|\/)\.(?:cursor|windsurf|cline)rules$|(?:^|\/)\.(?:cursor|windsurf)\/rules\/[^/]+\.mdc?$|(?:^|\/)\.github\/instructions\/.+\.md$/i;
const FOR_ALL_AGENTS = /^(?:\.github\/copilot-instructions|agents|claude|gemini)\.md$/i;

export function isGuide(path: string): boolean {
  return GUIDE.test(inSite(path)) || FOR_ALL_AGENTS.test(path);
}

export function isForAgents(path: string): boolean {
  return FOR_AGENTS.test(path);
}

const ALL_TESTS =
  /\b(?:never|avoid|not|don't|doesn't|shouldn't|mustn't)\b[^.]{0,40}\b(?:run\w*|execut\w+)\b[^.]{0,30}\b(?:all|full|entire|whole|complete|every)\b[^.]{0,40}\b(?:tests?|suites?|specs?)\b/i;
const NO_TESTS = /\b(?:never|avoid|not|don't)\b[^.]{0,60}\b(?:run\w*|execut\w+)\b[^.]{0,60}\btests?\b/i;

/** What guides forbid: running all tests, or something else about tests. */
export function forbiddenIn(pages: Page[]): { all: boolean; some: boolean } {
  const blocks = pages.flatMap(sectionsOf).flatMap((one) => [...one.blocks, ...one.code]);
  const sentences = blocks.flatMap(({ text }) => sentencesIn(text).map(withoutMarkup));
  return { all: sentences.some((one) => ALL_TESTS.test(one)), some: sentences.some((one) => NO_TESTS.test(one)) };
}

/** The purposes of all commands that a page mentions. */
export function purposesIn(page: Page): Purpose[] {
  const sections = sectionsOf(page);
  const codes = sections.flatMap(({ blocks, code }) => [
    ...code.map(({ text }) => text),
    ...blocks.flatMap(({ text }) => codesIn(text, page.path)),
  ]);
  return codes.flatMap((code) => purposeOf(code) ?? []);
}

/** In reStructuredText single marks are for roles and links. */
export function codesIn(text: string, path: string): string[] {
  return text.split(path.endsWith('.rst') ? /``([^`]+)``/ : /`{1,2}([^`]+)`{1,2}/).filter((_, i) => i % 2 === 1);
}
