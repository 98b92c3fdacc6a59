import { GitMemError } from '../../errors.ts';
import type { Command, Context } from '../../surfaces/cli/command.ts';
import { printChecks } from '../../surfaces/cli/commands/doctor.ts';
import { dateGiven } from '../../surfaces/cli/filter-options.ts';
import { portNumber, wholeNumber } from '../../surfaces/cli/option-values.ts';
import { minute, oneLine, printJson, shown } from '../../surfaces/cli/print.ts';
import { withProgress } from '../../surfaces/cli/progress.ts';
import type { SyncedRepository } from '../ingest/ingestion.ts';
import { hubOptions, type HubOptions as Options, registerToken, useHub as use, withHub } from './tokens.ts';

export function register(program: Command, context: Context): void {
  const hub = program
    .command('hub')
    .description("an organisation's memories in one place: people and agents search what they may read")
    .notes(`
A hub is an index of many repositories' committed memories: on PGlite in a folder for trying, on PostgreSQL for many.

It needs packages that git-mem does not include, installed beside it:
  npm install --global umzug@3 @electric-sql/pglite@0.5.14    without a server
  npm install --global umzug@3 pg@8                           PostgreSQL 15 or later

Examples:
  git mem hub serve --config hub.yaml       on the configured database, else PGlite in a folder
  git mem hub token create ci --scope read --days 90 --config hub.yaml
  git mem hub audit --who github:ada --since yesterday --config hub.yaml`);
  registerServe(hub, context);
  registerSync(hub, context);
  registerWorker(hub, context);
  registerDoctor(hub, context);
  registerStatus(hub, context);
  registerAudit(hub, context);
  registerToken(hub, context);
}

function registerServe(hub: Command, context: Context): void {
  hubOptions(hub.command('serve').description('serve pages, the API and the tools of agents'))
    .option('--port <n>', 'this port instead of the configured one', portNumber)
    .notes(`
It listens on this machine only unless server.host says otherwise, and writes a JSON line for each request to standard
error. SIGTERM and Ctrl-C end it once running requests are answered.

Examples:
  git mem hub serve --config hub.yaml
  GIT_MEM_HUB_DATABASE=postgres://hub@db/hub git mem hub serve --config hub.yaml --port 8080`)
    .action(async ({ json = false, ...options }: Options & { port?: number }) => {
      const served = await use(({ serveHub }) => serveHub(context, options));
      if (json) printJson(context.stdout, { url: served.url });
      else context.stdout.write(`${served.url}\n`);
      await new Promise<void>((done) => endOnSignal(() => void served.close().then(done)));
    });
}

/** Time allowed for shutting down, in milliseconds: less than the ten seconds after which `docker stop` kills. */
const ENDING_MS = 9000;

/** Shuts down on SIGTERM or Ctrl-C; a step that takes too long is abandoned, and none of its work is committed. */
function endOnSignal(close: () => void): void {
  const end = () => {
    close();
    setTimeout(() => process.exit(0), ENDING_MS).unref();
  };
  process.once('SIGINT', end).once('SIGTERM', end);
}

function registerSync(hub: Command, context: Context): void {
  hubOptions(hub.command('sync').description('bring the index up to date with the repositories, and end'))
    .argument('[repository...]', 'only these; all of them otherwise')
    .notes(`
A repository whose default branch did not move costs one request to its server. It may be interrupted at any moment:
what is done is done, and the next sync does the rest.

Examples:
  git mem hub sync --config hub.yaml
  git mem hub sync payments/api --config hub.yaml`)
    .action(async (names: string[], options: Options) => {
      const done: SyncedRepository[] = [];
      await withProgress(context, options.json === true, (show) => {
        const onSynced = (one: SyncedRepository) => {
          done.push(one);
          show(`${done.length} synced, ${one.name}`);
        };
        return withHub(context, options, async (hub) => {
          for (const name of names) {
            if (await hub.requestSync(name)) continue;
            throw new GitMemError('bad-input', `The hub has no repository ${name.slice(0, 200)}.`, {
              hint: '`git mem hub status` lists them.',
            });
          }
          await hub.sync({ ...(names.length === 0 ? { all: true } : { names }), onSynced });
        });
      });
      const failed = done.filter(({ problem }) => problem !== undefined);
      if (failed.length > 0) context.setExitCode(1);
      if (options.json) return printJson(context.stdout, { repositories: done });
      for (const { name, problem = '' } of failed) context.stderr.write(`${shown(name)}: ${shown(problem)}\n`);
      const changed = done.filter((one) => one.changed).length;
      context.stdout.write(`${done.length} repositories checked, ${changed} changed, ${failed.length} failed.\n`);
    });
}

