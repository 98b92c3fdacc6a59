/** What a command is for, as a newcomer needs it. It chooses and orders what is quoted, and is itself never written. */
export const PURPOSES = ['build', 'test', 'lint', 'types', 'format', 'setup'] as const;
export type Purpose = (typeof PURPOSES)[number];

/** Words of a command line by purpose; the first that matches counts. What rewrites files is not a linter. */
const WORDS: [Purpose, RegExp][] = [
  [
    'format',
    /\b(?:format\w*|fmt|\w*(?<!suf|pre|af)fix(?!ture)\w*|prettier|black|isort|rustfmt|go(?:fmt|fumpt|imports)|spotless\w*|scalafmt|ormolu|pint)\b|--write\b/,
  ],
  [
    'types',
    /\b(?:(?:npm|pnpm|yarn|bun) (?:run )?check|type-?check|types|noEmit|mypy|pyright|phpstan|psalm|dialyzer)\b/,
  ],
  [
    'lint',
    /\b(?:\w*lint\w*|clippy|vet|ruff|flake8|pre-?commit|prek|rubocop|standardrb|phpcs|checkstyle\w*|detekt|credo|biome|style|analyze)\b/,
  ],
  ['test', /\b(?:\w*tests?|\w+Test|spec|py\.?test|jest|mocha|tox|nox|rspec|phpunit|pest|prove|check|verify|cibuild)\b/],
  ['setup', /\b(?:ci|install|sync|bootstrap|setup|submodule|restore|deps|i)\b/],
  ['build', /\b(?:build|compile|assemble|package|ninja|all)\b|^make$/],
];

const PROGRAM =
  /^(?:(?:sudo|time|xvfb-run|env)\s+|[A-Z_]+=\S*\s+)*(?:npm|npx|pnpm|yarn|bunx?|node|deno|corepack|make|just|task|mage|cargo|rustup|go|gofmt|golangci-lint|gotestsum|python3?|pip3?|uvx?|poetry|pdm|hatch|pipenv|tox|nox|pytest|ruff|mypy|black|pre-commit|prek|bundle|rake|rspec|rubocop|gem|ruby|composer|php|dotnet|mix|cmake|ctest|ninja|meson|bazel(?:isk)?|sbt|mvnw?|gradlew?|swift|xcodebuild|flutter|dart|stack|cabal|zig|dune|opam|lein|prove|perl|nix|docker|podman|jest|vitest|eslint|prettier|biome|tsc|gofumpt|clang-format|hugo|mise|moon|turbo|lerna|nx|(?:\.\/|\.\\)?(?:[\w.-]+\/)+[\w.-]+|\.[/\\][\w.-]+)(?=\s|$)/;
const AROUND = /^(?:cd|git|export|source|mkdir|rm|cp|mv|ln|find|cat|which)\s/;

/** What a shell shows before a line; the name of a virtual environment is part of it. */
export const PROMPT = /^(?:\([\w.-]+\)\s*)?[$>%]\s+/;

/** A line without its prompt and its comment. */
export function typed(line: string): string {
  return line
    .replace(PROMPT, '')
    .replace(/\s#\s.*$/s, '')
    .trim();
}

/** Tells whether a line of a shell is a command, and not what a program printed. */
export function isCall(line: string): boolean {
  return (PROGRAM.test(typed(line)) || AROUND.test(typed(line))) && !/^\w+ > /.test(line);
}

/** Only asks, never ends, or installs a tool by its name. */
const BESIDE =
  /\s(?:-V|--version|--help|-h)(?:\s|$)|\bwatch\b|\bserve\b|\binstall (?:--?(?!r\b|e\b|requirement|editable|group|path)[\w-]+ )*[a-z@][\w@/-]*(?=\s|$)/;

/** Undefined for a line that is not a command, only asks, or never ends. */
export function purposeOf(line: string): Purpose | undefined {
  const command = typed(line);
  return PROGRAM.test(command) && !BESIDE.test(command) ? purposeIn(command) : undefined;
}

/** The purpose that words name: those of a command, or the name of a task. */
export function purposeIn(words: string): Purpose | undefined {
  return WORDS.find(([, pattern]) => pattern.test(words))?.[0];
}
