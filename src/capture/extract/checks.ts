import type { DigestCheck } from '../../memory/session-digest.ts';
import type { TurnCall } from './turn.ts';

/** A longer command is a script, which its first words would not describe. */
const LONGEST = 200;

/** A command that tests, lints, type checks or builds, by the words of its tool. */
const CHECK =
  /^(?:npx |pnpm |yarn |bun |bunx |bundle exec |poetry run |uv run |pipenv run |python3? -m |php |dotnet |npm (?:run )?|go |cargo |(?:\.\/)?mvnw? |(?:\.\/)?gradlew? |make |mise (?:run |x )?|just |task |sbt |mix |swift |bazel |deno |node --|rake |composer (?:run )?|zig (?:build )?|docker compose (?:exec|run) (?:\S+ ){1,4}|--?[\w=.:-]+ )*(?:\.{0,2}\/)?(?:[\w.-]+[/:])*(?:[\w.]+-)*(?:test|tests|spec|unittest|pytest|vitest|jest|mocha|phpunit|pest|rspec|ctest|tox|nose2|check|verify|lint|eslint|biome|tsc|clippy|mypy|ruff|flake8|pylint|phpstan|psalm|vet|golangci-lint|rubocop|ktlint|checkstyle|build)(?:[:.-][\w:.-]+)?(?=\s|$)/u;
/** The shell's own `test`, questions about a tool, and runs that only print or start something. */
const NO_CHECK =
  /^test\s|\s(?:--help|-h|version|--version|--watch|--fix)(?:\s|$)|^(?:npm|pnpm|yarn) (?:install|add|i)\s/u;

/** Lines in which well-known tools report failure. Success is never read from output, which may show only the end. */
const FAILED =
  /^not ok \d|^(?:--- )?FAIL(?:ED|URE)?(?::|\s|$)|^BUILD FAILURE|^# fail [1-9]|^ℹ fail [1-9]|^test result: FAILED|^=+ .*\b[1-9]\d* (?:failed|errors?)\b.* =+$|^\s*(?:Tests?|Test Files|Test Suites):?\s+.*\b[1-9]\d* failed\b|^✖ [1-9]\d* problems?\b|^Found [1-9]\d* errors?\b|^.*\berror TS\d+: |^error(?:\[E\d+\])?: |^[1-9]\d* (?:failed|errors?)\b.* in [\d.]+s\b|^FAILED \(|\[build failed\]$|^[1-9]\d* (?:failing|issues?:?$)/mu;
/** How shells report that a check's folder doesn't exist. */
const NO_FOLDER = /^.{0,80}\bcd:(?:\d+:)? /mu;
/** Setup that decides how a later check runs, so it is quoted with it. */
const SETUP = /^(?:export|source|\.)\s|^[A-Za-z_]\w*=\S*$/u;
/** Commands that don't fail on their own. */
const SAFE = /^(?:(?:cd|set|echo|pwd|export)\b|[A-Za-z_]\w*=\S*$)/u;
/** Neither a check nor other work: setup, or showing the end of another command's output. */
const QUIET = new RegExp(`${SAFE.source}|${SETUP.source}|^tail(?: -\\w+| \\d+)*$`, 'u');

type Ran = Pick<TurnCall, 'command' | 'ok' | 'exitCode' | 'output' | 'agent'>;

/**
 * How the last run of each of a turn's checks ended, in order; an unknown outcome counts too. `last`: the index of
 * the last call that ran one, -1 without any.
 */
export function checksOf({ calls }: { calls: readonly Ran[] }): { checks: DigestCheck[]; last: number } {
  const runs = new Map<string, DigestCheck>();
  let last = -1;
  for (const [at, call] of calls.entries()) {
    for (const { isUnsure, ...run } of runsOf(call)) {
      if (!isUnsure) last = at;
      // A check that may have failed later no longer counts as passed.
      else if (!runs.has(run.command)) continue;
      runs.delete(run.command);
      runs.set(run.command, run);
    }
  }
  return { checks: [...runs.values()], last };
}

