import { partsOfLine } from '../../agents/shell-reads.ts';
import type { Turn, TurnCall } from '../turn.ts';

/** One run of a test, lint, type check or build command. */
export interface CheckRun {
  /** The command without pipes, directories and environment. */
  command: string;
  /** undefined where neither the host nor the output tells. */
  passed: boolean | undefined;
  /** Number of tests that the output counts. */
  count?: number;
  /** Place among the turn's calls. */
  at: number;
}

export interface Commit {
  subject: string;
  /** Short commit id where the output shows it. */
  id?: string;
}

const SCAN = 40_000;

const CHECK =
  /^(?:npx |pnpm |yarn |bun |bundle exec |poetry run |uv run |pipenv run |python3? -m |php |\.\/(?=\w)|dotnet |npm (?:run )?|go |cargo |mvnw? |gradlew? |make |sbt |mix |swift |bazel |deno |node --|rake |composer (?:run )?|zig (?:build )?|docker compose (?:exec|run) (?:\S+ ){1,4}|--?[\w=.:-]+ )*[\w./:-]*(?:test|tests|spec|unittest|pytest|vitest|jest|mocha|phpunit|pest|rspec|ctest|tox|nose2|check|verify|lint|eslint|biome|tsc|clippy|mypy|ruff|flake8|pylint|phpstan|psalm|vet|golangci-lint|rubocop|ktlint|checkstyle|build)\b/u;
const FAILED =
  /^not ok \d|^\s*(?:✖|✗|✕|×)\s|^(?:--- )?FAIL(?:ED|URE)?\b|\bFAILED\b|\bFAILURES?!|\bERRORS!|BUILD FAILURE|AssertionError|panicked at|^# fail [1-9]|^ℹ fail [1-9]|\b[1-9]\d* (?:failed|failing|failures?|errors?)\b|(?:failures|errors|Failures|Errors)[:=] ?[1-9]|^Exit code:? [1-9]|^error(?:\[|:)|\berror TS\d|Traceback \(most recent|^E\s{3}/mu;
const PASSED =
  /^# fail 0|^ℹ fail 0|^OK\b|\b\d+ (?:passed|passing)\b|test result: ok|BUILD SUCCESS|^ok\s+\S|^PASS\b|Tests:\s+\d+ passed|\b0 (?:failures|failed|errors)\b|^ok \d+ |All checks passed|no issues found|^Exit code: 0/mu;

/** The checks that a turn ran, oldest first. */
export function checkRuns(turn: Turn): CheckRun[] {
  const runs: CheckRun[] = [];
  for (const [at, call] of turn.calls.entries()) {
    const command = checkIn(call.command);
    if (command === undefined || call.agent !== undefined) continue;
    const output = `${call.output.slice(0, SCAN)}\n${call.output.slice(SCAN).slice(-SCAN)}`;
    const count = countIn(output);
    runs.push({ command, passed: outcome(call, output), at, ...(count !== undefined && { count }) });
  }
  return runs;
}

/** The part of a shell line that checks something, bare; undefined where no part does. */
function checkIn(line: string | undefined): string | undefined {
  for (const part of partsOfLine(line ?? ''))
    if (CHECK.test(part)) return part.length <= 90 ? part : part.split(' ').slice(0, 4).join(' ').slice(0, 90);
  return undefined;
}

