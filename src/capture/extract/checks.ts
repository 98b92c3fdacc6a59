import { partsOfLine } from '../agents/shell-reads.ts';
import type { Turn, TurnCall } from './turn.ts';

/** One run of a test, lint, type check or build command. */
export interface CheckRun {
  /** The command without pipes, directories and environment. */
  command: string;
  /** undefined if neither the host nor the output says so. */
  passed: boolean | undefined;
  /** Place among the turn's calls. */
  at: number;
}

/** Characters searched at each end of an output, where checks say how they ended; a waiting turn keeps less. */
const SCAN = 40_000;
/** A longer command is shown without its options: in a fact of at most 240 characters it is to leave room. */
const LONGEST = 90;

const CHECK =
  /^(?:npx |pnpm |yarn |bun |bundle exec |poetry run |uv run |pipenv run |python3? -m |php |\.\/(?=\w)|dotnet |npm (?:run )?|go |cargo |mvnw? |gradlew? |make |mise (?:run |x )?|just |task |sbt |mix |swift |bazel |deno |node --|rake |composer (?:run )?|zig (?:build )?|docker compose (?:exec|run) (?:\S+ ){1,4}|--?[\w=.:-]+ )*[\w./:-]*(?:test|tests|spec|unittest|pytest|vitest|jest|mocha|phpunit|pest|rspec|ctest|tox|nose2|check|verify|lint|eslint|biome|tsc|clippy|mypy|ruff|flake8|pylint|phpstan|psalm|vet|golangci-lint|rubocop|ktlint|checkstyle|build)\b/u;
const FAILED =
  /^not ok \d|^\s*(?:✖|✗|✕|×)\s|^(?:--- )?FAIL(?:ED|URE)?\b|\bFAILED\b|\bFAILURES?!|\bERRORS!|BUILD FAILURE|AssertionError|panicked at|^# fail [1-9]|^ℹ fail [1-9]|\b[1-9]\d* (?:failed|failing|failures?|errors?|issues?)\b|(?:failures|errors|Failures|Errors)[:=] ?[1-9]|^Exit code:? [1-9]|^error(?:\[|:)|\berror TS\d|Traceback \(most recent|^E\s{3}|\[build failed\]|\btask failed\b|^[\w./-]+\.\w+:\d+:\d+: /mu;
const PASSED =
  /^# fail 0|^ℹ fail 0|^OK\b|\b\d+ (?:passed|passing)\b|test result: ok|BUILD SUCCESS|^ok\s+\S|^PASS\b|Tests:\s+\d+ passed|\b0 (?:failures|failed|errors|issues)\b|^ok \d+ |All checks passed|no issues found|^Exit code: 0/mu;

/** A command that only filters the output of the one before it. */
const FILTER = /^(?:head|tail|grep|rg|sed|awk|cut|sort|uniq|wc|tee|echo|cat|less)\b/u;

/** The checks that a turn ran, oldest first. */
export function checkRuns(turn: Turn): CheckRun[] {
  return turn.calls.flatMap((call, at) => {
    const parts = partsOfLine(call.command ?? '');
    const index = parts.findLastIndex((part) => CHECK.test(part) && !/\s(?:--help|-h|version|--version)\b/u.test(part));
    const part = parts[index];
    if (part === undefined || call.agent !== undefined) return [];
    const command = part.length <= LONGEST ? part : part.replace(/\s-.*$/su, '').slice(0, LONGEST);
    const isLast = parts.slice(index + 1).every((one) => FILTER.test(one));
    return [{ command, passed: outcome(call, isLast), at }];
  });
}

/** Tells whether text that somebody pasted is the output of a failed check or program. */
export function showsFailure(text: string): boolean {
  return FAILED.test(text.slice(0, SCAN));
}

/** `isLast`: nothing else of the line could have failed. */
function outcome(call: TurnCall, isLast: boolean): boolean | undefined {
  if (call.ok === false && isLast) return false;
  const output = `${call.output.slice(0, SCAN)}\n${call.output.slice(SCAN).slice(-SCAN)}`;
  // A pipe hides the test's exit code, so its output counts.
  if (FAILED.test(output) && !/^# fail 0|^ℹ fail 0|test result: ok(?![\s\S]*FAILED)/mu.test(output)) return false;
  return PASSED.test(output) || call.ok === true ? true : undefined;
}
