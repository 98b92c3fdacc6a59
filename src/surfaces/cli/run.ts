import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { resolve } from 'node:path';
import { CommanderError, Option } from 'commander';
import { GitMemError, messageOf } from '../../errors.ts';
import { openProject } from '../../project.ts';
import { noteProgram } from '../../setup/program.ts';
import { packageVersion } from '../../templates.ts';
import { Command, type Context, type Register, type SearchElsewhere } from './command.ts';
import { printJson, shown, styler } from './print.ts';

/** Commands with the file that contains each; only the one asked for is loaded. */
export type Commands = Record<string, () => Promise<{ register: Register }>>;

/** Names that stand for another command with an option. */
const SPELLINGS: Record<string, string[]> = { remember: ['add'], watch: ['sync', '--watch'] };

const COLORS = ['auto', 'always', 'never'];

/** 2 is what shells use; 70 is EX_SOFTWARE of sysexits.h. */
const EXIT = { done: 0, yours: 1, usage: 2, ours: 70 } as const;

/** Runs the command line: data to standard output, messages to standard error. Returns the exit code, one of `EXIT`. */
export async function run(
  given: string[],
  process: NodeJS.Process,
  commands: Commands,
  searchHub?: SearchElsewhere,
): Promise<number> {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // `git mem list | head` closes the pipe early, which is not an error.
      if (error.code === 'EPIPE') process.exit(EXIT.done);
      if (stream === process.stdout) process.stderr.write(`git-mem: The output cannot be written: ${error.message}.\n`);
      process.exit(EXIT.yours);
    });
  }
  const args = spelledOut(colorFirst(given));
  try {
    const { program } = await openProgram(args, process, commands, searchHub);
    process.exitCode = EXIT.done;
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? EXIT.done);
  } catch (error) {
    return await explain(error, process);
  }
}

/** The program with the command that the arguments name, or with all commands. */
export async function openProgram(
  args: string[],
  process: NodeJS.Process,
  commands: Commands,
  searchHub?: SearchElsewhere,
): Promise<{ program: Command }> {
  const { directory, name, color } = peek(args);
  const context = createContext(process, { cwd: directory, color, searchHub });
  const program = new Command('git-mem')
    .description('Memory for coding agents that lives where the code lives.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .option('-C <dir>', 'work as if started in this directory')
    .addOption(new Option('--color <when>', 'colour what is printed').choices(COLORS))
    .helpOption('-h, --help', 'show help, with examples')
    .showHelpAfterError('(`--help` shows what is possible.)')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => process.stderr.write(text),
    });
  // The completion script needs all commands.
  const wanted = name === 'completion' ? undefined : commands[name ?? ''];
  for (const load of wanted ? [wanted] : new Set(Object.values(commands))) (await load()).register(program, context);
  if (!wanted) (await import('./help.ts')).addHelp(program);
  // Subcommands already exist at this point, and would inherit neither exit handling nor output.
  for (const command of program.commands) {
    const options = command.options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : []));
    command.exitOverride().configureOutput(program.configureOutput());
    if (options.length > 0) command.showHelpAfterError(`(It takes ${options.join(', ')}; \`--help\` says more.)`);
  }
  // In an object, because Commander's program is thenable: awaiting it would run it.
  return { program };
}

/** `cwd` may be relative to the working directory. */
function createContext(
  process: NodeJS.Process,
  { cwd, color, searchHub }: { cwd: string; color?: ColorChoice; searchHub?: SearchElsewhere | undefined },
): Context {
  const { stdout, stderr } = process;
  const env = color === undefined ? process.env : { ...process.env, FORCE_COLOR: color === 'always' ? '1' : '0' };
  const context: Context = {
    cwd: resolve(cwd),
    env,
    // Node opens the stream when it is asked for; few commands read it.
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    searchHub,
    get style() {
      return styler(stdout, env);
    },
    now: () => new Date(),
    project() {
      // A missing folder would resolve to the repository around it: a misspelt -C would silently work on the wrong one.
      if (!existsSync(context.cwd)) {
        throw new GitMemError('bad-input', `There is no directory ${context.cwd}.`, { hint: 'Check what follows -C.' });
      }
      const project = openProject(context.cwd, env);
      const { checkout, layout } = project.workspace;
      if (existsSync(layout.memory)) noteProgram(checkout);
      return project;
    },
    setExitCode(code) {
      process.exitCode = code;
    },
    say: (sentence) => void stderr.write(`${shown(sentence)}\n`),
    json: (value) => printJson(stdout, value),
    leave() {
      stdout.write('', () => stderr.write('', () => process.exit()));
    },
  };
  return context;
}

