export const PURPOSES = ['setup', 'build', 'test', 'lint', 'release'] as const;
export type Purpose = (typeof PURPOSES)[number];

/** `npm run `, `pnpm -r `, `yarn ` */
const SCRIPT = String.raw`(?:npm|pnpm|yarn|bun)(?:\s+(?:run|run-script|-\S+))*\s+`;
const PYTHON = String.raw`(?:(?:uv|poetry|pdm|hatch|pipenv|rye)\s+run\s+(?:-\S+\s+)*|uvx\s+|python3?\s+-m\s+)*`;
const RUBY = String.raw`(?:bundle\s+exec\s+)?`;
const PHP = String.raw`(?:(?:\./)?vendor/bin/)?`;
const MAVEN = String.raw`(?:\./)?mvnw?\b.*\s`;
const GRADLE = String.raw`(?:\./)?gradlew?\b.*\s:?(?:[\w-]+:)*`;
const CARGO = String.raw`cargo\s+(?:\+\S+\s+)?(?:hack\s+)?(?:--?\S+\s+)*`;
const NODE = String.raw`(?:npx\s+|pnpm\s+(?:exec\s+|dlx\s+)?|yarn\s+|bunx\s+)?`;

/** Programs by purpose, at the beginning of a command. The first matching purpose counts. */
const PROGRAMS: [Purpose, string[]][] = [
  [
    'release',
    [
      `${SCRIPT}(?:release|publish|version)\\b`,
      'npm publish|pnpm publish|yarn publish|yarn npm publish|npx (?:semantic-release|changeset|lerna|release-it)|changeset (?:publish|version)|semantic-release|lerna publish',
      `cargo (?:publish|release|smart-release)|${PYTHON}twine upload|(?:uv|poetry|flit|hatch|pdm) publish`,
      `gem push|${RUBY}rake release|goreleaser|hugoreleaser|${MAVEN}(?:deploy|release:\\w+)|${GRADLE}(?:publish\\w*|release)`,
      'dotnet nuget push|mix hex\\.publish|dart pub publish|(?:make|just|task|mage) (?:release|publish|dist)\\b|\\./(?:scripts?/)?release\\S*',
    ],
  ],
  [
    'lint',
    [
      `${SCRIPT}(?:lint|format|fmt|typecheck|type-check|types|prettier|style|check:types|check)\\b`,
      `${NODE}(?:eslint|prettier|biome|standard|oxlint|oxfmt|stylelint|markdownlint\\S*|tsc\\b.*--noEmit)\\b`,
      `${PYTHON}(?:ruff|black|flake8|mypy|pyright|pylint|isort|pre-commit run|prek run)\\b`,
      `${PYTHON}(?:tox|nox)\\b.*\\s(?:style|lint|typing|mypy|format|typecheck|types|pre-commit)\\S*`,
      `${CARGO}(?:fmt|clippy|deny)\\b|rustfmt\\b|typos\\b|gofmt\\b|goimports\\b|golangci-lint\\b|go vet\\b|staticcheck\\b`,
      `${RUBY}(?:rubocop|standardrb)\\b|${PHP}(?:phpcs|phpstan|php-cs-fixer|psalm|pint)\\b|composer (?:run(?:-script)? )?(?:lint|cs|phpstan|stan)\\S*`,
      `clang-format\\b|clang-tidy\\b|shellcheck\\b|ktlint\\b|${GRADLE}(?:spotless\\w*|ktlint\\w*|checkstyle\\w*|detekt)|${MAVEN}(?:spotless|checkstyle):\\w+`,
      'dotnet format|mix (?:format|credo|dialyzer)|swiftlint|swiftformat|scalafmt|zig fmt|dart (?:format|analyze)|flutter analyze|hlint|ormolu|codespell',
      '(?:make|just|task|mage) (?:-\\S+ )*(?:lint|format|fmt|style|typecheck|vet)\\b|(?:\\./)?scripts?/(?:lint|fmt|format)\\S*',
    ],
  ],
  [
    'test',
    [
      `${SCRIPT}(?:test|t|unit|spec|e2e|vitest|jest)\\b`,
      `${NODE}(?:vitest|jest|mocha|ava|tap|borp|playwright test|karma|cypress run)\\b|node --test\\b`,
      `${PYTHON}(?:pytest|unittest|tox|nox|py\\.test)\\b|python3? (?:setup\\.py test|\\S*(?:runtests?|run_tests)\\S*\\.py|manage\\.py test)`,
      `${CARGO}(?:nextest|test|miri)\\b|go test\\b|gotestsum\\b|${MAVEN}(?:test|verify)\\b|${GRADLE}(?:\\w*[tT]ests?|check)\\b`,
      `${RUBY}(?:rake (?:test|spec|features)|rspec|cucumber|rails test|m)\\b|${PHP}(?:phpunit|pest)\\b|composer (?:run(?:-script)? )?tests?\\b`,
      'ctest\\b|meson test\\b|ninja test\\b|dotnet test\\b|mix test\\b|swift test\\b|deno (?:task )?test\\b|bun test\\b|zig build test\\b|bazel(?:isk)? test\\b',
      '(?:flutter|dart|stack|cabal) test\\b|dune (?:run)?test\\b|sbt\\b.*\\btest|lein test\\b|prove\\b|xcodebuild\\b.*\\btest\\b',
      '(?:make|just|task|mage) (?:-\\S+ )*(?:check|test)\\S*|(?:\\./)?(?:scripts?|bin|ci|tools)/(?:run[-_]?)?(?:tests?|cibuild)\\b\\S*|\\./run-?tests?\\S*|\\./test\\S*',
    ],
  ],
  [
    'setup',
    [
      '(?:npm|pnpm|bun) (?:ci|i|install)(?: (?!--prod)--?\\S+)*$|yarn(?: install)?(?: -\\S+)*$|corepack enable\\b',
      '(?:python3? -m )?pip3? install (?:-e|--editable|-r|\\.)|uv (?:sync|pip install (?:-e|-r))|(?:poetry|pdm|pipenv) install|pre-commit install',
      'bundle install|composer install|go mod download|mix deps\\.get|dotnet restore|git submodule update|(?:flutter|dart) pub get|stack setup',
      '(?:\\./)?scripts?/(?:bootstrap|setup)\\b|(?:make|just|task) (?:setup|bootstrap|install-deps|deps|develop)\\b|rustup (?:component|toolchain)',
    ],
  ],
  [
    'build',
    [
      `${SCRIPT}(?:build|compile|bundle)\\b(?!\\S*check)|${CARGO}(?:build|check)\\b|go (?:build|install)\\b|${MAVEN}(?:package|install|compile)\\b|${GRADLE}(?:build|assemble)\\b`,
      `make(?: -\\S+)*$|make (?:-\\S+ )*(?:all|build|install)\\b|cmake\\b|\\./configure\\b|meson setup\\b|ninja\\b|dotnet build\\b|swift build\\b|mix compile\\b`,
      `${PYTHON}(?:build\\b(?=\\s*$|\\s+-))|(?:uv|hatch|poetry|flit|pdm) build\\b|zig build\\b|bazel(?:isk)? build\\b|sbt\\b.*\\b(?:compile|package)|(?:stack|cabal|dune) build\\b`,
      `(?:just|task|mage) (?:-\\S+ )*(?:build|install|hugo)\\b|${RUBY}rake (?:build|compile)\\b|gem build\\b|flutter build\\b|deno task build\\b`,
    ],
  ],
];

