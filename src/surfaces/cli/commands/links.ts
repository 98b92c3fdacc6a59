import { GitMemError } from '../../../errors.ts';
import { fetchLink, readFetched } from '../../../exchange/links/clone.ts';
import { type Link, readLinks } from '../../../exchange/links/link.ts';
import { openLink } from '../../../exchange/links/sources.ts';
import { counted } from '../../../quantities.ts';
import { withCache } from '../../../recall/index/cache.ts';
import type { Command, Context } from '../command.ts';
import { minute, printJson, shown } from '../print.ts';
import { withProgress } from '../progress-bar.ts';

export function register(program: Command, context: Context): void {
  const links = program
    .command('links')
    .description('other repositories whose memory can be searched')
    .option('--json', 'print JSON')
    .notes(`
Links are entries of your own settings, a path or a URL each, pinned to a commit where you like:
  links: ["~/src/platform", {url: "https://git.example.com/lib.git", name: lib, at: "1a2b3c4d"}]
They are only read, and only when asked for; they are never injected.

Examples:
  git mem links                       what is linked, and how old it is
  git mem links update                fetch what has a URL
  git mem links update lib            only this one
  git mem search retry --linked       search them too
  git mem show lib:k3v9               one record of lib`)
    .action(async ({ json = false }: { json?: boolean }) => list(context, json));
  links
    .command('update')
    .description('fetch the memory of repositories that have a URL')
    .argument('[name...]', 'only these links')
    .option('--json', 'print JSON')
    .notes(`
This is the only command that uses the network for links: https, ssh, git and file URLs, as git itself does, without
asking for passwords.

Examples:
  git mem links update
  git mem links update lib`)
    .action(async (names: string[], { json = false }: { json?: boolean }, command: Command) => {
      // The parent command also has this option, and takes it if it comes first.
      await update(context, names, json || command.optsWithGlobals<{ json?: boolean }>().json === true);
    });
}

async function list(context: Context, json: boolean): Promise<void> {
  const { links, problems } = linksOf(context);
  const views = await Promise.all(links.map((link) => viewOf(link, context)));
  if (json) return printJson(context.stdout, { links: views, problems });
  for (const problem of problems) context.stderr.write(`${shown(problem)}\n`);
  if (views.length === 0) context.stderr.write('No repository is linked: `git mem links --help` shows how.\n');
  const { style } = context;
  const width = Math.max(0, ...views.map(({ name }) => name.length));
  for (const { name, source, pinned, commit, records, updated, problem } of views) {
    const at = commit === null ? '' : ` at ${commit.slice(0, 10)}${pinned === null ? '' : ' (pinned)'}`;
    const known = records === null ? '' : `, ${counted(records, 'record')}`;
    const when = updated === null ? '' : `, updated ${minute(updated)}`;
    context.stdout.write(`${style('yellow', name.padEnd(width))} ${shown(source)}${at}${known}${when}\n`);
    if (problem !== null) context.stderr.write(`${shown(problem)}\n`);
  }
}

async function update(context: Context, names: string[], json: boolean): Promise<void> {
  const { links, problems } = linksOf(context);
  const unknown = names.find((name) => links.every((link) => link.name !== name));
  if (unknown !== undefined) {
    throw new GitMemError('bad-input', `There is no link called "${unknown}".`, {
      hint: '`git mem links` lists them.',
    });
  }
  const wanted = links.filter(({ name }) => names.length === 0 || names.includes(name));
  const results: { name: string; changed: boolean; problem: string | null }[] = [];
  for (const problem of problems) context.stderr.write(`${shown(problem)}\n`);
  for (const link of wanted) {
    if (!('url' in link.place)) {
      if (names.length > 0) context.stderr.write(`${link.name} is a path: it is read as it is, and never fetched.\n`);
      continue;
    }
    results.push({ name: link.name, ...(await updated({ ...link, place: link.place }, context, json)) });
  }
  if (json) printJson(context.stdout, { links: results });
  if (problems.length > 0 || results.some(({ problem }) => problem !== null)) context.setExitCode(1);
  if (results.length === 0 && names.length === 0)
    context.stderr.write('No link has a URL: there is nothing to fetch.\n');
}

/** Fetches one link; a failure is printed, and the others are still fetched. */
async function updated(
  link: Link & { place: { url: string } },
  context: Context,
  isSilent: boolean,
): Promise<{ changed: boolean; problem: string | null }> {
  const { stderr, env } = context;
  try {
    const { changed } = await withProgress(context, isSilent, (show) =>
      fetchLink(link, env, { now: context.now(), onProgress: (line) => show(`${link.name}: ${line}`) }),
    );
    const opened = changed ? await openLink(link, env) : undefined;
    // Saves the first search from building the index.
    if (opened && 'workspace' in opened) await withCache(opened.workspace, (cache) => cache.sync());
    if (!isSilent) stderr.write(`${link.name} ${changed ? 'was fetched' : 'is up to date'}.\n`);
    return { changed, problem: null };
  } catch (error) {
    if (!(error instanceof GitMemError)) throw error;
    stderr.write(`${shown(`${link.name}: ${error.message}`)}\n${error.hint ? `${shown(error.hint)}\n` : ''}`);
    return { changed: false, problem: error.message };
  }
}

/** A link in the listing; null for what is not known. Keys are stable, more may be added. */
async function viewOf(link: Link, { env }: Context) {
  const { name, source, place, at } = link;
  const opened = await openLink(link, env);
  const workspace = 'workspace' in opened ? opened.workspace : undefined;
  return {
    name,
    source,
    kind: 'url' in place ? 'url' : 'path',
    // The commit in the settings, and the one whose memory is read: none of a working tree.
    pinned: at ?? null,
    commit: workspace?.at ?? null,
    records: workspace ? [...workspace.stores.team.newest('observation', 'summary')].length : null,
    updated: ('url' in place && readFetched(link)?.updated) || null,
    problem: 'problem' in opened ? opened.problem : null,
  };
}

/** The links in the settings, with their problems. */
function linksOf(context: Context): { links: Link[]; problems: string[] } {
  const { config, warnings } = context.project().config();
  const { links, problems } = readLinks(config.links, context.env);
  return { links, problems: [...warnings.filter((warning) => warning.includes('"links"')), ...problems] };
}
