import { Command as Commander } from 'commander';

/** A command of the program. */
export class Command extends Commander {
  override createCommand(name?: string): Command {
    return new Command(name);
  }

  /** Sets what the help says below the options; it begins with a line feed. */
  notes(text: string): this {
    return this.addHelpText('after', text);
  }
}
