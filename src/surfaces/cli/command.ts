import { Command as Commander } from 'commander';
import type { Project } from '../../project.ts';
import type { Environment } from '../../user-folders.ts';
import type { FilterOptions } from './option-values.ts';
import type { Styling } from './print.ts';

/** A command of the program. */
export class Command extends Commander {
  override createCommand(name?: string): Command {
    return new Command(name);
  }

  /** Sets what the help says below the options; it begins with a line feed. */
  notes(text: string): this {
    return this.addHelpText('after', text);
  }

  /** The same with the option `--json`, which is the last one of every command. */
  jsonAndNotes(text: string): this {
    return this.option('--json', 'print JSON').notes(text);
  }
}

/** What commands use instead of globals. */
export interface Context {
  /** The directory that the command works on: `-C DIR`, else the working directory. */
  cwd: string;
  env: Environment;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  /** Colours text for standard output, if that shows colours. */
  style: Styling;
  now: () => Date;
  /** Opens the repository at `cwd`; throws not-a-repository. */
  project(): Project;
  /** Answers `search --hub`; missing where the program was started without its hub. */
  searchHub?: SearchElsewhere | undefined;
  /** Sets the exit code of a command that did its work and found a problem. */
  setExitCode(code: number): void;
  /** Prints a sentence besides the data, safe for a terminal. */
  say: (sentence: string) => void;
  /** Prints data for programs. */
  json: (value: unknown) => void;
  /** Ends the process as soon as the output is written, whatever is still running. */
  leave(): void;
}

/** Asks something other than this checkout, and prints the answer. */
export type SearchElsewhere = (
  context: Context,
  query: string,
  options: FilterOptions & { limit: number; json: boolean },
) => Promise<void>;

/** Adds the commands of a file to the program. */
export type Register = (program: Command, context: Context) => void;

export function define(parent: Command, name: string, about: string): Command {
  return parent.command(name).description(about);
}

/** Options that are given or not, and those with a text. */
export type Flags<Key extends string> = { [K in Key]?: boolean };
export type Texts<Key extends string> = { [K in Key]?: string };
