import { relative, resolve } from 'node:path';
import { wholeSeconds } from '../../../memory/file-name.ts';
import { type Workspace, workspaceAt } from '../../../memory/store/workspace.ts';
import { bytes, counted } from '../../../quantities.ts';
import { dateOf } from '../../../recall/query/dates.ts';
import type { Command, Context } from '../command.ts';
import { AT } from '../filter-options.ts';
import { printJson, shown } from '../print.ts';
import { withProgressBar } from '../progress-bar.ts';

interface Options {
  out: string;
  title?: string;
  at?: string;
  allTrust?: boolean;
  digest?: string;
  json?: boolean;
}

export function register(program: Command, context: Context): void {
  program
    .command('site')
    .description("write the team's memory as one page, to be read in a browser without git-mem")
    .requiredOption('--out <dir>', 'the folder that gets index.html')
    .option('--title <name>', 'what it is called instead of the repository')
    .option('--at <revision>', AT)
    .option('--all-trust', 'unreviewed and edited records too, each with its badge')
    .option('--digest <date>', 'a page digest.html as well: what was learned since this day')
    .option('--json', 'print the path, the size and the number of records as JSON')
    .notes(`
The page has the feed with filters and search, every record's page and the numbers. It loads nothing, so it works from
any web server, and from a file. It is meant to be published: it holds what .memory has and is trusted here, which in
a fresh clone is what was reviewed. Private records and prompts are never in it, redacted records without what they say,
and what looks like a secret is covered. The same memory at the same commit gives the same bytes.

Examples:
  git mem site --out public
  git mem site --out public --digest "7 days ago"
  git mem site --out public --at v2.0 --title 'Memory of 2.0'

On GitHub Pages, as the steps of a workflow that has installed git-mem (fetch-depth 0 brings the history that pages show):
  - uses: actions/checkout@v5
    with: { fetch-depth: 0 }
  - run: git-mem site --out _site
  - uses: actions/upload-pages-artifact@v4
  - uses: actions/deploy-pages@v4`)
    .action(async (options: Options) => {
      const { siteFile, writeSite } = await import('../../viewer/site.ts');
      const { siteData } = await import('../../viewer/site-data.ts');
      const { coveredData } = await import('../../viewer/covered-data.ts');
      const folder = resolve(context.cwd, options.out);
      // Rejected before the work, not after it.
      siteFile(folder);
      const { workspace } = context.project();
      const then = options.at === undefined ? workspace : await workspaceAt(workspace, options.at);
      const { title, allTrust = false } = options;
      const { data, untrusted } = await siteData(then, { title, everyTrust: allTrust });
      const covered = await withProgressBar(context, options.json === true, (show) =>
        coveredData(data, (done) => show(done, data.records.length)),
      );
      const since = options.digest;
      const digest = since === undefined ? undefined : await digestPage(then, since, context.now());
      const { meta } = covered.data;
      const pages = { ...covered.data, meta: { ...meta, ...(digest && { digest: true as const }) } };
      const { path, bytes: size } = writeSite(folder, pages, digest);
      const records = data.records.length;
      report(context, { untrusted, exposed: covered.exposed });
      if (options.json) return printJson(context.stdout, { path, bytes: size, records });
      const place = relative(context.cwd, path);
      context.stdout.write(`${shown(place)}: ${counted(records, 'record')}, ${bytes(size)}.\n`);
    });
}

/** The digest since a day, as the page beside the site's. */
async function digestPage(workspace: Workspace, since: string, now: Date): Promise<string> {
  const [{ coveredDigest }, { digest }, { digestHtml }] = await Promise.all([
    import('../../viewer/covered-data.ts'),
    import('../../../review/digest.ts'),
    import('../../../review/digest-text.ts'),
  ]);
  const days = { since: dateOf(since, 'start', now), until: wholeSeconds(now) };
  return digestHtml(await coveredDigest(await digest(workspace, days)), 'index.html');
}

function report({ stderr }: Context, { untrusted, exposed }: { untrusted: number; exposed: number }): void {
  if (untrusted > 0) {
    stderr.write(
      `${counted(untrusted, 'record')} left out, because nobody has reviewed them: --all-trust includes them.\n`,
    );
  }
  if (exposed > 0) {
    stderr.write(
      `Secrets in ${counted(exposed, 'record')} are covered. \`git mem check\` says where they are; they are in git.\n`,
    );
  }
}
