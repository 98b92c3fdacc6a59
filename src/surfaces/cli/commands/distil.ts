import { InvalidArgumentError } from 'commander';
import { GitMemError } from '../../../errors.ts';
import { answersIn, type Discussion, discussionIn } from '../../../exchange/distil/discussion.ts';
import type { Distilled } from '../../../exchange/distil/distil.ts';
import { discussionOf, forgeIn, requestOf } from '../../../exchange/distil/forge.ts';
import { propose } from '../../../exchange/distil/propose.ts';
import { readHead } from '../../../git/locate.ts';
import type { Project } from '../../../project.ts';
import { foldersOf } from '../../../recall/query/store-folders.ts';
import type { Command, Context } from '../command.ts';
import { textOf } from '../given-text.ts';
import { interruptible } from '../interruption.ts';
import { printJson, shown } from '../print.ts';

interface Options {
  pr?: number | true;
  from?: string;
  branch?: string;
  dryRun?: boolean;
  json?: boolean;
}

/** Largest discussion that is read, in characters: bounds the memory that a forge's answer, or an endless pipe, takes. */
const LARGEST = 32_000_000;

export function register(program: Command, context: Context): void {
  program
    .command('distil')
    .description('what people decided in a merged pull request, as at most three proposed records')
    .requiredOption('--pr [number]', 'the pull or merge request; without a number the one that HEAD merged', numbered)
    .option('--from <file>', "the forge's answers as JSON, - for standard input; else the forge is asked")
    .option('--branch <name>', 'a new branch with one commit that adds them; else they are written into .memory/')
    .option('--dry-run', 'only show them')
    .option('--json', 'print JSON')
    .notes(`
A configured model reads the description, reviews and comments, without bots, and without secrets. A record is proposed only
if it quotes somebody word for word, and passes the checks that other records pass. Comments cannot trigger anything: the
model's answer becomes the text of new records, and a person decides about them.

The forge is asked with GH_TOKEN in a job of GitHub (GITHUB_REPOSITORY), with GITLAB_TOKEN in one of GitLab (CI_API_V4_URL,
CI_PROJECT_ID). \`git mem init --ci github --distil\` writes a workflow that opens a pull request with what it finds.

Examples:
  git mem distil --pr 42 --dry-run
  git mem distil --pr --branch git-mem/distilled
  gh pr view 42 --json number,title,body,state,url,author,reviews,comments | git mem distil --pr 42 --from -`)
    .action((options: Options) => interruptible((signal) => run(context.project(), options, signal, context)));
}

async function run(project: Project, options: Options, signal: AbortSignal, context: Context): Promise<void> {
  const { branch, dryRun = false, json = false } = options;
  const discussion = await discussed(project, options, signal, context);
  const nothing = discussion === undefined ? 'HEAD merged no pull request.' : reasonAgainst(discussion);
  if (discussion === undefined || nothing !== undefined) {
    if (json) printJson(context.stdout, { pr: discussion?.number ?? null, ...NOTHING, skip: nothing });
    else context.stderr.write(`${nothing}\n`);
    return;
  }
  const distilled = await project.distil(discussion, { now: context.now(), signal });
  const { records } = distilled;
  const isProposed = branch !== undefined && !dryRun && records.length > 0;
  const subject = `Propose what the discussion of pull request ${discussion.number ?? ''} decided`.replace('  ', ' ');
  const commit = isProposed ? await propose(project.workspace, records, { branch, subject }) : undefined;
  const paths = records.map((record) => {
    return dryRun || branch !== undefined ? undefined : project.workspace.stores.team.put(record).path;
  });
  if (json) {
    const { dropped, skip, model } = distilled;
    const views = records.map((record, i) => ({ ...record, path: paths[i] ?? null }));
    const proposed = commit === undefined ? { branch: null, commit: null } : { branch, commit };
    const pr = discussion.number ?? null;
    return printJson(context.stdout, { pr, records: views, dropped, skip: skip || null, model, ...proposed });
  }
  report(distilled, paths, project, context);
  if (commit !== undefined) context.stderr.write(`${branch} proposes them.\n`);
}

const NOTHING = { records: [], dropped: [], model: null, branch: null, commit: null };

/** Why a discussion is not read at all. */
function reasonAgainst({ isMerged, branch, comments }: Discussion): string | undefined {
  if (!isMerged) return 'The pull request is not merged: what it decides is still open.';
  if (branch.startsWith('git-mem/')) return 'The pull request is a proposal of git-mem itself.';
  if (!comments.some(({ place }) => place !== 'the description')) return 'Nobody discussed the pull request.';
  return undefined;
}

async function discussed(
  { workspace }: Project,
  { pr, from }: Options,
  signal: AbortSignal,
  context: Context,
): Promise<Discussion | undefined> {
  const wanted = typeof pr === 'number' ? pr : undefined;
  if (from !== undefined) {
    const discussion = discussionIn(answersIn(await wholeText(from, context)));
    return { ...discussion, number: discussion.number ?? wanted };
  }
  const forge = forgeIn(context.env);
  const { commit } = readHead(workspace.checkout);
  const number = wanted ?? (commit === undefined ? undefined : await requestOf(forge, commit, signal));
  return number === undefined ? undefined : discussionIn(await discussionOf(forge, number, signal));
}

async function wholeText(from: string, context: Context): Promise<string> {
  let text = '';
  for await (const piece of textOf(from, context)) {
    text += piece;
    if (text.length > LARGEST) throw new GitMemError('too-large', 'The discussion is too large to be read.');
  }
  return text;
}

function numbered(given: string): number {
  const number = Number(given.replace(/^[#!]/, ''));
  if (Number.isInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('It is no number of a pull request.');
}

function report(
  { records, dropped, skip }: Distilled,
  paths: (string | undefined)[],
  { workspace }: Project,
  { stdout, stderr }: Context,
): void {
  for (const [i, { id, type, title, narrative, facts }] of records.entries()) {
    stdout.write(`${id}  ${shown(type)}  ${shown(title)}\n`);
    for (const line of [narrative, ...facts]) stdout.write(`  ${shown(line)}\n`);
    if (paths[i] !== undefined) stdout.write(`  ${foldersOf(workspace).team}/${paths[i]}\n`);
  }
  for (const { title, reason } of dropped) stderr.write(`left out: ${shown(title)}: ${shown(reason)}\n`);
  if (records.length === 0) stderr.write(`Nothing to propose${skip ? `: ${shown(skip)}` : '.'}\n`);
}
