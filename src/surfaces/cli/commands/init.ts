import { relative } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { GitMemError } from '../../../errors.ts';
import { register as registerRepository } from '../../../exchange/places/registry.ts';
import { runGit } from '../../../git/objects.ts';
import type { Project } from '../../../project.ts';
import { type Check, FIRST_MEMORY } from '../../../setup/check.ts';
import { checkIgnored, checkRepository, ignoredPaths } from '../../../setup/checks/checkout.ts';
import { foreignServers } from '../../../setup/checks/hosts.ts';
import { checkProgram } from '../../../setup/checks/machine.ts';
import { CI_PROVIDERS, type CiProvider, ciFiles, ciNext } from '../../../setup/ci.ts';
import { preCommitPlan } from '../../../setup/git-hooks.ts';
import { detectHosts, HOSTS, type HostSetup, hostFiles } from '../../../setup/hosts.ts';
import { applyInit, type InitStep, planInit } from '../../../setup/init.ts';
import { CONFIG, type Destination, memoryFiles } from '../../../setup/memory-files.ts';
import { modelHint } from '../../../setup/model-offers.ts';
import { readBytes } from '../../../setup/place.ts';
import { isBare, noteProgram } from '../../../setup/program.ts';
import { offeredBranch, settleReviewed } from '../../../setup/reviewed-branch.ts';
import { packageVersion } from '../../../templates.ts';
import type { Environment } from '../../../user-folders.ts';
import { type Context, define, type Flags, type Register, type Texts } from '../command.ts';
import { fileLines, fileViews, isAsking, numbered } from '../file-lines.ts';
import { shown, styler } from '../print.ts';

type Options = Flags<'yes' | 'dryRun' | 'json'> &
  Texts<'reviewed'> & { host?: HostSetup[]; ci?: CiProvider; gitHooks: boolean };

export const register: Register = (program, context) =>
  define(program, 'init', 'set up this repository: .memory/ and the hooks of your agents')
    .option('--host <names>', `agents to hook, separated by commas: ${hostNames()}`, parseHosts)
    .addOption(new Option('--ci <provider>', 'review the memory in pull requests').choices(CI_PROVIDERS))
    .option('--no-git-hooks', "leave git's pre-commit hook alone: records then wait for your own `git add`")
    .option('--reviewed <branch>', 'the reviewed branch, where the remote does not name one')
    .option('-y, --yes', 'ask nothing')
    .option('--dry-run', 'show what would be written, and write nothing')
    .option('--json', 'ask nothing and print JSON')
    .notes(`
Existing settings keep every byte that is not git-mem's, and running it again changes nothing. On a terminal it asks
first, also whether a model should read sessions: claude -p, codex exec or gemini -p where you are logged in, Ollama, or a
key. In scripts, and with --yes, it asks nothing, chooses none, and names the command that switches one on:
\`extract.provider\` stays as it is, by default Anthropic where ANTHROPIC_API_KEY is set, else no model. What it writes does nothing for colleagues who have not installed git-mem.

Your own \`git mem search --all-repositories\` knows the repositories that init set up.

--ci writes a workflow that comments on pull requests what they do to the memory, and fails on secrets, broken records and
text for models.

A new record joins the next commit on its branch: git's pre-commit hook, set up beside the existing hooks, adds it and
runs the same check. --no-git-hooks leaves that to you.

What is on the reviewed branch is injected into sessions. That is origin/HEAD, or upstream/HEAD in the clone of a fork; where
git does not know it, \`git remote set-head origin -a\` asks the remote. --reviewed settles it for this clone, as
GIT_MEM_TRUST_BRANCH does; in a repository without a remote it is the branch that init finds.

Examples:
  git mem init                        asks, shows the plan, writes
  git mem init --yes --host claude-code
  git mem init --ci github`)
    .action((options: Options) => init(options, context));

