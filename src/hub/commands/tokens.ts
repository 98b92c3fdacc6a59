import { InvalidArgumentError, Option } from 'commander';
import { GitMemError } from '../../errors.ts';
import type { Command, Context } from '../../surfaces/cli/command.ts';
import { wholeNumber } from '../../surfaces/cli/option-values.ts';
import { printJson, shown } from '../../surfaces/cli/print.ts';
import type { HubConfig } from '../config.ts';
import type { Hub } from '../open.ts';
import { TOKEN_SCOPES, type TokenScope } from '../port.ts';
import type { HubToken } from '../rights/access.ts';

/** Options of every hub command. */
export interface HubOptions {
  config: string;
  json?: boolean;
}

export function hubOptions(command: Command): Command {
  return command.requiredOption('--config <file>', 'hub.yaml').option('--json', 'print JSON');
}

/** Runs `what` with the hub's code, a separate bundle that no other command loads. */
export async function useHub<T>(what: (code: typeof import('../server/entry.ts')) => Promise<T>): Promise<T> {
  try {
    return await what(await import('../server/entry.ts'));
  } catch (error) {
    // The bundle has its own copy of this class; its errors must count as expected ones here too.
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

/** Adds `git mem hub token`. */
export function registerToken(hub: Command, context: Context): void {
  const token = hub
    .command('token')
    .description('tokens of services: agents, jobs, metrics')
    .notes(`
Examples:
  git mem hub token create ci --days 90 --config hub.yaml
  git mem hub token list --config hub.yaml
  git mem hub token revoke m0ee149rdf --config hub.yaml`);
  hubOptions(token.command('create').description('make one, and print its secret once'))
    .argument('<name>', 'of the service')
    .addOption(
      new Option('--scope <scope>', 'what it may do; repeat for several')
        .argParser((value: string, before: TokenScope[] | undefined) => [...(before ?? []), scopeOf(value)])
        .default(undefined, 'read'),
    )
    .option('--days <n>', 'how many days it is valid', wholeNumber, 90)
    .notes(`
It may read what \`access\` in hub.yaml says of service:NAME.

Examples:
  git mem hub token create ci --config hub.yaml
  git mem hub token create grafana --scope metrics --days 365 --config hub.yaml`)
    .action(async (name: string, options: HubOptions & { scope?: TokenScope[]; days: number }) => {
      const scopes = options.scope ?? ['read'];
      const expires = new Date(context.now().getTime() + options.days * 86_400_000);
      const { id, secret } = await withHub(context, options, async (hub) => {
        const principal = await hub.principal(`service:${name}`, name);
        const made = await hub.createToken({ principal, name, scopes, expires });
        await hub.note({ principal, action: 'token-created', subject: made.id });
        return made;
      });
      if (options.json) return printJson(context.stdout, { id, secret, name, scopes, expires });
      context.stdout.write(`${secret}\n`);
      context.stderr.write(`Token ${id} of service:${shown(name)} is valid until ${dayOf(expires)}.\n`);
    });
  hubOptions(token.command('list').description('list them, without their secrets'))
    .notes('\nExample:\n  git mem hub token list --config hub.yaml')
    .action(async (options: HubOptions) => {
      const tokens = await withHub(context, options, (hub) => hub.tokens());
      if (options.json) return printJson(context.stdout, { tokens: tokens.map(viewOf) });
      for (const { id, name, scopes, expires, usedAt } of tokens) {
        const last = usedAt === undefined ? 'never used' : `used ${dayOf(usedAt)}`;
        context.stdout.write(`${id}  ${shown(name)}  ${scopes.join(', ')}  until ${dayOf(expires)}  ${last}\n`);
      }
    });
  hubOptions(token.command('revoke').description('revoke a token immediately').argument('<id>', 'as the list gives it'))
    .notes('\nExample:\n  git mem hub token revoke m0ee149rdf --config hub.yaml')
    .action(async (id: string, options: HubOptions) => {
      await withHub(context, options, async (hub) => {
        if (await hub.revokeToken(id)) return hub.note({ action: 'token-revoked', subject: id });
        const hint = '`git mem hub token list`';
        throw new GitMemError('bad-input', `There is no token ${id.slice(0, 80)}.`, { hint });
      });
      if (options.json) return printJson(context.stdout, { revoked: id });
      context.stdout.write(`Token ${shown(id)} is revoked.\n`);
    });
}

function viewOf({ id, name, scopes, created, expires, usedAt }: HubToken) {
  return { id, name, scopes, created, expires, used: usedAt ?? null };
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function scopeOf(text: string): TokenScope {
  const found = TOKEN_SCOPES.find((one) => one === text);
  if (found !== undefined) return found;
  throw new InvalidArgumentError(`Scopes are ${TOKEN_SCOPES.join(', ')}.`);
}