async function explain(error: unknown, process: NodeJS.Process): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  const style = styler(process.stderr, process.env);
  const ofMachine = (await import('../../setup/bug-report.ts')).machineHint(error);
  if (error instanceof GitMemError || ofMachine !== undefined) {
    const hint = error instanceof GitMemError ? error.hint : ofMachine;
    // Messages contain paths and text of records, which are untrusted.
    process.stderr.write(`${style('red', 'git-mem:')} ${shown(messageOf(error))}\n`);
    if (hint) process.stderr.write(`${shown(hint)}\n`);
    return EXIT.yours;
  }
  const { bugReport } = await import('../../setup/bug-report.ts');
  const stack = sourceStack((error instanceof Error && error.stack) || messageOf(error));
  process.stderr.write(`${style('red', 'git-mem: this is a bug.')} ${bugReport(error)}\n${shown(stack)}\n`);
  return EXIT.ours;
}

/** When to use colour regardless of the stream; undefined: only on a terminal. */
type ColorChoice = 'always' | 'never' | undefined;

interface Peeked {
  directory: string;
  name?: string;
  /** Where in the arguments the name is. */
  at?: number;
  color: ColorChoice;
}

/** The arguments with `--color` in front, as it may follow the command: `git mem list --color always`. */
function colorFirst(args: string[]): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const isColor = (i: number) => args[i] === '--color' && COLORS.includes(args[i + 1] ?? '');
  const isInFront = (arg: string, i: number) => {
    return i < end && (arg.startsWith('--color=') || isColor(i) || isColor(i - 1));
  };
  return [...args.filter(isInFront), ...args.filter((arg, i) => !isInFront(arg, i))];
}

/** The arguments with the command's own name. */
function spelledOut(args: string[]): string[] {
  const { name = '', at = 0 } = peek(args);
  const spelling = SPELLINGS[name];
  return spelling === undefined ? args : args.toSpliced(at, 1, ...spelling);
}

/** Finds out which files to load and about colour, before the real parsing: reads the options before the first word. */
function peek(args: string[]): Peeked {
  const peeked: Peeked = { directory: '.', color: undefined };
  const choose = (when = '') => {
    peeked.color = when === 'always' || when === 'never' ? when : undefined;
  };
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    // Each relative to the one before, as in git.
    if (arg === '-C') peeked.directory = resolve(peeked.directory, args[++i] ?? '.');
    else if (arg.startsWith('-C')) peeked.directory = resolve(peeked.directory, arg.slice(2));
    else if (arg === '--color') choose(args[++i]);
    else if (arg.startsWith('--color=')) choose(arg.slice('--color='.length));
    else if (!arg.startsWith('-')) return { ...peeked, name: arg, at: i };
  }
  return peeked;
}

/** The end of a bundle's name in a frame, before line and column. */
const BUNDLE = '.cjs:';

/** A stack whose frames name files of `src/`, by the source maps beside the bundles; other frames stay unchanged. */
function sourceStack(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack
    .split('\n')
    .map((frame) => inSource(frame, maps))
    .join('\n');
}

/** A frame is `    at NAME (FILE:LINE:COLUMN)`, or without name and parentheses. */
function inSource(frame: string, maps: Map<string, SourceMap | undefined>): string {
  const end = frame.lastIndexOf(BUNDLE) + BUNDLE.length - 1;
  if (end < BUNDLE.length || !frame.startsWith('    at ')) return frame;
  const begin = Math.max(frame.lastIndexOf(' (', end) + 2, frame.startsWith('    at async ') ? 13 : 7);
  const file = frame.slice(begin, end).replace(/^file:\/\//, '');
  const [place, line, column] = /^:(\d+):(\d+)/.exec(frame.slice(end)) ?? [];
  if (place === undefined) return frame;
  if (!maps.has(file)) maps.set(file, readMap(`${file}.map`));
  const entry = maps.get(file)?.findEntry(Number(line) - 1, Number(column) - 1);
  if (entry === undefined || !('originalSource' in entry)) return frame;
  const source = entry.originalSource.replace(/^(?:\.\.\/)+/, '');
  if (!source.startsWith('src/')) return frame;
  const now = `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  return `${frame.slice(0, begin)}${now}${frame.slice(end + place.length)}`;
}

function readMap(path: string): SourceMap | undefined {
  try {
    return existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
  } catch {
    return undefined; // The stack is shown unchanged.
  }
}
