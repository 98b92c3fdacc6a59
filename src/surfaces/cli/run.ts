import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join, resolve, sep } from 'node:path';
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

/** Exit codes: 2 is what shells use; 70 is EX_SOFTWARE of sysexits.h. */
const EXIT = { done: 0, yours: 1, usage: 2, ours: 70 } as const;

/** Runs the command line: data to standard output, messages to standard error. Returns the exit code. */
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

/** The program with the named command, or with all; in an object, because it is thenable and `await` would run it. */
export async function openProgram(
  args: string[],
  process: NodeJS.Process,
  commands: Commands,
  searchHub?: SearchElsewhere,
): Promise<{ program: Command }> {
  const { name, ...place } = peek(args);
  const context = createContext(process, place, searchHub);
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
  return { program };
}

function createContext(process: NodeJS.Process, { cwd, color }: Peeked, searchHub?: SearchElsewhere): Context {
  const { stdout, stderr } = process;
  const isChosen = color === 'always' || color === 'never';
  const env = isChosen ? { ...process.env, FORCE_COLOR: color === 'always' ? '1' : '0' } : process.env;
  return {
    cwd,
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
      if (!existsSync(cwd)) {
        throw new GitMemError('bad-input', `There is no directory ${cwd}.`, { hint: 'Check what follows -C.' });
      }
      const project = openProject(cwd, env);
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
}

async function explain(error: unknown, process: NodeJS.Process): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  const style = styler(process.stderr, process.env);
  const { bugReport, machineHint } = await import('../../setup/bug-report.ts');
  const hint = error instanceof GitMemError ? (error.hint ?? '') : machineHint(error);
  if (hint !== undefined) {
    // Messages contain paths and text of records, which are untrusted.
    process.stderr.write(`${style('red', 'git-mem:')} ${shown(messageOf(error))}\n`);
    if (hint) process.stderr.write(`${shown(hint)}\n`);
    return EXIT.yours;
  }
  const stack = sourceStack((error instanceof Error && error.stack) || messageOf(error));
  process.stderr.write(`${style('red', 'git-mem: this is a bug.')} ${bugReport(error)}\n${shown(stack)}\n`);
  return EXIT.ours;
}

/** What the arguments before the command say: `name` is the command's, and `at` its place in the arguments. */
interface Peeked {
  cwd: string;
  color?: string | undefined;
  name?: string;
  at?: number;
}

/** The arguments with `--color` in front, as it may follow the command: `git mem list --color always`. */
function colorFirst(args: string[]): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const isColor = (i: number) => args[i] === '--color' && COLORS.includes(args[i + 1] ?? '');
  const isInFront = (arg: string, i: number) => i < end && (arg.startsWith('--color=') || isColor(i) || isColor(i - 1));
  return [...args.filter(isInFront), ...args.filter((arg, i) => !isInFront(arg, i))];
}

/** The arguments with the command's own name. */
function spelledOut(args: string[]): string[] {
  const { name = '', at = 0 } = peek(args);
  const spelling = SPELLINGS[name];
  return spelling === undefined ? args : args.toSpliced(at, 1, ...spelling);
}

/** Finds out, before the real parsing, which files to load and whether to colour: reads the options before the first word. */
function peek(args: string[]): Peeked {
  const peeked: Peeked = { cwd: resolve('.') };
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    // Each relative to the one before, as in git.
    if (arg === '-C') peeked.cwd = resolve(peeked.cwd, args[++i] ?? '.');
    else if (arg.startsWith('-C')) peeked.cwd = resolve(peeked.cwd, arg.slice(2));
    else if (arg === '--color') peeked.color = args[++i];
    else if (arg.startsWith('--color=')) peeked.color = arg.slice('--color='.length);
    else if (!arg.startsWith('-')) return { ...peeked, name: arg, at: i };
  }
  return peeked;
}

/** A stack whose frames in a bundle name files of `src/`, by the source map beside it; other frames stay unchanged. */
function sourceStack(stack: string): string {
  const folder = `${import.meta.dirname}${sep}`;
  const [message, ...frames] = stack.split(folder);
  return [message, ...frames.map((frame) => inSource(frame) ?? `${folder}${frame}`)].join('');
}

function inSource(frame: string): string | undefined {
  const [place = '', bundle, line, column] = /^(\w+\.cjs):(\d+):(\d+)/.exec(frame) ?? [];
  const path = join(import.meta.dirname, `${bundle}.map`);
  if (!existsSync(path)) return undefined;
  const entry = new SourceMap(JSON.parse(readFileSync(path, 'utf8'))).findEntry(Number(line) - 1, Number(column) - 1);
  if (!('originalSource' in entry)) return undefined;
  const source = entry.originalSource.replace(/^(?:\.\.\/)+/, '');
  const now = `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  return source.startsWith('src/') ? `${now}${frame.slice(place.length)}` : undefined;
}
