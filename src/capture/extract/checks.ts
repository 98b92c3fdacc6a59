import type { DigestCheck } from '../../memory/session-digest.ts';
import type { TurnCall } from './turn.ts';

/** Characters searched at each end of an output, where checks say how they ended; a waiting turn keeps less. */
const SCAN = 40_000;
/** A longer command is a script, which its first words would not name. */
const LONGEST = 200;

/** A command that tests, lints, type checks or builds, by the words of its tool. */
const CHECK =
  /^(?:npx |pnpm |yarn |bun |bunx |bundle exec |poetry run |uv run |pipenv run |python3? -m |php |dotnet |npm (?:run )?|go |cargo |(?:\.\/)?mvnw? |(?:\.\/)?gradlew? |make |mise (?:run |x )?|just |task |sbt |mix |swift |bazel |deno |node --|rake |composer (?:run )?|zig (?:build )?|docker compose (?:exec|run) (?:\S+ ){1,4}|--?[\w=.:-]+ )*(?:\.{0,2}\/)?(?:[\w.-]+[/:])*(?:[\w.]+-)*(?:test|tests|spec|unittest|pytest|vitest|jest|mocha|phpunit|pest|rspec|ctest|tox|nose2|check|verify|lint|eslint|biome|tsc|clippy|mypy|ruff|flake8|pylint|phpstan|psalm|vet|golangci-lint|rubocop|ktlint|checkstyle|build)(?:[:.-][\w:.-]+)?(?=\s|$)/u;
/** The shell's own `test`, questions about a tool, and runs that only print or start something. */
const NO_CHECK =
  /^test\s|\s(?:--help|-h|version|--version|--watch|--fix)(?:\s|$)|^(?:npm|pnpm|yarn) (?:install|add|i)\s/u;

/** Lines with which well-known tools say that they failed, or that all passed: read where an exit code says nothing. */
const FAILED =
  /^not ok \d|^(?:--- )?FAIL(?:ED|URE)?(?::|\s|$)|^BUILD FAILURE|^# fail [1-9]|^ℹ fail [1-9]|^test result: FAILED|^=+ .*\b[1-9]\d* (?:failed|errors?)\b.* =+$|^\s*(?:Tests?|Test Files|Test Suites):?\s+.*\b[1-9]\d* failed\b|^✖ [1-9]\d* problems?\b|^Found [1-9]\d* errors?\b|^.*\berror TS\d+: |^error(?:\[E\d+\])?: |^[1-9]\d* (?:failed|errors?)\b.* in [\d.]+s\b|^FAILED \(|\[build failed\]$|^[1-9]\d* (?:failing|issues?:?$)/mu;
const PASSED =
  /^# fail 0|^ℹ fail 0|^OK(?: \(|$)|^test result: ok|^BUILD SUCCESS|^ok\s+\S|^PASS$|^=+ .*\b\d+ passed\b.* =+$|^\s*(?:Tests?|Test Files):?\s+\d+ passed\b|^All checks passed|^0 issues\.|^\d+ passed\b(?!.*\b(?:failed|errors?)\b).* in [\d.]+s\b/mu;
/** With which tools say that they did not understand the command. */
const NOT_RUN =
  /^error: (?:unexpected argument|unrecognized|unknown (?:option|argument)|no (?:library|bin|test|example) targets?)|^(?:error: )?(?:unknown|unrecognized) (?:option|argument)|^Usage: /mu;
/** What hosts print of the whole line, first. */
const EXIT_CODE = /^Exit code:? (\d+)$/mu;

type Ran = Pick<TurnCall, 'command' | 'ok' | 'output' | 'agent'>;

/** How the last run of each check of a turn ended, in their order; one of which nobody knows it counts as well. */
export function checksOf({ calls }: { calls: readonly Ran[] }): DigestCheck[] {
  const runs = new Map<string, DigestCheck>();
  for (const run of calls.flatMap(runsOf)) {
    runs.delete(run.command);
    runs.set(run.command, run);
  }
  return [...runs.values()];
}

/** The checks that a call ran, each with how it ended where the call or its output says so. */
function runsOf({ command: line, ok, output, agent }: Ran): DigestCheck[] {
  // What `git stash` put aside was not checked.
  if (line === undefined || agent !== undefined || /\bgit stash\b/.test(line)) return [];
  const lists = listsOf(line);
  const at = lists.findLastIndex(({ parts }) => parts.some(isCheck));
  const { parts, isPlain } = lists[at] ?? { parts: [], isPlain: false };
  const checks = parts.filter(isCheck);
  const earlier = lists.slice(0, Math.max(at, 0)).flatMap((list) => list.parts.filter(isCheck));
  const passed = (() => {
    // Only then is the exit code of the line that of its checks; where it passed, all parts did.
    const isDecisive = at === lists.length - 1 && isPlain;
    if (isDecisive && ok === true) return true;
    const text = `${output.slice(0, SCAN)}\n${output.slice(SCAN).slice(-SCAN)}`;
    if (NOT_RUN.test(text)) return undefined;
    const isDirect = isDecisive && parts.every((part) => isCheck(part) || isQuiet(part));
    if (isDirect && ok === false) return false;
    if (checks.length + earlier.length !== 1) return undefined;
    const code = isDirect && lists.length === 1 ? EXIT_CODE.exec(text)?.[1] : undefined;
    if (code !== undefined) return code === '0';
    return FAILED.test(text) ? false : PASSED.test(text) || undefined;
  })();
  // Nobody knows which part of a list failed.
  const ended = passed === false ? [checks.join(' && ')] : checks;
  const runs = [...earlier.map((command) => ({ command })), ...ended.map((command) => ({ command, passed }))];
  return runs.filter(({ command }) => command.length <= LONGEST);
}

/** Commands joined by `&&`. `isPlain`: without pipes, alternatives and a background, which hide how they ended. */
interface List {
  parts: string[];
  isPlain: boolean;
}

/** The lists of a shell line, without texts that are handed to commands. */
function listsOf(line: string): List[] {
  const [script = ''] = line.slice(0, 4000).split(/<<-?\s*['"]?\w+/u);
  const bare = script.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/gsu, (quoted) => quoted.replace(/[;&|>\n]/gu, hidden));
  return bare
    .replace(/\\\n/gu, ' ')
    .replace(/\d?>&\d|&>/gu, ' >')
    .split(/;|\n/u)
    .map((text) => ({
      isPlain: !/\||(?<!&)&(?!&)/u.test(text),
      parts: text
        .split(/&&|\|\||\||&/u)
        .map(simple)
        .filter(Boolean),
    }))
    .filter(({ parts }) => parts.length > 0);
}

/** A character that the shell would act on, as one that means nothing, and back. */
const hidden = (mark: string) => String.fromCharCode(mark.charCodeAt(0) ^ 0xe000);

/** A simple command without redirections, environment and what only times it. */
function simple(part: string): string {
  return part
    .replace(/\s\d?>{1,2}(?:\s?\S+)?/gu, '')
    .replace(/^\s*(?:(?:time|env|sudo|exec|timeout \S+|[A-Z_][A-Z0-9_]*=\S*)\s+)+/u, '')
    .replace(/[\ue000-\ue07f]/gu, hidden)
    .trim();
}

function isCheck(part: string): boolean {
  return CHECK.test(part) && !NO_CHECK.test(part);
}

/** What comes before a check and does not fail by itself. */
function isQuiet(part: string): boolean {
  return /^(?:cd|export|source|\.|set|echo|pwd)\b/u.test(part);
}
