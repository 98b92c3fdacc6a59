import { LIMITS, oneLine } from '../../../memory/record.ts';
import type { Finding } from '../finding.ts';
import { titled } from '../wording.ts';
import { clipped, factOf, type Page, pagesLike, placeOf, type Quote, quotedFinding, type Reading } from './page.ts';
import { PURPOSES, type Purpose, purposeOf, purposeOfName } from './purposes.ts';
import { sectionsOf } from './sections.ts';
import { declaresTasks, tasksIn } from './tasks.ts';

const CI =
  /^(?:\.github\/workflows\/[^/]+\.ya?ml|\.gitlab-ci\.ya?ml|\.gitlab\/[^/]+\.ya?ml|\.circleci\/config\.ya?ml|\.travis\.ya?ml|azure-pipelines\.ya?ml|\.azure[^/]*\/.+\.ya?ml|appveyor\.ya?ml|\.appveyor\.ya?ml|Jenkinsfile|\.drone\.ya?ml|\.woodpecker(?:\/[^/]+)?\.ya?ml|bitbucket-pipelines\.ya?ml|\.buildkite\/.+\.ya?ml|\.cirrus\.ya?ml|\.builds\/[^/]+\.ya?ml|\.semaphore\/[^/]+\.ya?ml|\.forgejo\/workflows\/[^/]+\.ya?ml|\.gitea\/workflows\/[^/]+\.ya?ml)$/;
/** Pages for people who work on the repository; other pages tell its users what to run. */
const GUIDE =
  /^(?:(?:\.github|docs?|doc|documentation)\/)?(?:(?:guides?\/)?(?:contributing|dev(?:elopment)?)\/[^/]+|(?:guides?\/)?contributing|hacking|develop(?:ment|ing)?|building|readme|releas(?:ing|e-process)|agents|claude|copilot-instructions)\.(?:md|markdown|rst|txt|adoc)$|^(?:HACKING|CONTRIBUTING|BUILDING|README)$/i;
/** Sections of a README that are for developers too. */
const FOR_DEVELOPERS = /\b(?:build|compil|test|develop|contribut|hacking|from source|lint|releas)/i;

/** Where a command was found: commands for people come before those that a machine runs. */
type Source = 'task' | 'guide' | 'ci';

/** A command, and the line that states it. */
export interface Command extends Quote {
  purpose: Purpose;
  command: string;
  source: Source;
  /** The task's own name is that of the purpose: `test`, not `test:browsers`. */
  isPlain?: boolean;
}

/**
 * How this repository is set up, built, tested, linted and released, each with the lines that state it; all these
 * commands are `quoted`.
 */
export async function findCommands(reading: Reading): Promise<{ findings: Finding[]; quoted: Command[] }> {
  const files = new Set(reading.history.tree.keys());
  const tasks = await pagesLike(reading, declaresTasks, 20);
  const guides = await pagesLike(reading, (path) => GUIDE.test(path), 30);
  const pipelines = await pagesLike(reading, (path) => CI.test(path), 40);
  const commands = [
    ...tasks.flatMap((page) => declared(page, files)),
    ...guides.flatMap(described),
    ...pipelines.flatMap(automated),
    ...pipelines.flatMap(publishing),
  ];
  // A pipeline also builds dependencies, whose makefiles are elsewhere.
  const hasMake = [...files].some((path) =>
    /^(?:GNUmakefile|[Mm]akefile(?:\.\w+)?|configure(?:\.\w+)?|CMakeLists\.txt)$/.test(path),
  );
  const own = commands.filter(({ command }) => hasMake || !/^make\b/.test(command));
  const versions = await toolVersions(reading);
  const purposes = PURPOSES.flatMap((purpose) => {
    const some = own.filter((command) => command.purpose === purpose);
    // Special cases alone do not show how it is usually done, and would mislead.
    return some.some(({ source, command }) => source === 'task' || !PARTIAL.test(command))
      ? findingOf(purpose, some, purpose === 'setup' ? versions : [])
      : [];
  });
  return { findings: purposes.map(({ finding }) => finding), quoted: purposes.flatMap(({ shown }) => shown) };
}

function declared(page: Page, files: ReadonlySet<string>): Command[] {
  return tasksIn(page, files).flatMap(({ name, command, line }) => {
    const purpose = purposeOfName(name);
    if (purpose === undefined) return [];
    const text = oneLine(page.lines[line - 1] ?? '');
    const isPlain = /^(?:tests?|lint|build|release|setup|check|all|style)$/.test(name);
    return [{ purpose, command, source: 'task' as const, isPlain, path: page.path, line, text }];
  });
}

