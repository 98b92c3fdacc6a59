import { relative, resolve } from 'node:path';
import { workspaceAt } from '../../../memory/store/workspace.ts';
import { bytes, counted } from '../../../quantities.ts';
import { define, type Flags, type Register, type Texts } from '../command.ts';
import { AT } from '../filter-options.ts';
import { shown } from '../print.ts';
import { withProgress } from '../progress.ts';

type Options = Flags<'json'> & Texts<'at'> & { out: string };

const WHERE = '`git mem check` says where they are; they are in git.';

export const register: Register = (program, context) =>
  define(program, 'site', "write the team's memory as one page, to be read in a browser without git-mem")
    .requiredOption('--out <dir>', 'the folder that gets index.html')
    .option('--at <revision>', AT)
    .option('--json', 'print the path, the size and the number of records as JSON')
    .notes(`
The page has the feed with filters and search, every record's page and the numbers. It loads nothing, so it works from
any web server, and from a file. It is meant to be published: it holds what .memory has and is trusted here, which in
a fresh clone is what was reviewed. Private records and prompts are never in it, redacted records without what they say,
and what looks like a secret is covered. The same memory at the same commit gives the same bytes.

Examples:
  git mem site --out public --at v2.0

On GitHub Pages, as the steps of a workflow that has installed git-mem (fetch-depth 0 brings the history that pages show):
  - uses: actions/checkout@v5
    with: { fetch-depth: 0 }
  - run: git-mem site --out _site
  - uses: actions/upload-pages-artifact@v4
  - uses: actions/deploy-pages@v4`)
    .action(async (options: Options) => {
      const { siteFile, writeSite } = await import('../../viewer/site.ts');
      const { coveredData, siteData } = await import('../../viewer/site-data.ts');
      const folder = resolve(context.cwd, options.out);
      // Rejected before the work, not after it.
      siteFile(folder);
      const { workspace } = context.project();
      const then = options.at === undefined ? workspace : await workspaceAt(workspace, options.at);
      const { data, untrusted } = await siteData(then);
      const records = data.records.length;
      const covered = await withProgress(context, options.json === true, (show) =>
        coveredData(data, (done) => show(`${done} of ${records} records`)),
      );
      const { path, bytes: size } = writeSite(folder, covered.data);
      if (untrusted > 0) context.say(`${counted(untrusted, 'record')} left out, because nobody has reviewed them.`);
      const exposed = counted(covered.exposed, 'record');
      if (covered.exposed > 0) context.say(`Secrets in ${exposed} are covered. ${WHERE}`);
      if (options.json) return context.json({ path, bytes: size, records });
      const place = relative(context.cwd, path);
      context.stdout.write(`${shown(place)}: ${counted(records, 'record')}, ${bytes(size)}.\n`);
    });
