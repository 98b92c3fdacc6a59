import type { Command } from 'commander';

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
