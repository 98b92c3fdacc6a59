import { InvalidArgumentError, Option } from 'commander';
import { TOKEN_SCOPES, type TokenScope } from '../../hub/port-operation.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { hubOptions, type HubOptions as Options, useHub as use } from './hub-options.ts';
import { wholeNumber } from './option-values.ts';
import { printJson, shown } from './print.ts';

/** Adds `git mem hub token`. */
export function registerToken(hub: Command, context: Context): void {
  const token = hub
    .command('token')
    .description('tokens of services: agents, jobs, metrics')
    .notes(`
Examples:
  git mem hub token create ci --days 90 --config hub.yaml
  git mem hub token list --config hub.yaml
  git mem hub token revoke 3f9a1c2e --config hub.yaml`);
  hubOptions(
    token.command('create').description('make one, and print its secret once').argument('<name>', 'of the service'),
  )
    .addOption(
      new Option('--scope <scope>', 'what it may do; repeat for several')
        .argParser((value: string, before: TokenScope[] | undefined) => [...(before ?? []), scopeOf(value)])
        .default(undefined, 'read'),
    )
    .option('--days <n>', 'how long it counts', wholeNumber, 90)
    .notes(`
It may read what \`access\` in hub.yaml says of service:NAME.

Examples:
  git mem hub token create ci --config hub.yaml
  git mem hub token create grafana --scope metrics --days 365 --config hub.yaml`)
    .action(async (name: string, options: Options & { scope?: TokenScope[]; days: number }) => {
      const scopes = options.scope ?? ['read'];
      const made = await use(({ createToken }) => createToken(context, { ...options, name, scopes }));
      if (options.json) return printJson(context.stdout, made);
      context.stdout.write(`${made.secret}\n`);
      context.stderr.write(`Token ${made.id} of service:${shown(name)} counts until ${made.expires.slice(0, 10)}.\n`);
    });
  hubOptions(token.command('list').description('list them, without their secrets'))
    .notes('\nExample:\n  git mem hub token list --config hub.yaml')
    .action(async (options: Options) => {
      const tokens = await use(({ listTokens }) => listTokens(context, options));
      if (options.json) return printJson(context.stdout, { tokens });
      for (const { id, name, scopes, expires, used } of tokens) {
        const last = used === null ? 'never used' : `used ${used.slice(0, 10)}`;
        context.stdout.write(`${id}  ${shown(name)}  ${scopes.join(', ')}  until ${expires.slice(0, 10)}  ${last}\n`);
      }
    });
  hubOptions(token.command('revoke').description('end one at once').argument('<id>', 'as the list gives it'))
    .notes('\nExample:\n  git mem hub token revoke 3f9a1c2e --config hub.yaml')
    .action(async (id: string, options: Options) => {
      await use(({ revokeToken }) => revokeToken(context, { ...options, id }));
      if (options.json) return printJson(context.stdout, { revoked: id });
      context.stdout.write(`Token ${shown(id)} is revoked.\n`);
    });
}

function scopeOf(text: string): TokenScope {
  const found = TOKEN_SCOPES.find((one) => one === text);
  if (found !== undefined) return found;
  throw new InvalidArgumentError(`Scopes are ${TOKEN_SCOPES.join(', ')}.`);
}
