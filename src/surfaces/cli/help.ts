import { type Command, Help } from 'commander';
import type { Command as Program } from './command.ts';

/** The sections of the help: the commands that `--help` shows, then those that `help --all` adds. */
export const SECTIONS: [title: string, shown: string, more: string][] = [
  ['Start', 'init demo bootstrap doctor status', 'config uninstall'],
  ['Read', 'list search show why sessions context ui', 'timeline stats'],
  ['Write', 'add edit supersede retire redact', 'pin verify undo promote inbox'],
  ['Review', 'diff check trust', ''],
  ['Other repositories', '', 'personal private import export site hub'],
  ['Upkeep', '', 'tidy salvage scrub sync'],
  ['Plumbing', '', 'drain capture mcp plugin completion'],
];

/** Gives a program with all its commands a help in sections, and the command `help`. */
export function addHelp(program: Program): void {
  const shown = new Set(SECTIONS.flatMap(([, names]) => names.split(' ')));
  for (const [title, names, more] of SECTIONS) {
    const isOfSection = (command: Command) => [...names.split(' '), ...more.split(' ')].includes(command.name());
    for (const command of program.commands.filter(isOfSection)) command.helpGroup(`${title}:`);
  }
  program
    .notes(GENERAL_HELP)
    .helpCommand(false)
    .command('help', { hidden: true })
    .argument('[command...]', 'what to explain')
    .option('--all', 'list every command')
    .description('show help, with examples')
    .action((names: string[], { all }: { all?: boolean }) => {
      const asked = names.reduce<Command>((command, name) => {
        const named = command.commands.find((one) => one.name() === name || one.aliases().includes(name));
        return named ?? command.error(`error: unknown command '${names.join(' ')}'`);
      }, program);
      if (all) program.configureHelp({ subcommandTerm });
      asked.outputHelp();
    });
  program.configureHelp({
    subcommandTerm,
    visibleCommands: (command) => everyCommand(command).filter((one) => command !== program || shown.has(one.name())),
  });
}

/** A command with its arguments, as lists of commands show it: that it has options goes without saying. */
function subcommandTerm(command: Command): string {
  return new Help().subcommandTerm(command).replace(' [options]', '');
}

/** A program's commands other than internal ones, whatever its help shows. */
export function everyCommand(program: Command): Command[] {
  return new Help().visibleCommands(program);
}

/** What the help says below the commands. */
const GENERAL_HELP = `
\`git mem help --all\` lists every command, \`git mem help COMMAND\` explains one.

Examples:
  git mem init                     set up this repository, once
  git mem list                     the newest records
  git mem search login fails       what is known about it
  git mem show k3v9                one record, by the start of its id
  git mem context --receipt        what the next session start injects, and why

Exit codes: 0 done, 1 yours to fix, 2 wrong usage, 70 a bug in git-mem.
NO_COLOR is obeyed. Long output: \`git mem list --color always | less -R\`.
GIT_MEM=0 stops what runs by itself: hooks, drains, injection into sessions, the MCP tools, git's pre-commit hook
and \`sync --transcripts\`. Other commands that you type go on working.`;
