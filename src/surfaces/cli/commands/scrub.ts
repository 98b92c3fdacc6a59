import { GitMemError } from '../../../errors.ts';
import { runGit } from '../../../git/objects.ts';
import { isId, resolveId } from '../../../memory/id.ts';
import { activeRedactions } from '../../../provenance/redactions.ts';
import { counted } from '../../../quantities.ts';
import { planOf, type Step } from '../../../review/scrub/plan.ts';
import { type Elsewhere, findElsewhere, findTraces, type Holder, type Traces } from '../../../review/scrub/traces.ts';
import { type Context, define, type Flags, type Register } from '../command.ts';
import { shown } from '../print.ts';

const NOTHING: Traces = {
  blobs: [],
  holders: [],
  files: [],
  own: [],
  commits: [],
  tags: [],
  personal: [],
  worktrees: [],
  remotes: [],
  isShallow: false,
};

export const register: Register = (program, context) =>
  define(program, 'scrub', 'show how to remove redacted records from the history, and whether any is left')
    .argument('[id...]', 'redacted records; without any, all of them')
    .option('--verify', 'only show what is left')
    .jsonAndNotes(`
Nothing is rewritten or deleted here: the plan is for a person to run. Exits with 1 as long as any branch, tag, stash,
reflog or index of this clone reaches a file that a redacted record ever had, a working tree has such a file, or a message
of a commit or tag, a note of git-mem's or your personal store says one of its sentences.
Other files that hold the same words are listed as well, here and in history, as long as a record's own file still shows
which words these are: look at them first.

Examples:
  git mem redact k3v9
  git mem scrub k3v9            what holds it, and what to do
  git mem scrub --verify        afterwards`)
    .action(async (given: string[], options: Flags<'verify' | 'json'>) => {
      const { workspace } = context.project();
      const { layout, checkout, env } = workspace;
      const redacted = [...(await activeRedactions(workspace)).ids].filter(isId);
      const ids = given.length === 0 ? redacted : [...new Set(given.map((prefix) => resolved(prefix, redacted)))];
      if (context.stderr.isTTY && ids.length > 0) context.say('Looking through all of the history ...');
      const traces = ids.length === 0 ? NOTHING : await findTraces(workspace, ids);
      const { blobs, holders, files, own, commits, tags, personal, remotes } = traces;
      const isLeft = [blobs, files, own, commits, tags, personal].some(({ length }) => length > 0);
      const elsewhere = isLeft ? await findElsewhere(workspace, traces, ids) : { copies: [], blobs: [] };
      if (isLeft) context.setExitCode(1);
      let plan: Step[] = [];
      if (isLeft && !options.verify) {
        const hasFilterRepo = (await runGit(checkout.root, ['filter-repo', '--version'], env)) !== undefined;
        plan = planOf(traces, ids, { places: layout, hasFilterRepo, elsewhere });
      }
      if (options.json) {
        const left = { blobs, holders, files, own, commits, tags, personal };
        return context.json({ ok: !isLeft, ids, ...left, elsewhere, remotes, plan });
      }
      if (ids.length === 0) context.stdout.write('Nothing is redacted.\n');
      else if (!isLeft) printClean(ids, context);
      else printTraces(traces, elsewhere, plan, context);
    });

function resolved(prefix: string, redacted: string[]): string {
  try {
    return resolveId(prefix, redacted);
  } catch (error) {
    if (!(error instanceof GitMemError) || error.code !== 'no-such-record') throw error;
    throw new GitMemError('no-such-record', `No redacted record has an id that starts with "${prefix}".`, {
      hint: `\`git mem redact ${prefix}\` hides a record; then its traces can be found.`,
      cause: error,
    });
  }
}

function printClean(ids: string[], { stdout, stderr }: Context): void {
  stdout.write(
    `Nothing is left of ${ids.join(', ')}: no branch, tag, stash, reflog, index or message of this clone has it, nor do git-mem's notes or your personal store.\n`,
  );
  stderr.write('Other clones, forks and remotes were not searched.\n');
}

function printTraces(
  { blobs, holders, files, own, commits, tags, personal, isShallow }: Traces,
  elsewhere: Elsewhere,
  plan: Step[],
  { stdout, style }: Context,
): void {
  const lines: string[] = [];
  const section = (title: string, entries: string[]) => {
    if (entries.length > 0) lines.push(style('bold', title), ...entries.map((one) => `  ${shown(one)}`));
  };
  const blobLine = ({ blob, paths }: Elsewhere['blobs'][number]) => `${blob}  ${paths.join(', ')}`;
  section(`git still reaches ${counted(blobs.length, 'blob')}:`, blobs.map(blobLine));
  section('Messages of commits and tags say it:', [...commits, ...tags]);
  section('Through:', blobs.length + commits.length > 0 ? holders.map(labelOf) : []);
  section('These files are in working trees or in the private store:', files);
  section('Notes of git and git-mem name it, or say it again:', own);
  section('Your personal store says it:', personal);
  section('The same text is elsewhere too:', [...elsewhere.copies, ...elsewhere.blobs.map(blobLine)]);
  if (isShallow) lines.push('This clone is shallow: what is older than its history was not searched.');
  for (const [i, { about, commands }] of plan.entries()) {
    lines.push('', style('bold', `${i + 1}. ${about}`));
    for (const command of commands) lines.push(`   ${shown(command)}`);
  }
  stdout.write(`${lines.join('\n')}\n`);
}

function labelOf({ kind, name }: Holder): string {
  switch (kind) {
    case 'ref':
      return name;
    case 'head':
      return `the detached HEAD of ${name}`;
    case 'index':
      return `the index of ${name}`;
    case 'stash':
      return 'the stashes';
    case 'reflog':
      return 'the reflogs';
    default:
      return kind satisfies never;
  }
}
