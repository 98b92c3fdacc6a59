import { forbiddenIn, isForAgents, isGuide, purposesIn } from './guides.ts';
import { type Finding, type Page, pagesLike, type Reading } from './page.ts';
import { type Passage, passagesOf } from './passages.ts';
import { PURPOSES, type Purpose } from './purposes.ts';
import { declaresTasks, findTasks } from './tasks.ts';

/**
 * How this repository is built, tested, linted, formatted and set up: in the words of its guides, else as its tasks declare
 * it. What the guides for agents say wins. What a pipeline runs is left out: it is for its jobs, and often only a part.
 */
export async function findCommands(reading: Reading): Promise<Finding[]> {
  const files = new Set(reading.tree.keys());
  const guides = await pagesLike(reading, (path) => isGuide(path), 30);
  const forAgents = await pagesLike(reading, isForAgents, 30);
  const tasks = (await pagesLike(reading, declaresTasks, 20)).flatMap((page) => findTasks(page, files));
  const { all: isForbidden } = forbiddenIn([...guides, ...forAgents]);
  const [agents, others] = [
    guides.filter(({ path }) => isForAgents(path)),
    guides.filter(({ path }) => !isForAgents(path)),
  ];
  const told = agents.flatMap((page) => passagesOf(page, isForbidden));
  const taken = new Set<Purpose>(agents.flatMap(purposesIn));
  if (forbiddenIn(forAgents).some || isForbidden) taken.add('test');
  const found = chosen(told, new Set());
  const add = (pages: Page[]) => {
    const some = chosen(
      pages.flatMap((page) => passagesOf(page, isForbidden)),
      taken,
    );
    for (const purpose of some.flatMap(({ purposes }) => purposes)) taken.add(purpose);
    found.push(...some);
  };
  add(others);
  add(await pagesLike(reading, belowIn(files, found.length > 0), 30));
  const said = found.flatMap(({ finding }) => finding.content.facts).join('\n');
  const unsaid = tasks.filter(({ command }) => !said.includes(command));
  const declared = unsaid.map(({ purpose, finding }): Passage => ({ purposes: [purpose], finding }));
  found.push(...chosen(declared, taken));
  const rank = ({ purposes: [first] }: Passage) => (first ? PURPOSES.indexOf(first) : PURPOSES.length);
  return found.toSorted((a, b) => rank(a) - rank(b)).map(({ finding }) => finding);
}

/** Passages that say something new, those that say most first; none about what was said elsewhere. */
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

const MANIFEST =
  /^([^/]+)\/(?:package\.json|Cargo\.toml|go\.mod|pyproject\.toml|pom\.xml|build\.gradle(?:\.kts)?|Gemfile|composer\.json|mix\.exs|Makefile)$/;

/** Guides in a folder below the top: of the only project there, or of each where the top has no guide with a command. */
function belowIn(files: ReadonlySet<string>, isGuided: boolean): (path: string) => boolean {
  const folders = new Set([...files].flatMap((path) => MANIFEST.exec(path)?.[1] ?? []));
  return (path) => {
    const [folder = '', ...rest] = path.split('/');
    return folders.has(folder) && (folders.size === 1 || !isGuided) && isGuide(rest.join('/'));
  };
}