const PREFIX = String.raw`^(?:\$\s+|>\s+|sudo\s+|(?:env\s+)?(?:[A-Z_]+=\S*\s+)+|xvfb-run\s+(?:-\S+\s+)*|time\s+|cd\s+\S+\s*&&\s*)*`;
const PATTERNS = PROGRAMS.map(([purpose, programs]): [Purpose, RegExp] => {
  return [purpose, new RegExp(`${PREFIX}(?:${programs.join('|')})(?=[\\s:;&|'"-]|$)`)];
});

/** The purpose of a command line; undefined if it is not one, or has another purpose. */
export function purposeOf(command: string): Purpose | undefined {
  return PATTERNS.find(([, pattern]) => pattern.test(command))?.[0];
}

const NAMES: [Purpose, RegExp][] = [
  ['release', /^(?:release|publish|deploy|dist|version)(?:[:._-].*)?$/i],
  [
    'lint',
    /^(?:lint|format|fmt|type-?check|types|style|typing|prettier|eslint|clippy|vet|check-?(?:types|format|style)|mypy|rubocop|pre-commit)(?:[:._-].*)?$/i,
  ],
  ['test', /^(?:tests?|spec|unit|e2e|check|integration|coverage|features|pytest|cibuild|cucumber)(?:[:._-].*)?$/i],
  ['setup', /^(?:setup|bootstrap|deps|develop|install-deps|install-dev)$/i],
  ['build', /^(?:build|compile|all|bundle|install)(?:[:._-].*)?$/i],
];

/** The purpose of a named task: a package script, a target, a session. */
export function purposeOfName(name: string): Purpose | undefined {
  return NAMES.find(([, pattern]) => pattern.test(name))?.[0];
}
