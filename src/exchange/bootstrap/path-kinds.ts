import { basename } from 'node:path/posix';

/* The kind of a file, judged by its path, as far as mining needs it. */

const LOCK_FILES =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|[^/]+\.lock|go\.sum|gradle\.lockfile|packages\.lock\.json)$/i;
const GENERATED =
  /\.(?:min\.(?:js|css)|map|snap|pb\.go|g\.dart|designer\.cs|lock|log|svg|png|jpe?g|gif|ico|pdf|woff2?|ttf|zip|gz|po|pot|mo)$|(?:_pb2(?:_grpc)?\.py|[._-]generated\.[a-z]+)$/i;
const FOREIGN =
  /(?:^|\/)(?:node_modules|vendor(?:ed)?|_vendor|third[_-]?party|external|extern|bower_components|dist|build|out|target|generated|gen|__snapshots__|__generated__|fixtures?|testdata|\.memory|\.yarn|Pods|Carthage)\//i;
/** Files that change with everything: their changes say nothing about other files. */
const CHRONICLES =
  /(?:^|\/)(?:change(?:log|s)|news|history|releases?|authors|contributors|version)(?:[.-][^/]*)?$|(?:^|\/)\.changeset\//i;
const MANIFESTS =
  /(?:^|\/)(?:package\.json|cargo\.toml|pyproject\.toml|setup\.(?:py|cfg)|go\.mod|pom\.xml|composer\.json|gemfile|[^/]+\.gemspec|requirements[^/]*\.txt)$/i;
const TESTS =
  /(?:^|\/)(?:[a-z]+[_-])?(?:tests?|specs?|__tests__|testing|e2e)\/|(?:[._-](?:test|spec|tests)|(?<=[a-z])(?:Test|Tests|Spec))\.[a-z]+$|(?:^|\/)test_[^/]+\.py$/;
const CODE =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|kts|scala|swift|c|cc|cpp|cxx|h|hh|hpp|m|mm|cs|fs|php|pl|pm|lua|r|jl|ex|exs|erl|hrl|hs|ml|mli|clj|cljs|dart|zig|nim|vue|svelte|sh|bash|zsh|ps1|sql|groovy|el|vim|f90|proto)$/i;

/** Generated, locked, vendored, or an image: not written by hand. Memory itself counts, or it would be mined. */
export function isNoise(path: string): boolean {
  return path.startsWith('.memory/') || LOCK_FILES.test(path) || GENERATED.test(path) || FOREIGN.test(path);
}

/** A change log, a version file or a list of dependencies. */
export function isChronicle(path: string): boolean {
  return CHRONICLES.test(path) || MANIFESTS.test(path);
}

/** A change log in which each change is entered as it is made. */
export function isRunningLog(path: string): boolean {
  return /(?:^|\/)(?:change(?:log|s)|news|history|release[_-]?notes|unreleased)(?:[.-][^/]*)?$/i.test(path);
}

/** A separate file for each change, from which a change log is made. */
export function isNewsFragment(path: string): boolean {
  return /(?:^|\/)(?:\.changeset|\.changes|changelog\.d|newsfragments|changes|news|changelogs\/unreleased|releasenotes\/notes)\/[^/]+$/i.test(
    path,
  );
}

/** Prose: manuals, READMEs, notes. */
export function isProse(path: string): boolean {
  return /\.(?:md|mdx|rst|txt|adoc)$/i.test(path);
}

export function isTest(path: string): boolean {
  return TESTS.test(path);
}

/** Files that people write and run, including tests. */
export function isCode(path: string): boolean {
  return CODE.test(path);
}

/** Code that people write and run, without tests. */
export function isSource(path: string): boolean {
  const isScript = /(?:^|\/)(?:bin|libexec|scripts)\/[^/.]+$/.test(path);
  return (CODE.test(path) || isScript) && !isNoise(path) && !isTest(path);
}

/** The folder of a path; empty at the top. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** A file's name without folder, extensions and test marker: `src/a.ts` and `test/a.test.ts` share it. */
export function stemOf(path: string): string {
  const [name = ''] = basename(path.toLowerCase())
    .replace(/^test_/, '')
    .split('.');
  return name.replace(/[_-]?(?:test|spec)s?$/, '');
}