/** Commands in the code blocks and code spans of a guide. */
function described(page: Page): Command[] {
  const isReadme = /(?:^|\/)readme[^/]*$/i.test(page.path);
  const sections = sectionsOf(page).filter(({ heading }) => !isReadme || FOR_DEVELOPERS.test(heading));
  return sections.flatMap(({ sentences, code }) => {
    const spans = sentences.flatMap((sentence) => {
      // A guide also says what not to run.
      if (DENIAL.test(sentence.text)) return [];
      return (
        [...sentence.text.matchAll(/`{1,2}([^`]+)`{1,2}/g)]
          .map(([, span = '']) => ({ ...sentence, span }))
          // A single word names a program, but is not a call of it.
          .filter(({ span }) => /[\s/]/.test(span))
      );
    });
    const blocks = code.map((line) => ({ ...line, span: line.text }));
    return [...blocks, ...spans].flatMap(({ path, line, text, span }) => {
      const call = callIn(span);
      const at = lineOf(page, span, line);
      const quote = { path, line: at, text: at === line ? text : span };
      return call === undefined ? [] : [{ ...call, source: 'guide' as const, ...quote }];
    });
  });
}

/** The line with these words, in a paragraph that begins on line `from` and has twenty lines at most. */
function lineOf({ lines }: Page, words: string, from: number): number {
  const at = lines.slice(from - 1, from + 19).findIndex((line) => line.includes(words));
  return at < 0 ? from : from + at;
}

function automated(page: Page): Command[] {
  return page.lines.flatMap((raw, i) => {
    const text = oneLine(raw);
    if (text.startsWith('#') || /^(?:- )?(?:name|uses|with|if|key|path|description|label|title):/.test(text)) return [];
    const call = callIn(
      text.replace(/^(?:- )?(?:(?:run|script|command|bash|sh|task|before_script|install|test):?\s*[|>]?-?\s*)?/, ''),
    );
    return call === undefined ? [] : [{ ...call, source: 'ci' as const, path: page.path, line: i + 1, text }];
  });
}

/** A pipeline that publishes by itself, with the lines that say when. */
function publishing({ path, lines }: Page): Command[] {
  if (!/(?:publish|releas|deploy)[^/]*$/i.test(path)) return [];
  // Triggers are at the top of a pipeline.
  const isTrigger = (text: string, i: number) =>
    (i < 30 && /^(?:tags|release|workflow_dispatch|schedule|branches):/.test(text)) ||
    /^uses:.*(?:publish|releas)/i.test(text);
  return lines.flatMap((raw, i) => {
    const text = oneLine(raw).replace(/^- /, '');
    const command = `the pipeline ${path}`;
    if (!isTrigger(text, i)) return [];
    const quote = { path, line: i + 1, text: oneLine(raw) };
    return [{ purpose: 'release' as const, command, source: 'ci' as const, ...quote }];
  });
}

const DENIAL =
  /\b(?:not|never|no longer|instead of|rather than|avoid|without|isn't|doesn't|don't|won't|cannot|can't)\b/i;

/** A command that somebody could type, and its purpose; undefined for values of a pipeline, and scripts on one line. */
function callIn(text: string): Pick<Command, 'command' | 'purpose'> | undefined {
  const command = text
    .replace(/^(?:\$|>|%)\s+/, '')
    .replace(/^(['"])(.*)\1,?$/, '$2')
    .split(/\s#\s/, 1)
    .join('')
    .trim();
  const isTyped =
    command.length > 2 && command.length <= 120 && !/\$\{\{|<<|\\$|^\W/.test(command.replace(/^\.\//, ''));
  const purpose = isTyped ? purposeOf(command) : undefined;
  return purpose && { command, purpose };
}

const HEADLINES: Record<Purpose, string> = {
  setup: 'Set up a checkout with ',
  build: 'Build with ',
  test: 'Run the tests with ',
  lint: 'Check style and types with ',
  release: 'Release with ',
};
const ADVICE: Record<Purpose, string> = {
  setup: 'Do this once in a fresh checkout, with the versions below.',
  build: 'Use this rather than a command of your own.',
  test: 'Run it before you call a change done.',
  lint: 'Run it before you commit: reviewers and CI do.',
  release: 'Do not publish by hand in another way.',
};

/** How far apart sources are; what is plain, or repeated, can make up for one of them. */
const RANK: Record<Source, number> = { task: 3, guide: 2, ci: 1 };
/**
 * Runs only a part, or for a special purpose: some folders, packages or tasks, another platform or profile, a tool that
 * only some of the jobs need, or a name that the reader has to fill in.
 */
const PARTIAL =
  /\bcd\s|\s--?(?:filter|prefix|C|p|package|doc|no-run|each-feature|examples?|bench(?:es)?|bin|target|profile|E|k)\b|\s\S+\.(?:[cm]?[jt]sx?|py|rb|rs|go|php)\b|\brustup component\b|<[\w-]+>|\b(?:test|your|my|some)[-_](?:name|test|file|package|crate)\b/;

function findingOf(purpose: Purpose, commands: Command[], versions: Quote[]): { finding: Finding; shown: Command[] }[] {
  const uses = (command: string) => commands.filter((one) => one.command === command).length;
  const ranked = commands.toSorted((a, b) => {
    const rank = (one: Command) => {
      const options = one.command.match(/\s-/g)?.length ?? 0;
      const plain = (one.isPlain ? 3 : 0) - (PARTIAL.test(one.command) ? 2 : 0) - Math.min(1, options / 4);
      return RANK[one.source] + plain + Math.min(2, uses(one.command) / 2);
    };
    return rank(b) - rank(a) || a.command.length - b.command.length;
  });
  const isFirst = ({ command }: Command, i: number) => ranked.findIndex((one) => one.command === command) === i;
  const different = ranked.filter((one, i) => isFirst(one, i) || one.command.startsWith('the pipeline'));
  const [best] = different;
  if (best === undefined) return [];
  // The first command in CI has to pass, so it is named too.
  const firstInCi = ranked.find(({ source }) => source === 'ci');
  const inCi = firstInCi?.command === best.command ? undefined : firstInCi;
  const shown = spread(different, LIMITS.facts - Math.min(4, versions.length));
  const quotes = [...shown, ...versions.slice(0, 4)].map((quote) => clipped(quote));
  const quoted = (command: string) => (command.startsWith('the pipeline') ? command : `\`${command}\``);
  const ci = inCi ? ` CI runs ${quoted(inCi.command)} (${placeOf(inCi)}).` : '';
  const finding = quotedFinding({
    pattern: 'command',
    subject: purpose,
    quotes,
    weight: purpose === 'test' ? 0.99 : purpose === 'release' ? 0.9 : 0.95,
    title: titled(HEADLINES[purpose], best.command),
    narrative: `${ADVICE[purpose]} ${HEADLINES[purpose]}${quoted(best.command)} (${placeOf(best)}).${ci}`,
    facts: quotes.map(factOf),
    concepts: ['how-to', purpose],
    files_read: [...new Set([best, ...(inCi ? [inCi] : []), ...quotes].map(({ path }) => path))],
  });
  return [{ finding, shown }];
}

/** The best of each source in turn, so that one long file does not fill the record; then by file and line. */
function spread(commands: Command[], most: number): Command[] {
  const queues = (['task', 'guide', 'ci'] as const).map((source) => commands.filter((one) => one.source === source));
  const taken: Command[] = [];
  for (let i = 0; taken.length < most && queues.some((queue) => queue.length > i); i++) {
    for (const queue of queues) {
      const next = queue[i];
      const isSameLine = next && taken.some(({ path, line }) => path === next.path && line === next.line);
      if (next && !isSameLine && taken.length < most) taken.push(next);
    }
  }
  return taken;
}

/** Lines that state the required version of a language or tool, by file at the top. */
const VERSION_LINES: [file: RegExp, line: RegExp][] = [
  [/^package\.json$/, /^\s*"(?:packageManager|node|npm|pnpm)"\s*:/],
  [/^pyproject\.toml$/, /^\s*(?:requires-python|python)\s*=/],
  [/^setup\.(?:cfg|py)$/, /^\s*python_requires\s*=/],
  [/^Cargo\.toml$|^[\w-]+\/Cargo\.toml$/, /^\s*rust-version\s*=\s*"/],
  [/^rust-toolchain(?:\.toml)?$/, /^\s*(?:channel\s*=|[\w.-]+\s*$)/],
  [/^go\.mod$/, /^(?:go|toolchain)\s+\S+/],
  [/^[\w-]+\.gemspec$/, /required_ruby_version/],
  [/^composer\.json$/, /^\s*"php"\s*:/],
  [/^global\.json$/, /^\s*"version"\s*:/],
  [/^\.(?:nvmrc|node-version|python-version|ruby-version|java-version|terraform-version)$/, /\S/],
  [/^\.tool-versions$|^\.?mise\.toml$/, /^\s*[\w"-]{1,60}\s{0,9}=?\s{0,9}\S{0,60}\d/],
  [/^pom\.xml$/, /<(?:maven\.compiler\.(?:release|source)|java\.version)>/],
  [/^mix\.exs$/, /^\s*elixir:/],
];

/** The versions of languages and tools that this repository requires. */
async function toolVersions(reading: Reading): Promise<Quote[]> {
  const pages = await pagesLike(reading, (path) => VERSION_LINES.some(([file]) => file.test(path)), 20);
  const quotes = pages.flatMap(({ path, lines }) => {
    const patterns = VERSION_LINES.filter(([file]) => file.test(path)).map(([, line]) => line);
    const found = lines.findIndex((text) => patterns.some((pattern) => pattern.test(text)));
    const all = lines.map((text, i) => ({ path, line: i + 1, text: oneLine(text) }));
    return found < 0 ? [] : all.filter(({ text }) => patterns.some((pattern) => pattern.test(text))).slice(0, 2);
  });
  return quotes.filter(({ text }, i) => quotes.findIndex((other) => other.text === text) === i);
}
