import type { Command } from 'commander';
import { type Commands, openProgram } from './src/surfaces/cli/run.ts';
import { packageVersion } from './src/templates.ts';

/** Prints the manual page. The build writes it to `git-mem.1`: \`git mem --help\` and `git help mem` show nothing else. */
export async function printManual(commands: Commands): Promise<void> {
  const { program } = await openProgram([], process, commands);
  process.stdout.write(manualOf(program));
}

/** The manual page of a program in man(7) format: every command with its options, as in its own help. */
function manualOf(program: Command): string {
  return `${[
    `.TH GIT-MEM 1 "" "git-mem ${packageVersion()}" "Git Manual"`,
    '.SH NAME',
    `git\\-mem \\- ${text(firstToLower(program.description()))}`,
    '.SH SYNOPSIS',
    '.nf',
    '\\fIgit mem\\fR [\\-C <dir>] <command> [<args>]',
    '.fi',
    '.SH OPTIONS',
    ...items(program),
    '.SH COMMANDS',
    ...program.commands.flatMap((command) => commandPart(command, 'git mem')),
    '.SH NOTES',
    ...asTyped(helpNotes(program)),
  ].join('\n')}\n`;
}

function commandPart(command: Command, parent: string): string[] {
  const name = [parent, command.name()].join(' ');
  return [
    `.SS "${text(`${name} ${command.usage()}`)}"`,
    `${text(firstToUpper(command.description()))}.`,
    ...items(command),
    ...asTyped(helpNotes(command)),
    ...command.commands.flatMap((one) => commandPart(one, name)),
  ];
}

function items(command: Command): string[] {
  return helpItems(command).flatMap(({ term, about }) => ['.TP', `\\fB${text(term)}\\fR`, text(about)]);
}

/** Lines that keep their breaks and their columns. */
function asTyped(typed: string): string[] {
  return typed === '' ? [] : ['.PP', '.nf', ...typed.split('\n').map(text), '.fi'];
}

/** Escapes what has a meaning in roff: dots and apostrophes only at a line's start. */
function text(plain: string): string {
  const escaped = plain.replace(/\\/g, '\\e').replace(/-/g, '\\-').replace(/"/g, '\\(dq');
  return escaped.replace(/^(?=[.'])/gm, '\\&');
}

function firstToLower(sentence: string): string {
  return sentence.slice(0, 1).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
}

/** The arguments and options of a command with what its help says about each; `--help` itself is left out. */
export function helpItems(command: Command): { term: string; about: string }[] {
  const help = command.createHelp();
  const named = command.registeredArguments.filter(({ description }) => description);
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  return [
    ...named.map((one) => ({ term: help.argumentTerm(one), about: help.argumentDescription(one) })),
    ...options.map((one) => ({ term: help.optionTerm(one), about: help.optionDescription(one) })),
  ];
}

/** The help text of a command below its options: explanations and examples. */
export function helpNotes(command: Command): string {
  let whole = '';
  const writeOut = (part: string) => {
    whole += part;
  };
  command.configureOutput({ writeOut }).outputHelp();
  return whole.slice(command.helpInformation().length).trim();
}

/** Capitalizes the first letter: command descriptions begin with a lower-case one. */
export function firstToUpper(sentence: string): string {
  return sentence.slice(0, 1).toUpperCase() + sentence.slice(1);
}