async function init(options: Options, context: Context): Promise<void> {
  const { stdin: input, stderr: output, env } = context;
  const terminal = { input, output };
  const project = await openHere(context);
  const { checkout, layout } = project.workspace;
  const { root } = checkout;
  const place = { root, state: layout.state };
  const isDry = options.dryRun === true;
  const asks = isAsking(options, context);

  let hosts = options.host ?? detectHosts(root, env);
  let reviewed = options.reviewed ?? offeredBranch(project.workspace);
  let destination: Destination = 'team';
  let { gitHooks } = options;
  const wizard = asks ? await import('../wizard.ts') : undefined;
  if (wizard) {
    const isConfigured = readBytes(root, CONFIG) !== undefined;
    const offered = { hosts: options.host ?? HOSTS, chosen: hosts, ...(isConfigured && { destination }) };
    const answers = await wizard.askSetup(offered, terminal);
    if (answers === undefined) return cancel(context);
    ({ hosts, destination } = answers);
    if (gitHooks && destination === 'team') gitHooks = await wizard.askCommits(terminal);
    const isOffered = reviewed !== undefined && options.reviewed === undefined;
    if (reviewed && isOffered && !(await wizard.askReviewed(reviewed, terminal))) reviewed = undefined;
  }
  const model = await wizard?.chooseModel(project, env, terminal);
  if (model === 'cancelled') return cancel(context);
  const ci = options.ci ? ciFiles(options.ci) : [];
  const files = [...memoryFiles(destination, root), ...hostFiles(hosts, root), ...ci];
  const hook = gitHooks ? await preCommitPlan(checkout, layout.state, env) : undefined;
  // The hook may be outside the checkout, as in a linked worktree.
  const places = [{ place, files }, ...(hook ? [hook] : [])];
  const parts = places.map((one) => ({ place: one.place, plan: planInit(one.place, one.files) }));
  const plan = parts.flatMap((part) => part.plan);
  const isDone = plan.every(({ action }) => action === 'unchanged');
  if (wizard && !isDone) {
    const consent = { title: 'Plan', lines: fileLines(plan, { isPlan: true }), question: `Write this to ${root}?` };
    if (!(await wizard.askConsent(consent, terminal))) return cancel(context);
  }
  if (!isDry) {
    for (const part of parts) applyInit(part.place, part.plan);
    noteProgram(checkout);
    if (reviewed !== undefined) settleReviewed(project.workspace, reviewed);
    registerRepository(checkout, env, context.now());
  }
  if (wizard && model !== undefined) context.say(wizard.keepModel(model, project, env));
  await wizard?.offerFirstMemory(project, destination, terminal);
  const isEmpty = project.workspace.stores.team.ids().length === 0;
  const textOf = (path: string) => readBytes(root, path)?.toString('utf8');
  const hint = asks ? undefined : modelHint(project.config(), env);
  const byHand = [...(options.ci ? ciNext(options.ci, textOf) : []), ...(hook?.next ?? []), ...(hint ? [hint] : [])];
  const tracked = isDone ? [] : await committable(root, plan, env, isDry);
  const next = isDone ? byHand : nextSteps({ root, cwd: context.cwd, tracked, hosts, byHand, isEmpty });
  const warnings = await foresee(root, hosts, context);
  if (options.json) return context.json({ ok: true, dry_run: isDry, files: fileViews(plan), next, warnings });
  context.stdout.write(`${fileLines(plan, { isPlan: isDry }).join('\n')}\n`);
  const style = styler(output, env);
  for (const { message, hint } of warnings)
    output.write(`\n${style('yellow', '!')} ${shown(message)}\n  ${shown(hint)}\n`);
  if (isDone) output.write('\nThis repository is set up already: nothing was changed.\n');
  else if (isDry) output.write('\nThis was a dry run: nothing was written.\n');
  if (!isDry) output.write(numbered(next));
}

type Done = Record<'root' | 'cwd', string> &
  Record<'tracked' | 'byHand', string[]> & { hosts: HostSetup[]; isEmpty: boolean };

/** What is left to do. `tracked` are the paths that `git add` accepts; `isEmpty`: nothing is remembered here yet. */
function nextSteps({ root, cwd, tracked, hosts, byHand, isEmpty }: Done): string[] {
  const paths = new Set(tracked.map((path) => (path.startsWith('.memory/') ? '.memory' : path)));
  const git = relative(root, cwd) === '' ? 'git' : `git -C '${root.replaceAll("'", "'\\''")}'`;
  const commit = `${git} add ${[...paths].join(' ')} && ${git} commit -m "Set up git-mem"`;
  return [
    ...(paths.size > 0 ? [`Commit what was written: ${commit}`] : []),
    ...hosts.flatMap((host) => host.next(root)),
    ...byHand,
    ...(isEmpty ? [`Give it a first memory: ${FIRST_MEMORY}`] : []),
    'Check the set-up with `git mem doctor`.',
  ];
}

/** The paths of a plan that are not committed and that `git add` accepts, because git does not ignore them. */
async function committable(root: string, plan: InitStep[], env: Environment, isDry: boolean): Promise<string[]> {
  // Hooks in a git directory belong to this clone only.
  const own = plan.filter(({ path }) => !/^(?:\.git\/)?hooks\//.test(path));
  const asked = own.map(({ path }) => path);
  const status = await runGit(root, ['status', '--porcelain', '-z', '-uall', '--', ...asked], env);
  const changed = new Set(status?.split('\0').map((line) => line.slice(3)));
  const isLacking = ({ action, path }: InitStep) => (isDry && action !== 'unchanged') || changed.has(path);
  const paths = own.filter(isLacking).map(({ path }) => path);
  const ignored = await ignoredPaths(root, paths, env);
  return paths.filter((path) => !ignored.includes(path));
}

/** Checks now for problems that would show up later. */
async function foresee(root: string, hosts: HostSetup[], { env, now }: Context): Promise<Check[]> {
  const machine = { env, node: process.versions.node, version: packageVersion(), now: now() };
  const checks = await Promise.all([checkProgram(machine), checkRepository(root, env), checkIgnored(root, env, hosts)]);
  return [...checks.filter(({ status }) => status !== 'ok'), ...foreignServers(root, hosts)];
}

async function openHere(context: Context): Promise<Project> {
  try {
    return context.project();
  } catch (error) {
    const isNone = error instanceof GitMemError && error.code === 'not-a-repository';
    if (!isNone || !(await isBare(context.cwd, context.env))) throw error;
    const message = `${context.cwd} is a bare repository: it has no files for a memory to be beside.`;
    throw new GitMemError('not-a-repository', message, { hint: 'Set git-mem up in a clone or a worktree of it.' });
  }
}

function cancel({ stderr, setExitCode }: Context): void {
  stderr.write('Cancelled: nothing was written.\n');
  setExitCode(1);
}

function parseHosts(list: string, earlier: HostSetup[] = []): HostSetup[] {
  const named = list.split(',').map((part) => {
    const host = HOSTS.find(({ name }) => name === part.trim());
    if (host) return host;
    throw new InvalidArgumentError(`"${part.trim()}" is not a known host. Known: ${hostNames()}.`);
  });
  return [...new Set([...earlier, ...named])];
}

function hostNames(): string {
  return HOSTS.map(({ name }) => name).join(', ');
}
