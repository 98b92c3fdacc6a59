import { type Command, InvalidArgumentError, Option } from 'commander';
import { GitMemError } from '../../../errors.ts';
import { type SyncedRepository, TOKEN_SCOPES, type TokenScope } from '../../../hub/port.ts';
import type { Context } from '../context.ts';
import { portNumber, wholeNumber } from '../option-values.ts';
import { printJson, shown } from '../print.ts';
import { printChecks } from '../printed-checks.ts';
import { createProgressLine } from '../progress-bar.ts';

/** Uses the hub, a bundle of its own that nobody else loads. */
async function use<T>(what: (hub: typeof import('../../hub/entry.ts')) => Promise<T>): Promise<T> {
  try {
    return await what(await import('../../hub/entry.ts'));
  } catch (error) {
    // The bundle has this class once more, and its errors are expected ones here too.
    if (error instanceof Error && error.name === 'GitMemError') Object.setPrototypeOf(error, GitMemError.prototype);
    throw error;
  }
}

interface Options {
  config: string;
  database?: string;
  json?: boolean;
}

export function register(program: Command, context: Context): void {
  const hub = program
    .command('hub')
    .description("an organisation's memories in one place: people and agents search what they may read")
    .addHelpText(
      'after',
      `
A hub is an index of many repositories' committed memories: on PGlite in a folder for trying, on PostgreSQL for many.

It needs packages that git-mem does not bring, installed beside it:
  npm install umzug@3 @electric-sql/pglite@0.5.14    without a server
  npm install umzug@3 pg@8                                                                PostgreSQL 15 or later

Examples:
  git mem hub serve --config hub.yaml                             PGlite in a folder, or the configured database
  git mem hub serve --config hub.yaml --database postgres://hub@db/hub
  git mem hub token create ci --scope read --days 90 --config hub.yaml`,
    );
  registerServe(hub, context);
  registerSync(hub, context);
  registerWorker(hub, context);
  registerDoctor(hub, context);
  registerStatus(hub, context);
  registerToken(hub, context);
  registerRights(hub, context);
}

/** The options that every command of the hub has. */
function hubOptions(command: Command): Command {
  return command
    .requiredOption('--config <file>', 'hub.yaml')
    .option('--database <url>', 'postgres://…; without it as the configuration says, else PGlite in its folder')
    .option('--json', 'print JSON');
}

function registerServe(hub: Command, context: Context): void {
  hubOptions(hub.command('serve').description('serve pages, the API and the tools of agents'))
    .option('--port <n>', 'this port instead of the configured one', portNumber)
    .addHelpText(
      'after',
      `
It listens on this machine only unless server.host says otherwise, and writes a JSON line for each request to standard
error. SIGTERM and Ctrl-C end it when what was begun is answered.

Examples:
  git mem hub serve --config hub.yaml
  git mem hub serve --config hub.yaml --database postgres://hub@db/hub --port 8080`,
    )
    .action(async ({ json = false, ...options }: Options & { port?: number }) => {
      const served = await use(({ serveHub }) => serveHub(context, options));
      if (json) printJson(context.stdout, { url: served.url });
      else context.stdout.write(`${served.url}\n`);
      process.once('SIGINT', () => void served.close()).once('SIGTERM', () => void served.close());
      await served.ended;
    });
}

function registerSync(hub: Command, context: Context): void {
  hubOptions(hub.command('sync').description('bring the index up to date with the repositories, and end'))
    .argument('[repository...]', 'only these; all of them otherwise')
    .addHelpText(
      'after',
      `
A repository whose default branch did not move costs one question to its server. It may be interrupted at any moment:
what is done is done, and the next sync does the rest.

Examples:
  git mem hub sync --config hub.yaml
  git mem hub sync payments/api --config hub.yaml`,
    )
    .action(async (names: string[], options: Options) => {
      const progress = createProgressLine(context, options.json === true);
      const done: SyncedRepository[] = [];
      await use(({ syncOnce }) => {
        const onSynced = (one: SyncedRepository) => {
          done.push(one);
          progress.show(`${done.length} synced, ${shown(one.name)}`.slice(0, 70));
        };
        return syncOnce(context, { ...options, names, onSynced });
      }).finally(() => progress.clear());
      const failed = done.filter(({ problem }) => problem !== undefined);
      if (failed.length > 0) context.setExitCode(1);
      if (options.json) return printJson(context.stdout, { repositories: done });
      for (const { name, problem = '' } of failed) context.stderr.write(`${shown(name)}: ${shown(problem)}\n`);
      const changed = done.filter((one) => one.changed).length;
      context.stdout.write(`${done.length} repositories looked at, ${changed} changed, ${failed.length} failed.\n`);
    });
}

function registerDoctor(hub: Command, context: Context): void {
  hubOptions(hub.command('doctor').description('show what is wrong with the hub and how to fix it'))
    .addHelpText('after', '\nExample:\n  git mem hub doctor --config hub.yaml')
    .action(async (options: Options) => {
      printChecks(context, await use(({ examine }) => examine(context, options)), options);
    });
}

