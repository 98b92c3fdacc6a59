import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readNotUnderstood } from '../../capture/drain/event-file.ts';
import { messageOf } from '../../errors.ts';
import { runGit } from '../../git/objects.ts';
import { isSparse } from '../../git/shallow.ts';
import type { Environment } from '../../user-folders.ts';
import { type Check, fail, ok, type Patient, warn } from '../check.ts';
import { HOSTS, type HostSetup, hostFiles } from '../hosts.ts';
import { lastEvents } from '../last-events.ts';
import { LAUNCHER, memoryFiles } from '../memory-files.ts';
import { readBytes } from '../place.ts';
import type { SetupFile } from '../setup-file.ts';
import { logLinesSince } from './state.ts';
import { checkSwitches } from './switches.ts';

const INIT = 'Run `git mem init`.';

/** Checks whether git itself can work in the checkout. */
export async function checkRepository(root: string, env: Environment): Promise<Check> {
  const answer = (await runGit(root, ['rev-parse', '--is-inside-work-tree'], env))?.trim();
  if (answer === 'true') return ok('repository', `${root}.`);
  if (answer === 'false') {
    const message = `${root} is a bare repository: nothing can be committed from it.`;
    return warn('repository', message, 'Work in a clone or a worktree of it.');
  }
  return fail('repository', `git does not answer in ${root}.`, 'Run `git status` there to see why.');
}

/** Checks whether the folder and its launcher exist and are of this version. */
export function checkMemory({ workspace }: Patient): Check[] {
  const { root } = workspace.checkout;
  if (!existsSync(workspace.layout.memory)) {
    if (isSparse(workspace.checkout.gitDir)) {
      const message = 'This sparse checkout leaves .memory out: records stay in this clone.';
      return [warn('memory', message, 'Run `git sparse-checkout add .memory`.')];
    }
    return [fail('memory', '.memory is not there: this checkout is not set up.', INIT)];
  }
  const launcher = textIn(root, LAUNCHER);
  const outdated =
    launcher === undefined ||
    memoryFiles().some(({ path, missing }) => path === LAUNCHER && missing(launcher).length > 0);
  return [
    ok('memory', '.memory is there.'),
    launcher === undefined
      ? fail('launcher', `${LAUNCHER} is not there: the hooks do nothing.`, INIT)
      : outdated
        ? warn('launcher', `${LAUNCHER} is not the one of this version.`, INIT)
        : ok('launcher', `${LAUNCHER} is the one of this version.`),
  ];
}

/** Checks whether the hosts call the launcher for all events, and whether they may. */
export function checkHooks(patient: Patient): Check[] {
  const { workspace, env } = patient;
  const { root } = workspace.checkout;
  const present = hostsIn(root);
  if (present.length === 0) {
    const reporting = HOSTS.filter(({ name }) => lastEvents(patient.workspace.layout).has(name)).map(
      ({ title }) => title,
    );
    return reporting.length === 0
      ? [fail('hooks', 'No agent has hooks of git-mem here: nothing is captured.', INIT)]
      : [ok('hooks', `${reporting.join(', ')} reports by a plugin or the user's own settings: no hook is committed.`)];
  }
  return present.flatMap((host) => [checkHost(host, root) ?? [], checkSwitches(host, root, env)].flat());
}

/** How far back payloads that were not understood are reported: a host that was updated since is not accused for ever. */
const REPORTED_MS = 7 * 86_400_000;

/** Checks whether the hosts' payloads are understood: a newer host version may have changed them. */
export function checkPayloads({ workspace: { layout }, now }: Patient): Check[] {
  const events = new Map<string, string[]>();
  for (const state of [layout.state, ...layout.otherStates])
    for (const line of logLinesSince(state, now.getTime() - REPORTED_MS)) {
      const found = readNotUnderstood(line);
      if (found !== undefined) events.set(found.host, [...(events.get(found.host) ?? []), found.event]);
    }
  return [...events].map(([host, names]) => {
    const title = HOSTS.find(({ name }) => name === host)?.title ?? host;
    const few = [...new Set(names)].sort().join(', ');
    const message = `${names.length} events of ${title} in the last 7 days were not understood (${few}).`;
    const hint = 'It may be newer than this git-mem: update git-mem, or report its version.';
    return warn(`payloads ${host}`, message, hint);
  });
}

/** Checks whether the hosts that call the launcher can also search, by the MCP server. */
export function checkServers({ workspace }: Patient): Check[] {
  const { root } = workspace.checkout;
  return hostsIn(root).flatMap((host) => host.servers().map((file) => checkServer(host, file, root)));
}

/** The servers of our name that `init` leaves alone because they start another program. */
export function foreignServers(root: string, hosts: readonly HostSetup[]): Check[] {
  return hosts.flatMap((host) =>
    host
      .servers()
      .filter(({ path, isForeign }) => isForeign?.(textIn(root, path) ?? '{}'))
      .map((file) => checkServer(host, file, root)),
  );
}

function checkServer({ name, title }: HostSetup, file: SetupFile, root: string): Check {
  const label = `mcp ${name}`;
  return reading(label, () => {
    const text = textIn(root, file.path);
    if (text !== undefined && file.isForeign?.(text)) {
      const message = `The server git-mem in ${file.path} starts another program: ${title} cannot search by itself.`;
      return warn(label, message, 'Give that server another name, then run `git mem init`.');
    }
    return text !== undefined && file.missing(text).length === 0
      ? ok(label, `${file.path} starts the MCP server for ${title}.`)
      : warn(label, `${file.path} does not name git-mem: ${title} cannot search by itself.`, INIT);
  });
}

