import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ParseError, parse } from 'jsonc-parser';
import { readNotUnderstood } from '../../capture/drain/event-file.ts';
import { messageOf } from '../../errors.ts';
import { textOf } from '../../git/locate.ts';
import { fieldsOf } from '../../json.ts';
import { grouped } from '../../quantities.ts';
import { leaves } from '../../setting-tree.ts';
import type { Environment } from '../../user-folders.ts';
import { type Check, fail, INIT, ok, type Patient, warn } from '../check.ts';
import { HOSTS, type HostSetup } from '../hosts.ts';
import { readText } from '../place.ts';
import type { SetupFile } from '../setup-file.ts';
import { lastEvents } from './last-events.ts';
import { logLinesSince } from './state.ts';

/** Checks whether the hosts call the launcher for all events, and whether they may. */
export function checkHooks({
  workspace: {
    checkout: { root },
    layout,
  },
  env,
}: Patient): Check[] {
  const present = hostsIn(root);
  if (present.length === 0) {
    const last = lastEvents(layout);
    const reporting = HOSTS.filter(({ name }) => last.has(name)).map(({ title }) => title);
    return reporting.length === 0
      ? [fail('hooks', 'No agent has hooks of git-mem here: nothing is captured.', INIT)]
      : [ok('hooks', `${reporting.join(', ')} reports by a plugin or the user's own settings: no hook is committed.`)];
  }
  return present.flatMap((host) => [checkHost(host, root) ?? [], checkSwitches(host, root, env)].flat());
}

/** How far back payloads that were not understood are reported: a host that was updated since is not blamed forever. */
const REPORTED_MS = 7 * 86_400_000;

/** Checks whether the hosts' payloads are understood: a newer host version may have changed them. */
export function checkPayloads({ workspace: { layout }, now }: Patient): Check[] {
  const states = [layout.state, ...layout.otherStates];
  const lines = states.flatMap((state) => logLinesSince(state, now.getTime() - REPORTED_MS));
  const events = grouped(
    lines.flatMap((line) => readNotUnderstood(line) ?? []),
    ({ host }) => host,
  );
  return [...events].map(([host, all]) => {
    const title = HOSTS.find(({ name }) => name === host)?.title ?? host;
    const few = [...new Set(all.map(({ event }) => event))].sort().join(', ');
    const message = `${all.length} events of ${title} in the last 7 days were not understood (${few}).`;
    const hint = 'It may be newer than this git-mem: update git-mem, or report its version.';
    return warn(`payloads ${host}`, message, hint);
  });
}

/** Checks whether the hosts that call the launcher can also search, through the MCP server. */
export function checkServers({ workspace }: Patient): Check[] {
  const { root } = workspace.checkout;
  return hostsIn(root).flatMap((host) => host.servers().map((file) => checkServer(host, file, root)));
}

/** The servers of our name that `init` leaves alone because they start another program. */
export function foreignServers(root: string, hosts: readonly HostSetup[]): Check[] {
  return hosts.flatMap((host) => {
    const foreign = host.servers().filter(({ path, isForeign }) => isForeign?.(readText(root, path) ?? '{}'));
    return foreign.map((file) => checkServer(host, file, root));
  });
}

function checkServer({ name, title }: HostSetup, file: SetupFile, root: string): Check {
  const label = `mcp ${name}`;
  return reading(label, () => {
    const text = readText(root, file.path);
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
      const text = readText(root, file.path);
      if (text === undefined) return warn(label, `${file.path} is not there to teach ${host.title} to search.`, INIT);
      if (file.missing(text).length > 0) return warn(label, `${file.path} is not the one of this version.`, INIT);
      return ok(label, `${file.path} teaches ${host.title} to search.`);
    });
  });
}

/** The hosts that have something of ours, or that cannot be read. */
export function hostsIn(root: string): HostSetup[] {
  return HOSTS.filter((host) => checkHost(host, root) !== undefined && (!host.isGuest || host.detect(root, {})));
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
    const files = hooks().map((file) => ({ file, text: readText(root, file.path) }));
    const theirs = files.filter(({ file, text }) => text !== undefined && file.remove(text) === text);
    if (files.every((one) => one.text === undefined || theirs.includes(one))) return undefined;
    const missing = files.flatMap((one) => (theirs.includes(one) ? [] : lackOf(one.file, one.text, root)));
    const note = guide();
    if (note) missing.push(...note.missing(readText(root, note.path) ?? ''));
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

/** Settings of a host itself that switch hooks off. */
export function checkSwitches({ name, title, switches }: HostSetup, root: string, env: Environment): Check[] {
  const { files = [], off } = switches(root, env) ?? {};
  return files.flatMap((path) => {
    const { settings, problem } = settingsIn(path);
    const found = settings.find((setting) => off?.test(setting));
    if (found === undefined)
      return problem
        ? [warn(`hooks ${name}`, `${path} ${problem}: ${title} may run no hook.`, 'Fix that file, or ask its owner.')]
        : [];
    const [key, value = ''] = found.split('=');
    const setting = value === 'false' ? found : key;
    const what = value.startsWith('[') ? 'does not run a hook of git-mem' : 'runs no hook';
    const message = `${path} has "${setting}": ${title} ${what}.`;
    return [warn(`hooks ${name}`, message, 'Remove it to capture sessions again.')];
  });
}

/** The settings in a file as `key.key=value`, and why there may be others; none if it is missing. */
function settingsIn(path: string): { settings: string[]; problem?: string } {
  const text = textOf(path);
  if (text === undefined) return { settings: [], ...(existsSync(path) && { problem: 'cannot be read' }) };
  if (path.endsWith('.toml')) return { settings: switchesInToml(text) };
  const errors: ParseError[] = [];
  const found = leaves(fieldsOf(parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true })));
  const settings = found.map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return { settings, ...(errors.length > 0 && { problem: 'is not valid JSON' }) };
}

/** Only booleans: in a table, under a dotted key, or in an inline table. */
function switchesInToml(text: string): string[] {
  let table = '';
  return text.split('\n').flatMap((line) => {
    const said = line.replace(/(^|\s)#.*/, '').replace(/["'\s]/g, '');
    const head = /^\[([^[\]]+)\]$/.exec(said)?.[1];
    if (head !== undefined) {
      table = `${head}.`;
      return [];
    }
    const inline = /^([^={]+)=\{/.exec(said);
    const prefix = inline ? `${table}${inline[1]}.` : table;
    const pairs = said.slice(inline?.[0].length ?? 0).matchAll(/(?:^|,)([^=,{}]+)=(true|false)(?=$|[,}])/g);
    return [...pairs].map(([, key, value]) => `${prefix}${key}=${value}`);
  });
}
