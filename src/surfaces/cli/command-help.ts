import type { Command } from 'commander';

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