/** Checks whether the hosts that call the launcher have this version's skill; one that people changed is fine. */
export function checkSkills({ workspace }: Patient): Check[] {
  const { root } = workspace.checkout;
  return hostsIn(root).flatMap((host) => {
    const file = host.skill();
    if (file === undefined) return [];
    const label = `skill ${host.name}`;
    return reading(label, () => {
      const text = textIn(root, file.path);
      if (text === undefined) return warn(label, `${file.path} is not there to teach ${host.title} to search.`, INIT);
      if (file.missing(text).length > 0) return warn(label, `${file.path} is not the one of this version.`, INIT);
      return ok(label, `${file.path} teaches ${host.title} to search.`);
    });
  });
}

/** Checks whether git would ignore the files that were set up; ignored files reach no colleague. */
export async function checkIgnored(
  root: string,
  env: Environment,
  hosts: readonly HostSetup[] = hostsIn(root),
): Promise<Check> {
  const settings = hostFiles(hosts).map(({ path }) => path);
  const paths = ['.memory/observations/any.md', LAUNCHER, ...settings.filter((path) => existsSync(join(root, path)))];
  // Exit 1, which gives no output here, means that none is ignored.
  const output = (await runGit(root, ['check-ignore', '-v', '-z', '--stdin'], env, { input: paths.join('\0') })) ?? '';
  const ignored = byPattern(output);
  if (ignored.length === 0) return ok('ignored', 'git sees .memory.');
  const message = `git ignores ${ignored.join(' and ')}: ${ignored.length === 1 ? 'it' : 'they'} will not be committed.`;
  return warn('ignored', message, 'Remove the rule that ignores them if your colleagues should have the memory too.');
}

/** Checks, once a session was heard, whether what was set up is in git's index: other clones have only what is committed. */
export async function checkCommitted({ workspace: { checkout, layout, env } }: Patient): Promise<Check[]> {
  if (lastEvents(layout).size === 0) return [];
  const paths = [LAUNCHER, ...hostFiles(hostsIn(checkout.root)).map(({ path }) => path)];
  const listed = await runGit(checkout.root, ['ls-files', '-o', '--exclude-standard', '-z', '--', ...paths], env);
  const left = listed?.split('\0').filter(Boolean) ?? [];
  if (left.length === 0) return [];
  const message = `No other clone or worktree has what is not committed: ${left.join(', ')}.`;
  return [warn('committed', message, `Commit it: git add ${left.join(' ')} && git commit -m "Set up git-mem"`)];
}

/** The output of `check-ignore -v -z`, with the first path of each pattern that ignores: it also names those with `!`. */
function byPattern(output: string): string[] {
  const first = new Map<string, string>();
  const fields = output.split('\0');
  for (let i = 0; i + 3 < fields.length; i += 4) {
    const [source, line, pattern, path] = fields.slice(i, i + 4);
    if (pattern?.startsWith('!')) continue;
    const reason = `because of "${pattern}" (${source}, line ${line})`;
    if (!first.has(reason)) first.set(reason, `${path} ${reason}`);
  }
  return [...first.values()];
}

/** The paths that git ignores; none of them is tracked. */
export async function ignoredPaths(root: string, paths: string[], env: Environment): Promise<string[]> {
  // Exit 1, which gives no output here, means that none is ignored.
  const output = (await runGit(root, ['check-ignore', '-z', '--stdin'], env, { input: paths.join('\0') })) ?? '';
  return output.split('\0').filter(Boolean);
}

/** The hosts that have something of ours, or that cannot be read. */
export function hostsIn(root: string): HostSetup[] {
  return HOSTS.filter((host) => checkHost(host, root) !== undefined);
}

function textIn(root: string, path: string): string | undefined {
  return readBytes(root, path)?.toString('utf8');
}

/** What `look` finds in files of a host; the check has failed if they cannot be read. */
function reading<Found extends Check | undefined>(label: string, look: () => Found): Found | Check {
  try {
    return look();
  } catch (error) {
    return fail(label, messageOf(error), 'The agent cannot read it either.');
  }
}

/** Undefined if the host has nothing of ours. */
function checkHost({ name, title, hooks, guide }: HostSetup, root: string): Check | undefined {
  const label = `hooks ${name}`;
  return reading(label, () => {
    const files = hooks().map((file) => ({ file, text: textIn(root, file.path) }));
    const theirs = files.filter(({ file, text }) => text !== undefined && file.remove(text) === text);
    if (files.every((one) => one.text === undefined || theirs.includes(one))) return undefined;
    const missing = files.flatMap((one) => (theirs.includes(one) ? [] : lackOf(one.file, one.text, root)));
    const note = guide();
    if (note) missing.push(...note.missing(textIn(root, note.path) ?? ''));
    if (missing.length > 0) return warn(label, `${title} has no hook of this version for ${missing.join(', ')}.`, INIT);
    if (theirs.length === 0) return ok(label, `${title} calls git-mem on every event it needs.`);
    const paths = theirs.map(({ file }) => file.path).join(', ');
    const message = `${paths} was there before: ${title} does not call git-mem for it.`;
    return warn(label, message, 'Call `.memory/hook` in it.');
  });
}

/** The parts of a hook file that are missing, outdated, or would not run. */
function lackOf(file: SetupFile, text: string | undefined, root: string): string[] {
  const missing = text === undefined ? [file.path] : file.missing(text);
  if (missing.length > 0 || !file.executable || process.platform === 'win32') return missing;
  return statSync(join(root, file.path)).mode & 0o100 ? [] : [`${file.path} (which is not executable)`];
}
