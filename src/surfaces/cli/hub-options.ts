import { GitMemError } from '../../errors.ts';
import type { Command } from './command.ts';

/** Uses the hub, a bundle of its own that nobody else loads. */
export async function useHub<T>(what: (hub: typeof import('../hub/entry.ts')) => Promise<T>): Promise<T> {
  try {
    return await what(await import('../hub/entry.ts'));
  } catch (error) {
    // The bundle has this class once more, and its errors are expected ones here too.
    if (error instanceof Error && error.name === 'GitMemError') Object.setPrototypeOf(error, GitMemError.prototype);
    throw error;
  }
}

/** What every command of the hub is given. */
export interface HubOptions {
  config: string;
  database?: string;
  json?: boolean;
}

export function hubOptions(command: Command): Command {
  return command
    .requiredOption('--config <file>', 'hub.yaml')
    .option('--database <url>', 'postgres://…; without it as the configuration says, else PGlite in its folder')
    .option('--json', 'print JSON');
}
