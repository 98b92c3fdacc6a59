import { GitMemError } from '../../errors.ts';
import type { Command, Context } from '../../surfaces/cli/command.ts';
import type { HubConfig } from '../config.ts';
import type { Hub } from '../open.ts';

/** What every command of the hub is given. */
export interface HubOptions {
  config: string;
  json?: boolean;
}

export function hubOptions(command: Command): Command {
  return command.requiredOption('--config <file>', 'hub.yaml').option('--json', 'print JSON');
}

/** Uses the hub's code, a bundle of its own that no other command loads. */
export async function useHub<T>(what: (code: typeof import('../server/entry.ts')) => Promise<T>): Promise<T> {
  try {
    return await what(await import('../server/entry.ts'));
  } catch (error) {
    // The bundle has this class once more, and its errors are expected ones here too.
    if (error instanceof Error && error.name === 'GitMemError') Object.setPrototypeOf(error, GitMemError.prototype);
    throw error;
  }
}

/** Opens the hub for one piece of work. */
export function withHub<T>(
  context: Context,
  options: HubOptions,
  work: (hub: Hub, config: HubConfig) => Promise<T>,
): Promise<T> {
  return useHub((code) => code.withHub(context, options, work));
}
