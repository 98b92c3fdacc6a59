import type { Command } from 'commander';
import { firstToUpper, helpItems, helpNotes } from '../../../manual.ts';
import { everyCommand } from '../../../src/surfaces/cli/help.ts';

/**
 * The generated part of docs/commands.md: a table of all commands, then each one with its arguments, options and
 * examples.
 */
export function commandsPart(program: Command): string {
  const commands = everyCommand(program);
  return [
    '| command | does |',
    '| --- | --- |',
    ...commands.map((command) => {
      const name = `[\`git mem ${command.name()}\`](#git-mem-${command.name()})`;
      return `| ${name} | ${command.description().replaceAll('|', '\\|')} |`;
    }),
    '',
    ...commands.flatMap((command) => commandSection(command, '##', 'git mem')),
  ]
    .join('\n')
    .trimEnd();
}

function commandSection(command: Command, heading: string, parent: string): string[] {
  const name = `${parent} ${command.name()}`;
  const items = helpItems(command);
  const notes = helpNotes(command);
  const alias = command.alias() ? ` Also \`${parent} ${command.alias()}\`.` : '';
  return [
    `${heading} ${name}`,
    '',
    `\`${name} ${command.usage()}\``,
    '',
    `${firstToUpper(command.description())}.${alias}`,
    '',
    ...items.map(({ term, about }) => `- \`${term}\`: ${about}`),
    ...(items.length > 0 ? [''] : []),
    ...(notes === '' ? [] : ['```text', ...notes.split('\n'), '```', '']),
    ...command.commands.flatMap((one) => commandSection(one, `${heading}#`, name)),
  ];
}
