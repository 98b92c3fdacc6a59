import { oneLine } from '../../../memory/record.ts';
import { pagesLike, type Quote, type Reading } from './page.ts';

/** Lines that state the required version of a language or tool, by file at the top. */
const LINES: [file: RegExp, line: RegExp][] = [
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
export async function toolVersions(reading: Reading): Promise<Quote[]> {
  const pages = await pagesLike(reading, (path) => LINES.some(([file]) => file.test(path)), 20);
  const quotes = pages.flatMap(({ path, lines }) => {
    const patterns = LINES.filter(([file]) => file.test(path)).map(([, line]) => line);
    const found = lines.findIndex((text) => patterns.some((pattern) => pattern.test(text)));
    const all = lines.map((text, i) => ({ path, line: i + 1, text: oneLine(text) }));
    return found < 0 ? [] : all.filter(({ text }) => patterns.some((pattern) => pattern.test(text))).slice(0, 2);
  });
  return quotes.filter(({ text }, i) => quotes.findIndex((other) => other.text === text) === i);
}