function outcome(call: TurnCall, output: string): boolean | undefined {
  if (call.ok === false) return false;
  // A pipe hides the exit code of the test, so what it printed counts.
  if (FAILED.test(output) && !/^# fail 0|^ℹ fail 0|test result: ok(?![\s\S]*FAILED)/mu.test(output)) return false;
  if (PASSED.test(output) || call.ok === true) return true;
  return undefined;
}

function countIn(output: string): number | undefined {
  const match =
    /^(?:#|ℹ) tests (\d+)/mu.exec(output) ??
    /^Ran (\d+) tests?/mu.exec(output) ??
    /\bTests run: (\d+)/u.exec(output) ??
    /^OK \((\d+) tests?/mu.exec(output) ??
    /\bTests:\s+(?:\d+ \w+, )*(\d+) total/u.exec(output) ??
    /\b(\d+) (?:examples?|tests?), \d+ failures?/u.exec(output) ??
    /\b(\d+) (?:tests? )?(?:passed|passing)\b/u.exec(output) ??
    /^1\.\.(\d+)\s*$/mu.exec(output);
  const count = match?.[1] === undefined ? undefined : Number(match[1]);
  return count !== undefined && count > 0 && count < 1_000_000 ? count : undefined;
}

/** How the turn's checks went, each command once, as sentences: what failed and then passed comes first. */
export function checkFacts(runs: CheckRun[]): string[] {
  const end = runs.findLast(({ passed }) => passed === true);
  const turned = runs.some(
    (run) =>
      run.passed === true && runs.some((one) => one.command === run.command && one.passed === false && one.at < run.at),
  );
  const commands = [...new Set(runs.map(({ command }) => command))];
  const facts = commands.map((command) => {
    const own = runs.filter((run) => run.command === command);
    const failed = own.findIndex(({ passed }) => passed === false);
    const last = own.at(-1);
    const count = last?.count === undefined ? '' : ` (${last.count} test${last.count === 1 ? '' : 's'})`;
    if (last?.passed === true) {
      return {
        rank: failed >= 0 ? 0 : 1,
        text: failed >= 0 ? `\`${command}\` failed first, then passed${count}.` : `\`${command}\` passed${count}.`,
      };
    }
    // What failed at first and was then checked by another command did not stay broken.
    if (last?.passed === false && end !== undefined && end.at > last.at) {
      return { rank: 0, text: turned ? '' : `\`${command}\` failed first; \`${end.command}\` passed at the end.` };
    }
    return last?.passed === false
      ? { rank: own.some(({ passed }) => passed) ? 0 : 2, text: `\`${command}\` failed.` }
      : { rank: 3, text: '' };
  });
  const shown = facts.some(({ text }) => text.includes(' passed at the end.'))
    ? facts.filter(({ rank }) => rank === 0)
    : facts;
  return shown
    .filter(({ text }) => text !== '')
    .sort((a, b) => a.rank - b.rank)
    .map(({ text }) => text);
}

/** The commits that a turn made, oldest first. */
export function commitsOf(turn: Turn): Commit[] {
  const commits: Commit[] = [];
  for (const { command, ok, output } of turn.calls) {
    if (command === undefined || ok === false || !/\bgit\b[^\n]{0,80}\bcommit\b/u.test(command.slice(0, 4000)))
      continue;
    const line = command.slice(0, 8000);
    const heredoc = /<<-?\s*['"]?(\w+)['"]?\n\s*([^\n]+)/u.exec(line)?.[2];
    const quoted = /\bcommit\b[^\n]{0,120}?(?:\s-\w*m|--message)[ =]?(?:"([^"]{1,400})|'([^']{1,400}))/u.exec(line);
    const printed = /^\[[^\]\n]{1,120} ([0-9a-f]{7,40})\] (.{1,300})$/mu.exec(output.slice(0, SCAN));
    const message =
      heredoc !== undefined && /\$\(cat\s*<</u.test(line) ? heredoc : (quoted?.[1] ?? quoted?.[2] ?? printed?.[2]);
    const subject = message?.split('\n')[0]?.trim();
    if (subject === undefined || subject === '' || subject.startsWith('$(')) continue;
    const at = output.slice(0, SCAN).indexOf(` ${subject}`);
    const id =
      printed?.[1] ?? (at > 0 ? /([0-9a-f]{7,40})$/u.exec(output.slice(Math.max(0, at - 40), at))?.[1] : undefined);
    commits.push({ subject, ...(id !== undefined && { id: id.slice(0, 7) }) });
  }
  return commits;
}
