import type { Command } from 'commander';
import { packageVersion } from '../../templates.ts';
import { firstToUpper, helpItems, helpNotes } from './command-help.ts';
import { COMMANDS } from './main.ts';
import { openProgram } from './run.ts';

// The build runs this to write `git-mem.1`: `git mem --help` and `git help mem` show only the manual page.
openProgram([], process, COMMANDS).then(({ program }) => {
  process.stdout.write(manualOf(program));
});

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

/**
 * Escapes backslashes, hyphens, and dots or apostrophes at a line's start, which have a meaning in roff, and quotes in
 * arguments.
 */
function text(plain: string): string {
  const escaped = plain.replace(/\\/g, '\\e').replace(/-/g, '\\-').replace(/"/g, '\\(dq');
  return escaped.replace(/^(?=[.'])/gm, '\\&');
}

function firstToLower(sentence: string): string {
  return sentence.slice(0, 1).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
}