function registerDoctor(hub: Command, context: Context): void {
  hubOptions(hub.command('doctor').description('show what is wrong with the hub and how to fix it'))
    .notes('\nExample:\n  git mem hub doctor --config hub.yaml')
    .action(async (options: Options) => {
      printChecks(context, await use(({ examine }) => examine(context, options)), { ...options, all: true });
    });
}

function registerWorker(hub: Command, context: Context): void {
  const description = 'sync what waits, until it is stopped; run any number of them, on any machines';
  hubOptions(hub.command('worker').description(description))
    .notes(`
On PGlite \`serve\` does it, since the database is in its process.

Example:
  git mem hub worker --config hub.yaml`)
    .action(async (options: Options) => {
      const worker = await use(({ workFor }) => workFor(context, options));
      endOnSignal(() => worker.close());
      await use(() => worker.ended);
    });
}

function registerStatus(hub: Command, context: Context): void {
  hubOptions(hub.command('status').description('the state of each repository’s sync'))
    .notes('\nExample:\n  git mem hub status --config hub.yaml')
    .action(async (options: Options) => {
      const status = await withHub(context, options, (hub) => hub.status());
      if (options.json) return printJson(context.stdout, status);
      for (const { name, records, withheld, withheldBy, syncedAt, syncMs, problem } of status.repositories) {
        const synced = syncedAt && `synced ${minute(syncedAt.toISOString())}, last update took ${syncMs} ms`;
        const by = withheldBy.length === 0 ? '' : ` (redacted by ${withheldBy.join(', ')})`;
        const less = withheld === 0 ? '' : `, ${withheld} withheld${shown(by)}`;
        const said = [shown(name), `${records} records${less}`, synced ?? 'never synced', problem && shown(problem)];
        context.stdout.write(`${said.filter(Boolean).join('  ')}\n`);
      }
      if (status.repositories.some(({ failures }) => failures > 0)) context.setExitCode(1);
    });
}

interface AuditOptions extends Options {
  who?: string;
  since?: Date;
  until?: Date;
  slowest?: boolean;
  limit: number;
}

/** Default of `--limit`: a few screens of the newest lines. */
const LIMIT = 100;

/** Adds `git mem hub audit`. */
function registerAudit(hub: Command, context: Context): void {
  const date = (end: 'start' | 'end') => (text: string) => new Date(dateGiven(text, end, context.now()));
  hubOptions(hub.command('audit').description('who searched, listed and read what, newest first'))
    .option('--who <person>', 'only this subject (github:ada) or name')
    .option('--since <date>', 'not before this day or time (2026-11-20, 2026-11, yesterday)', date('start'))
    .option('--until <date>', 'not after this day or time', date('end'))
    .option('--slowest', 'the slowest answers first, with how long they took')
    .option('-n, --limit <n>', 'at most this many', wholeNumber, LIMIT)
    .notes(`
A line is written before the answer leaves. What is older than audit.days in hub.yaml is removed, here and by the server.

Examples:
  git mem hub audit --config hub.yaml
  git mem hub audit --who github:ada --since yesterday --json --config hub.yaml`)
    .action(async ({ limit: most, config, json, ...filter }: AuditOptions) => {
      const lines = await withHub(context, { config }, async (hub, { audit: { days } }) => {
        await hub.retain(new Date(context.now().getTime() - days * 86_400_000));
        return hub.audit({ ...filter, most });
      });
      if (json) return printJson(context.stdout, { lines });
      for (const { at, who, action, subject, repositories, ms } of lines) {
        const when = at.toISOString().slice(0, 19).replace('T', ' ');
        const time = filter.slowest && ms !== null ? `  ${ms} ms` : '';
        const where = repositories.length === 0 ? '' : `  (${repositories.join(', ')})`;
        const said = [when, shown(who?.subject ?? '-'), action, oneLine(subject)].join('  ');
        context.stdout.write(`${said}${time}${shown(where)}\n`);
      }
    });
}
