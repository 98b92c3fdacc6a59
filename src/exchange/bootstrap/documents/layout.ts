import { basename } from 'node:path/posix';
import { clampSentences } from '../../../capture/extract/clamp.ts';
import { oneLine } from '../../../memory/record.ts';
import { frequencies, grouped } from '../../../quantities.ts';
import type { Finding } from '../finding.ts';
import { isCode, isNoise, isProse, isSource, isTest } from '../path-kinds.ts';
import { listed, titled } from '../wording.ts';
import { type Page, pagesLike, placeOf, type Quote, quotedFinding, type Reading } from './page.ts';

/** A repository with fewer source files needs no description of its layout. */
const LEAST_FILES = 8;

/** One fact each, within the eight of a record. */
const MOST_FOLDERS = 7;

/** A folder with a smaller share of the tests is not where new ones go. */
const LEAST_SHARE = 0.2;

/** Files and lines in which a folder states its purpose, most telling first. */
const SELF: [file: RegExp, line: RegExp][] = [
  [/^package\.json$/, /^\s*"description"\s*:\s*"(.{8,})"/],
  [/^Cargo\.toml$/, /^description\s*=\s*"{1,3}(.{8,}?)"{0,3}$/],
  [/^pyproject\.toml$/, /^description\s*=\s*"(.{8,})"/],
  [/^composer\.json$/, /^\s*"description"\s*:\s*"(.{8,})"/],
  [/^doc\.go$/, /^(?:\/\/\s*)?(Package \w+ .{8,})$/],
  [/^__init__\.py$/, /^[ru]?"""(.{8,}?)(?:""")?$/],
  [/^(?:mod|lib)\.rs$/, /^\/\/!\s*(?!#)(.{8,})$/],
  [/^readme(?:\.\w+)?$/i, /^(?![#=[<>!|*_`-]|\s|\.\.)(.{20,})$/],
];

interface Folder {
  path: string;
  files: string[];
}

/** Where code, tests and the manual are: one record of a few lines. */
export async function findLayout(reading: Reading): Promise<Finding[]> {
  const files = [...reading.history.tree.keys()].filter((path) => !isNoise(path) && !path.startsWith('.'));
  if (files.filter(isSource).length < LEAST_FILES) return [];
  const folders = foldersIn(files);
  if (folders.length < 2) return [];
  const names = new Set(folders.flatMap(({ path }) => [path, `${path}/src`]));
  const isSelf = (path: string) => {
    const slash = path.lastIndexOf('/');
    return names.has(path.slice(0, Math.max(0, slash))) && SELF.some(([file]) => file.test(path.slice(slash + 1)));
  };
  const pages = await pagesLike(reading, isSelf, 200);
  const described = folders.map((folder) => ({ folder, said: selfDescription(folder, pages) }));
  return [findingOf(described, files)];
}

/** The top-level folders, or those below one that has nearly everything; by their content. */
function foldersIn(files: string[]): Folder[] {
  const byTop = grouped(
    files.filter((path) => path.includes('/')),
    (path) => path.slice(0, path.indexOf('/')),
  );
  const folders = [...byTop].flatMap(([top, some]) => opened(top, some));
  const useful = folders.filter((folder) =>
    folder.files.some((path) => isSource(path) || isTest(path) || isProse(path)),
  );
  return useful
    .sort((a, b) => rankOf(b) - rankOf(a) || sourcesIn(b) - sourcesIn(a) || (a.path < b.path ? -1 : 1))
    .slice(0, MOST_FOLDERS);
}

/** `packages`, `crates` and folders with a single subfolder say nothing: their content does. */
function opened(path: string, files: string[]): Folder[] {
  const start = path.length + 1;
  const inside = grouped(
    files.filter((file) => file.includes('/', start)),
    (file) => file.slice(0, file.indexOf('/', start)),
  );
  const isShelf = /^(?:packages|crates|apps|libs|modules|services|plugins|projects|workspaces)$/.test(path);
  const isSingle = inside.size === 1 && [...inside.values()][0]?.length === files.length;
  if ((isShelf && inside.size > 1) || isSingle) return [...inside].map(([name, some]) => ({ path: name, files: some }));
  return [{ path, files }];
}

/** Code before tests and manuals, and these before folders with supporting files. */
function rankOf(folder: Folder): number {
  return { code: 3, tests: 2, prose: 1, other: 0 }[kindOf(folder)];
}

function sourcesIn({ files }: Folder): number {
  return files.filter(isSource).length;
}

/** What a folder says of itself near the top of its files, in what a fact has room for beside the path. */
function selfDescription({ path }: Folder, pages: Page[]): Quote | undefined {
  for (const [file, pattern] of SELF) {
    for (const place of [path, `${path}/src`]) {
      const page = pages.find((one) => one.path.startsWith(`${place}/`) && file.test(one.path.slice(place.length + 1)));
      const at = page?.lines.slice(0, 40).findIndex((line) => pattern.test(line)) ?? -1;
      const text = page && at >= 0 ? pattern.exec(page.lines[at] ?? '')?.[1] : undefined;
      if (page && text) return { path: page.path, line: at + 1, text: clampSentences(oneLine(text), 150) };
    }
  }
  return undefined;
}

function findingOf(described: { folder: Folder; said: Quote | undefined }[], files: string[]): Finding {
  const main = described.filter(({ folder }) => sourcesIn(folder) > 0 && kindOf(folder) === 'code').slice(0, 3);
  const tests = described.filter(({ folder }) => kindOf(folder) === 'tests').map(({ folder }) => folder.path);
  const manual = described.filter(({ folder }) => kindOf(folder) === 'prose').map(({ folder }) => folder.path);
  const code = main.map(({ folder }) => folder.path);
  const places = testPlaces(files);
  const sentences = [
    code.length > 0 && `Look for code in ${listed(code.map((path) => `${path}/`))}.`,
    ...testAdvice(places),
    manual.length > 0 &&
      `The manual is in ${listed(manual.map((path) => `${path}/`))}: change it with what it describes.`,
  ];
  const facts = described.map(({ folder, said }) => {
    return said ? `${folder.path}/: "${said.text}" (${placeOf(said)})` : `${folder.path}/: ${mostly(folder)}`;
  });
  const cited = described.flatMap(({ said }) => said?.path ?? []);
  return quotedFinding({
    pattern: 'layout',
    subject: 'layout',
    quotes: described.map(({ folder, said }) => ({ path: folder.path, text: said?.text ?? '' })),
    weight: 0.92,
    title: titled(
      'Where things are: ',
      [...code, ...tests.slice(0, 1), ...manual.slice(0, 1)].map((path) => `${path}/`).join(', '),
    ),
    narrative: sentences.filter(Boolean).join(' '),
    facts,
    concepts: ['layout', 'how-to'],
    files_read: [...cited, ...places.slice(0, 1).map(({ example }) => example)],
  });
}

/** What most files are; code counts from a fifth, because much around it is data. */
function kindOf({ path, files }: Folder): 'code' | 'tests' | 'prose' | 'other' {
  const share = (fits: (path: string) => boolean) => files.filter(fits).length / files.length;
  if (isTest(`${path}/`) || share(isTest) > 0.6) return 'tests';
  if (/^(?:docs?|documentation|manual|website|site)$/.test(path) || share(isProse) > 0.6) return 'prose';
  if (
    /(?:^|\/)(?:examples?|samples?|demos?|playground|bench(?:es|marks?)?|scripts?|tools|utils|integration)$/.test(path)
  )
    return 'other';
  return share(isSource) > 0.2 ? 'code' : 'other';
}

/** The folders with most tests, largest first, each with one test as an example. */
function testPlaces(files: string[]): { folder: string; example: string }[] {
  const tests = files.filter((path) => isTest(path) && isCode(path));
  const folderIn = (path: string) => {
    const parts = path.split('/');
    const at = parts.findIndex((part) => isTest(`${part}/`));
    return at < 0 || at === parts.length - 1 ? '' : parts.slice(0, at + 1).join('/');
  };
  return [...grouped(tests, folderIn)]
    .filter(([, some]) => some.length >= tests.length * LEAST_SHARE)
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([folder, some]) => ({ folder, example: exampleOf(some) }));
}

/** The test nearest to the top whose name marks it as one, if names do. */
function exampleOf(tests: string[]): string {
  const marked = tests.filter((path) => isTest(basename(path)));
  const depth = (path: string) => path.split('/').length;
  const sorted = (marked.length > 0 ? marked : tests).toSorted((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
  return sorted[0] ?? '';
}

/** Where a new test goes and what it is called, judging by the existing ones. */
function testAdvice(places: ReturnType<typeof testPlaces>): string[] {
  const [most] = places;
  if (most === undefined) return [];
  if (most.folder === '') return [`Tests are beside what they test, as ${most.example} is.`];
  const folders = places.filter(({ folder }) => folder !== '').slice(0, 2);
  return [`New tests go into ${listed(folders.map(({ folder }) => `${folder}/`))}, named as in ${most.example}.`];
}

/** The content of a folder that does not state its purpose. */
function mostly({ files }: Folder): string {
  const [ending = ''] = frequencies(files.map((path) => /\.\w+$/.exec(path)?.[0] ?? ''))[0] ?? [];
  const names = files.filter((path) => path.endsWith(ending)).slice(0, 3);
  return `${ending || 'other'} files, such as ${listed(names.map((path) => basename(path)))}`;
}
