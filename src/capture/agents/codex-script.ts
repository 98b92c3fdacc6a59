import { fieldsOf, jsonIn } from '../../json.ts';
import { textIn } from './payload.ts';
import { openCalls } from './session-logs.ts';

/** A command that a program of code mode ran. */
export interface RanCommand {
  id: string;
  command: string;
  output: string;
  /** undefined where the program printed only the output. */
  exitCode?: number | undefined;
}

/**
 * Reads the commands of code mode, in which Codex has one tool, `exec`: it runs a JavaScript program that calls the other
 * tools. The log holds the program and what it printed. A command may outlive its program: `wait` and later programs
 * get the rest of its output, and it is reported when it ends, or with its turn. Source: rollouts of Codex Desktop 0.144.
 */
export function readPrograms() {
  const open = openCalls<{ id: string; script: Script }>();
  const cells = openCalls<{ id: string; script: Script }>();
  const running = new Map<string, RanCommand>();
  let isItemised = false;

  return {
    begin: (id: string, program: string) => open.begin(id, { id, script: readScript(program) }),
    /** A call of `wait`. */
    goOn(id: string, cell: string) {
      const begun = cells.end(cell);
      if (begun !== undefined) open.begin(id, begun);
    },
    /** Newer versions log an item for each command, which says more. */
    areItemised() {
      isItemised = true;
    },
    end(callId: string, given: unknown): RanCommand[] {
      const begun = open.end(callId);
      if (begun === undefined || isItemised) return [];
      const { output, exitCode, cell, process } = readResult(given);
      if (cell !== undefined) {
        cells.begin(cell, begun);
        return [];
      }
      const { commands, process: continued = '' } = begun.script;
      const before = running.get(continued);
      running.delete(continued);
      // The log does not say which of several commands printed what, so the output is given to the last one.
      const list = commands.map((command, i) => ({
        id: i === 0 ? begun.id : `${begun.id}#${i}`,
        command,
        output: i === commands.length - 1 ? output : '',
      }));
      const [one = before && { ...before, output: `${before.output}\n${output}`.trim() }] = list;
      if (one === undefined || list.length > 1) return list;
      if (process === undefined) return [{ ...one, exitCode }];
      running.set(process, one);
      return [];
    },
    endTurn(): RanCommand[] {
      const left = [...running.values()];
      running.clear();
      return left;
    },
  };
}

/** What a program says it runs. */
interface Script {
  /** Commands given as string literals; one assembled at run time cannot be known. */
  commands: string[];
  /** The running command whose further output it asks for. */
  process: string | undefined;
}

/** What a program printed, and how its only command ended. */
interface Result {
  output: string;
  exitCode: number | undefined;
  /** Set while the program runs on. */
  cell: string | undefined;
  /** Set while the command runs on. */
  process: string | undefined;
}

const LITERAL = String.raw`"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\x60(?:[^\x60\\]|\\[\s\S])*\x60`;
const COMMAND = new RegExp(
  String.raw`\btools\.exec_command\(\s*\{(?:[^"'\x60{}]|${LITERAL})*?["']?\bcmd["']?\s*:\s*(${LITERAL})`,
  'g',
);
const PROCESS = /\btools\.write_stdin\(\s*\{[^{}]*?["']?\bsession_id["']?\s*:\s*["']?(\d+)/;

/** Longest program that is parsed, in UTF-16 units; no model writes a longer one itself. */
const LONGEST = 100_000;

function readScript(program: string): Script {
  if (program.length > LONGEST) return { commands: [], process: undefined };
  const commands = [...program.matchAll(COMMAND)].map(([, literal = '']) => unquoted(literal));
  return { commands, process: PROCESS.exec(program)?.[1] };
}

/** Reads the output of `exec` or `wait`. Programs print a command's result as JSON, or only its output. */
function readResult(given: unknown): Result {
  const cell = /^Script running with cell ID (\d+)/.exec(textIn(given))?.[1];
  const output: string[] = [];
  const results: Record<string, unknown>[] = [];
  for (const text of partsOf(given)) {
    const value = jsonIn(text);
    const found = (Array.isArray(value) ? value : [value]).map(fieldsOf).filter((one) => 'chunk_id' in one);
    if (found.length === 0) output.push(text);
    else output.push(...found.flatMap((one) => (typeof one.output === 'string' ? [one.output] : [])));
    results.push(...found);
  }
  const { exit_code, session_id } = results.length === 1 ? fieldsOf(results[0]) : {};
  return {
    output: output.join('\n').trim(),
    exitCode: typeof exit_code === 'number' ? exit_code : undefined,
    cell,
    process: typeof session_id === 'number' ? String(session_id) : undefined,
  };
}

/** What the program printed, without the lines that Codex puts above it. */
function partsOf(given: unknown): string[] {
  const [head = '', ...rest] = Array.isArray(given) ? given.map((part) => textIn([part])) : [textIn(given)];
  return [head.replace(/^Script [^\n]*\nWall time [^\n]*\nOutput:\n/, ''), ...rest].filter(Boolean);
}

const ESCAPE = /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|([\s\S]))/gi;
const CONTROLS: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0', '\n': '' };

function unquoted(literal: string): string {
  return literal.slice(1, -1).replace(ESCAPE, (_, braced?: string, long?: string, short?: string, plain = '') => {
    const code = braced ?? long ?? short;
    if (code !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
    return CONTROLS[plain] ?? plain;
  });
}
