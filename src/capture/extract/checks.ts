import type { DigestCheck } from '../../memory/session-digest.ts';
import type { TurnCall } from './turn.ts';

/** A longer command is a script, which its first words would not name. */
const LONGEST = 200;

/** A command that tests, lints, type checks or builds, by the words of its tool. */
const CHECK =
  /^(?:npx |pnpm |yarn |bun |bunx |bundle exec |poetry run |uv run |pipenv run |python3? -m |php |dotnet |npm (?:run )?|go |cargo |(?:\.\/)?mvnw? |(?:\.\/)?gradlew? |make |mise (?:run |x )?|just |task |sbt |mix |swift |bazel |deno |node --|rake |composer (?:run )?|zig (?:build )?|docker compose (?:exec|run) (?:\S+ ){1,4}|--?[\w=.:-]+ )*(?:\.{0,2}\/)?(?:[\w.-]+[/:])*(?:[\w.]+-)*(?:test|tests|spec|unittest|pytest|vitest|jest|mocha|phpunit|pest|rspec|ctest|tox|nose2|check|verify|lint|eslint|biome|tsc|clippy|mypy|ruff|flake8|pylint|phpstan|psalm|vet|golangci-lint|rubocop|ktlint|checkstyle|build)(?:[:.-][\w:.-]+)?(?=\s|$)/u;
/** The shell's own `test`, questions about a tool, and runs that only print or start something. */
const NO_CHECK =
  /^test\s|\s(?:--help|-h|version|--version|--watch|--fix)(?:\s|$)|^(?:npm|pnpm|yarn) (?:install|add|i)\s/u;

/** Lines with which well-known tools say that they failed. That all passed is never read: what is shown may be the end alone. */
const FAILED =
  /^not ok \d|^(?:--- )?FAIL(?:ED|URE)?(?::|\s|$)|^BUILD FAILURE|^# fail [1-9]|^ℹ fail [1-9]|^test result: FAILED|^=+ .*\b[1-9]\d* (?:failed|errors?)\b.* =+$|^\s*(?:Tests?|Test Files|Test Suites):?\s+.*\b[1-9]\d* failed\b|^✖ [1-9]\d* problems?\b|^Found [1-9]\d* errors?\b|^.*\berror TS\d+: |^error(?:\[E\d+\])?: |^[1-9]\d* (?:failed|errors?)\b.* in [\d.]+s\b|^FAILED \(|\[build failed\]$|^[1-9]\d* (?:failing|issues?:?$)/mu;
/** With which shells say that the folder of a check is not there. */
const NO_FOLDER = /^.{0,80}\bcd:(?:\d+:)? /mu;
/** What decides how a check after it runs: it is quoted with it. */
const SETUP = /^(?:export|source|\.)\s|^[A-Za-z_]\w*=\S*$/u;
/** What does not fail by itself, or only shows the end of what another command printed. */
const QUIET = new RegExp(`${SETUP.source}|^(?:cd|set|echo|pwd)\\b|^tail(?: -\\w+| \\d+)*$`, 'u');

type Ran = Pick<TurnCall, 'command' | 'ok' | 'exitCode' | 'output' | 'agent'>;

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
function runsOf({ command: line, ok, exitCode, output, agent }: Ran): DigestCheck[] {
  // What `git stash` put aside was not checked.
  if (line === undefined || agent !== undefined || /\bgit stash\b/.test(line)) return [];
  // Refused, or not run to its end.
  if (ok === false && exitCode === undefined) return [];
  const lists = listsOf(line);
  const all = lists.flatMap(({ parts }) => parts);
  const last = lists.at(-1);
  // The exit code of a line is that of its last list.
  const passed = ok === true && last ? last.plain : [];
  // Nobody knows which part of a line failed, or printed what, unless it has only one.
  const isOnly = all.filter(isCheck).length === 1 && all.every((part) => isCheck(part) || QUIET.test(part));
  const ended = isOnly ? endOf({ ok: last?.plain.some(isCheck) ? ok : undefined, output }) : undefined;
  return all
    .flatMap((part, at) => {
      const setup = all.slice(0, at).filter((earlier) => SETUP.test(earlier));
      const command = [...setup, part].join(' && ');
      return isCheck(part) ? { command, passed: passed.includes(part) || ended } : [];
    })
    .filter(({ command }) => command.length <= LONGEST);
}

/** How the only check of a line ended. `ok` is left out where something hides it. */
function endOf({ ok, output }: Pick<Ran, 'ok' | 'output'>): boolean | undefined {
  if (NO_FOLDER.test(output)) return undefined;
  return ok ?? (FAILED.test(output) ? false : undefined);
}

/**
 * The lists of a shell line, without texts that are handed to commands. `plain`: the parts that passed where the list did,
 * as no pipe, alternative or background hides it.
 */
function listsOf(line: string): { parts: string[]; plain: string[] }[] {
  const [script = ''] = line.slice(0, 4000).split(/<<-?\s*['"]?\w+/u);
  const bare = script.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/gsu, (quoted) => quoted.replace(/[;&|>\n]/gu, hidden));
  return bare
    .replace(/\\\n/gu, ' ')
    .replace(/\d?>&\d|&>/gu, ' >')
    .split(/;|\n/u)
    .map((text) => ({
      parts: text
        .split(/&&|\|\||\||&/u)
        .map(simple)
        .filter(Boolean),
      plain: /\|\||(?<!&)&(?!&)/u.test(text)
        ? []
        : text.split('&&').flatMap((one) => (one.includes('|') ? [] : simple(one))),
    }))
    .filter(({ parts }) => parts.length > 0);
}

/** A character that the shell would act on, as one that means nothing, and back. */
const hidden = (mark: string) => String.fromCharCode(mark.charCodeAt(0) ^ 0xe000);

/** A simple command without redirections. */
function simple(part: string): string {
  return part
    .replace(/\s\d?>{1,2}(?:\s?\S+)?/gu, '')
    .replace(/[\ue000-\ue07f]/gu, hidden)
    .trim();
}

function isCheck(part: string): boolean {
  const bare = part.replace(/^(?:(?:time|env|sudo|exec|timeout \S+|[A-Z_][A-Z0-9_]*=\S*)\s+)+/u, '');
  return CHECK.test(bare) && !NO_CHECK.test(bare);
}