function registerWorker(hub: Command, context: Context): void {
  hubOptions(
    hub.command('worker').description('sync what waits, until it is stopped; any number of them on any machines'),
  )
    .addHelpText(
      'after',
      `
On PGlite \`serve\` does it, since the database is in its process.

Example:
  git mem hub worker --config hub.yaml --database postgres://hub@db/hub`,
    )
    .action(async (options: Options) => {
      const worker = await use(({ workFor }) => workFor(context, options));
      process.once('SIGINT', () => worker.close()).once('SIGTERM', () => worker.close());
      await use(() => worker.ended);
    });
}

function registerStatus(hub: Command, context: Context): void {
  hubOptions(hub.command('status').description('the state of each repository’s sync'))
    .addHelpText('after', '\nExample:\n  git mem hub status --config hub.yaml')
    .action(async (options: Options) => {
      const status = await use(({ statusOf }) => statusOf(context, options));
      if (options.json) return printJson(context.stdout, status);
      for (const { name, records, syncedAt, problem } of status.repositories) {
        const when =
          syncedAt === undefined ? 'never synced' : `synced ${syncedAt.toISOString().slice(0, 16).replace('T', ' ')}`;
        context.stdout.write(`${shown(name)}  ${records} records  ${when}${problem ? `  ${shown(problem)}` : ''}\n`);
      }
      if (status.repositories.some(({ failures }) => failures > 0)) context.setExitCode(1);
    });
}

function registerToken(hub: Command, context: Context): void {
  const token = hub
    .command('token')
    .description('tokens of services: agents, jobs, metrics')
    .addHelpText(
      'after',
      `
Examples:
  git mem hub token create ci --days 90 --config hub.yaml
  git mem hub token list --config hub.yaml
  git mem hub token revoke 3f9a1c2e --config hub.yaml`,
    );
  hubOptions(
    token.command('create').description('make one, and print its secret once').argument('<name>', 'of the service'),
  )
    .addOption(
      new Option('--scope <scope>', 'what it may do; repeat for several')
        .argParser((value: string, before: TokenScope[] | undefined) => [...(before ?? []), scopeOf(value)])
        .default(undefined, 'read'),
    )
    .option('--days <n>', 'how long it counts', wholeNumber, 90)
    .addHelpText(
      'after',
      `
It may read what \`access\` in hub.yaml says of service:NAME.

Examples:
  git mem hub token create ci --config hub.yaml
  git mem hub token create grafana --scope metrics --days 365 --config hub.yaml`,
    )
    .action(async (name: string, options: Options & { scope?: TokenScope[]; days: number }) => {
      const scopes = options.scope ?? ['read'];
      const made = await use(({ createToken }) => createToken(context, { ...options, name, scopes }));
      if (options.json) return printJson(context.stdout, made);
      context.stdout.write(`${made.secret}\n`);
      context.stderr.write(`Token ${made.id} of service:${shown(name)} counts until ${made.expires.slice(0, 10)}.\n`);
    });
  hubOptions(token.command('list').description('list them, without their secrets'))
    .addHelpText('after', '\nExample:\n  git mem hub token list --config hub.yaml')
    .action(async (options: Options) => {
      const tokens = await use(({ listTokens }) => listTokens(context, options));
      if (options.json) return printJson(context.stdout, { tokens });
      for (const { id, name, scopes, expires, used } of tokens) {
        const last = used === null ? 'never used' : `used ${used.slice(0, 10)}`;
        context.stdout.write(`${id}  ${shown(name)}  ${scopes.join(', ')}  until ${expires.slice(0, 10)}  ${last}\n`);
      }
    });
  hubOptions(token.command('revoke').description('end one at once').argument('<id>', 'as the list gives it'))
    .addHelpText('after', '\nExample:\n  git mem hub token revoke 3f9a1c2e --config hub.yaml')
    .action(async (id: string, options: Options) => {
      await use(({ revokeToken }) => revokeToken(context, { ...options, id }));
      if (options.json) return printJson(context.stdout, { revoked: id });
      context.stdout.write(`Token ${shown(id)} is revoked.\n`);
    });
}

function registerRights(hub: Command, context: Context): void {
  hubOptions(hub.command('rights').description('ask once who may read what, as the server does every ten minutes'))
    .addHelpText('after', '\nExample:\n  git mem hub rights --config hub.yaml')
    .action(async (options: Options) => {
      const { confirmed, problems } = await use(({ confirmOnce }) => confirmOnce(context, options));
      if (options.json) printJson(context.stdout, { confirmed, problems });
      else context.stdout.write(`The readers of ${confirmed} repositories are confirmed by their code hosts.\n`);
      for (const problem of options.json ? [] : problems) context.stderr.write(`${shown(problem)}\n`);
      if (problems.length > 0) context.setExitCode(1);
    });
}

function scopeOf(text: string): TokenScope {
  const found = TOKEN_SCOPES.find((one) => one === text);
  if (found !== undefined) return found;
  throw new InvalidArgumentError(`Scopes are ${TOKEN_SCOPES.join(', ')}.`);
}
