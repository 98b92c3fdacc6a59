import { Option } from 'commander';
import { type Annotation, githubCommands, sarifLog } from '../../review/annotation.ts';
import type { Command, Flags } from './command.ts';
import { printJson } from './print.ts';

/** Output formats of a review, besides plain text for people. */
const FORMATS = ['text', 'md', 'json', 'sarif', 'github'] as const;

/** The options that name one. */
export type ReviewOptions = Flags<'json'> & { format?: (typeof FORMATS)[number] };

/** Adds `--format` and `--json`. */
export function addFormat(command: Command): Command {
  return command
    .addOption(
      new Option('--format <format>', 'text, md (a comment), json, sarif, github (annotations)').choices(FORMATS),
    )
    .option('--json', 'print JSON, as --format json does');
}

/** One review in every format. */
export interface Forms {
  json: unknown;
  annotations: () => Annotation[];
  /** The meaning of each annotation code. */
  codes: Record<string, string>;
  markdown: () => string;
  /** Prints the text for people. */
  text: () => void;
}

/** Prints a review in the format that the options name. */
export function printReview(forms: Forms, { format = 'text', json }: ReviewOptions, stdout: NodeJS.WriteStream): void {
  if (json || format === 'json') printJson(stdout, forms.json);
  else if (format === 'sarif') printJson(stdout, sarifLog(forms.annotations(), forms.codes));
  else if (format === 'github') stdout.write(githubCommands(forms.annotations()));
  else if (format === 'md') stdout.write(forms.markdown());
  else forms.text();
}
