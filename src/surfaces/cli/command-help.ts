import type { Command } from 'commander';

/** What a command adds to its help below the options: explanations and examples. */
export function helpNotes(command: Command): string {
  let whole = '';
  const writeOut = (part: string) => {
    whole += part;
  };
  command.configureOutput({ writeOut }).outputHelp();
  return whole.slice(command.helpInformation().length).trim();
}

/** The first letter as a capital: descriptions of commands begin with a small one. */
export function firstToUpper(sentence: string): string {
  return sentence.slice(0, 1).toUpperCase() + sentence.slice(1);
}