/** A run of a check; `isUnsure`: a command before it in its line may have kept it from running. */
type Run = DigestCheck & { isUnsure?: true };

/** The checks that a call ran, each with how it ended where the call or its output says so. */
function runsOf({ command: line, ok, exitCode, output, agent }: Ran): Run[] {
  // What `git stash` put aside was not checked.
  if (line === undefined || agent !== undefined || /\bgit stash\b/.test(line)) return [];
  // Refused, or not run to its end.
  if (ok === false && exitCode === undefined) return [];
  const parts = partsOf(line);
  // Which part of a line failed or printed what is known only if it has a single one.
  const isOnly = parts.filter(isCheck).length === 1 && parts.every((part) => isCheck(part) || QUIET.test(part.text));
  return parts.flatMap((part, at) => {
    if (!isCheck(part)) return [];
    const setup = parts.findIndex(({ text }) => SETUP.test(text));
    const quoted = parts.slice(setup < 0 || setup > at ? at : setup, at + 1);
    const command = quoted.map(({ text, joint }, i) => (i === 0 ? text : `${joint}${text}`)).join('');
    // The exit code of a line is that of its last list.
    const known = part.isPlain && part.list === parts.at(-1)?.list ? ok : undefined;
    // If a command before it failed, it did not run.
    const isBehind = parts
      .slice(0, at)
      .some(({ text, list, isPlain }) => isPlain && list === part.list && (!SAFE.test(text) || NO_FOLDER.test(output)));
    if (command.length > LONGEST) return [];
    if (isBehind && ok === false && !FAILED.test(output)) return { command, isUnsure: true };
    return { command, passed: known || (isOnly ? endOf({ ok: known, output }) : undefined) };
  });
}

/** How the only check of a line ended. `ok` is left out where something hides it. */
function endOf({ ok, output }: Pick<Ran, 'ok' | 'output'>): boolean | undefined {
  if (NO_FOLDER.test(output)) return undefined;
  return ok ?? (FAILED.test(output) ? false : undefined);
}

/** A simple command of a shell line, and what joins it to the one before. */
interface Part {
  text: string;
  joint: string;
  /** Which list of the line it is in. */
  list: number;
  /** It passed if its list did: no pipe, alternative or background job hides it. */
  isPlain: boolean;
}

/** The commands of a shell line, without here-documents. */
function partsOf(line: string): Part[] {
  const [script = ''] = line.slice(0, 4000).split(/<<-?\s*['"]?\w+/u);
  const bare = script.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/gsu, (quoted) => quoted.replace(/[;&|>\n]/gu, hidden));
  const lists = bare
    .replace(/\\\n/gu, ' ')
    .replace(/\d?>&\d/gu, ' ')
    .replaceAll('&>', ' >')
    .split(/;|\n/u);
  return lists.flatMap((text, list) => {
    const isHidden = /\|\||(?<!&)&(?!&)/u.test(text);
    const pieces = text.split(/(&&|\|\||\||&)/u);
    return pieces.flatMap((piece, i) => {
      const isPlain = !isHidden && pieces[i - 1] !== '|' && pieces[i + 1] !== '|';
      const joint = i === 0 ? '; ' : ` ${pieces[i - 1]} `;
      const bared = simple(piece);
      return i % 2 === 1 || bared === '' ? [] : { text: bared, joint, list, isPlain };
    });
  });
}

/** Maps a character that the shell would act on to one that means nothing, and back. */
const hidden = (mark: string) => String.fromCharCode(mark.charCodeAt(0) ^ 0xe000);

/** A simple command without redirections. */
function simple(part: string): string {
  return part
    .replace(/\s\d?>{1,2}(?:\s?\S+)?/gu, '')
    .replace(/[\ue000-\ue07f]/gu, hidden)
    .trim();
}

function isCheck({ text }: Part): boolean {
  const bare = text.replace(/^(?:(?:time|env|sudo|exec|timeout \S+|[A-Z_][A-Z0-9_]*=\S*)\s+)+/u, '');
  return CHECK.test(bare) && !NO_CHECK.test(bare);
}
