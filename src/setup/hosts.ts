import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { AGENTS } from '../capture/agents/agents.ts';
import type { Agent } from '../capture/agents/event.ts';
import { readTemplate } from '../templates.ts';
import { type Environment, homeOf } from '../user-folders.ts';
import { addHooks, missingEvents, parseEntries, removeHooks } from './hook-settings.ts';
import { hostTemplate } from './host-template.ts';
import { mcpFile } from './mcp-file.ts';
import { findProgram } from './program.ts';
import { biomeOff, indented, joined, keepingMark, nativeLines, ownFile, type SetupFile } from './setup-file.ts';

/** How a coding agent is set up in a repository. */
export interface HostSetup {
  /** As in `--host`, and as the hooks pass it. */
  name: string;
  title: string;
  coAuthor: string | undefined;
  /** Tells whether the host seems to be used here. */
  detect(root: string, env: Environment): boolean;
  /** Whether it runs another host's hooks, which then are no sign of it. */
  isGuest: boolean;
  /** The files that call the launcher. */
  hooks(): SetupFile[];
  /** The files that register the MCP server, if a repository can; may include the file with the hooks. */
  servers(): SetupFile[];
  skill(): SetupFile | undefined;
  /** The instructions file that says where the memory is, for hosts that need one. */
  guide(): SetupFile | undefined;
  /** Settings files, including the user's own, that can switch hooks off, and which settings do. */
  switches(root: string, env: Environment): { files: string[]; off: RegExp } | undefined;
  /** The steps left to do by hand, one sentence each. */
  next(root: string): string[];
}

/** Every host that can be set up. */
export const HOSTS: readonly HostSetup[] = AGENTS.map(setupOf);

/** The hosts that seem to be used here; the first one if there is no sign of any. */
export function detectHosts(root: string, env: Environment): HostSetup[] {
  const found = HOSTS.filter((host) => host.detect(root, env));
  return found.length > 0 ? found : HOSTS.slice(0, 1);
}

/** The files of some hosts, each path once, with the parts of all hosts that share it; without `root`, all possible ones. */
export function hostFiles(hosts: readonly HostSetup[], root?: string): SetupFile[] {
  const files = new Map<string, SetupFile>();
  const skillOf = (host: HostSetup) => {
    const skill = host.skill();
    return skill === undefined ? [] : [skill, ...biomeOff(dirname(skill.path), root)];
  };
  for (const file of hosts.flatMap((host) => [...host.hooks(), ...host.servers(), ...skillOf(host), host.guide()])) {
    if (file === undefined) continue;
    const other = files.get(file.path);
    files.set(file.path, other === undefined ? file : joined(other, file));
  }
  return [...files.values()];
}

function setupOf({ name, setup }: Agent): HostSetup {
  const { title, signs, hooks, mcp, skills, guide, switches, coAuthor, next } = setup;
  return {
    name,
    title,
    coAuthor,
    isGuest: AGENTS.find((one) => one.setup.hooks[0]?.path === hooks[0]?.path)?.name !== name,
    detect: (root, env) =>
      signs.paths.some((path) => isThere(join(root, path))) ||
      signs.programs.some((program) => findProgram(program, env) !== undefined),
    hooks: () =>
      hooks.map(({ path, template, kind }) => (kind === 'own' ? ownFile : hookFile)(path, hostTemplate(template))),
    servers: () => mcp?.map(({ path, shape, hosts }) => mcpFile(path, shape, hosts)) ?? [],
    skill: () => skills && skillFile(skills.folder),
    guide: () => guide && guideFile(guide.path),
    switches(root, env) {
      const home = homeOf(env);
      const files = switches?.files.flatMap((path) => {
        const moved = path.replace(/^\$\{(\w+):-(.+?)\}/, (_, variable, usual) => env[variable] || usual);
        return moved.startsWith('~/') ? (home ? join(home, moved.slice(2)) : []) : resolve(root, moved);
      });
      return switches && files && { files, off: switches.off };
    },
    next: (root) => next.map((step) => step.replaceAll('{root}', () => root)),
  };
}

/** A settings file that others write to as well. */
function hookFile(path: string, text: string): SetupFile {
  const entries = parseEntries(text);
  return {
    path,
    add: (current = '', _, indent) =>
      keepingMark(current, (settings) =>
        indented(settings.trim() === '' ? text : addHooks(settings, entries, path), settings, indent),
      ),
    remove(current) {
      const left = keepingMark(current, (settings) => removeHooks(settings, path));
      // A file with only a version left is deleted; Qwen Code adds its own.
      return left !== current && /^\ufeff?\s*\{\s*(?:"\$?version": *\d+\s*)?\}\s*$/.test(left) ? undefined : left;
    },
    missing: (current) => missingEvents(current.replace(/^\ufeff/, ''), entries, path),
  };
}

/** Whether a path exists; one that ends with a slash must be a folder. */
function isThere(path: string): boolean {
  const found = statSync(path.replace(/(?<![\\/])[\\/]+$/, ''), { throwIfNoEntry: false });
  return found !== undefined && (found.isDirectory() || !/[\\/]$/.test(path));
}

const BLOCK = readTemplate('hosts/guide.md');
/** The block where nothing else is: its heading is then that of the file. */
const ALONE = BLOCK.replace('## ', '# ');
const MARKED = /(?:^|\n)<!-- >>> git-mem >>> -->\n[\s\S]*?<!-- <<< git-mem <<< -->(?:\n|$)/;

/** A team's instructions file with our block in it, which says where the memory is. */
function guideFile(path: string): SetupFile {
  return {
    path,
    add(current = '') {
      const text = current.replaceAll('\r\n', '\n');
      if (MARKED.test(text)) {
        const block = text.replace(MARKED, '').trim() === '' ? ALONE : BLOCK;
        const updated = text.replace(MARKED, (old) => `${old.startsWith('\n') ? '\n' : ''}${block}`);
        return updated === text ? current : nativeLines(updated, current);
      }
      if (text.trim() === '') return ALONE;
      return `${current}${nativeLines(`${text.endsWith('\n') ? '' : '\n'}\n${BLOCK}`, current)}`;
    },
    remove(current) {
      const text = current.replaceAll('\r\n', '\n');
      if (!MARKED.test(text)) return current;
      const rest = text.replace(MARKED, '');
      return rest.trim() === '' ? undefined : nativeLines(rest, current);
    },
    missing(current) {
      const text = current.replaceAll('\r\n', '\n');
      return text.includes(BLOCK) || text.includes(ALONE) ? [] : ['the note on git-mem'];
    },
  };
}

/** The path, in a folder of skills, of the skill that teaches an agent to search the memory. */
export const SKILL = 'mem-search/SKILL.md';

export const SKILL_TEXT = readTemplate(`skills/${SKILL}`);

const MARK = '<!-- Written by git-mem.';

/** Our skill in a host's folder of skills: ours as long as it has our mark, whatever else it contains. */
function skillFile(folder: string): SetupFile {
  const path = `${folder}/${SKILL}`;
  const isOurs = (text: string) => text.includes(MARK);
  // Git may have checked it out with different line endings.
  const isCurrent = (text: string) => text.replaceAll('\r\n', '\n') === SKILL_TEXT;
  return {
    path,
    mark: MARK,
    add: (current) => (current === undefined || (isOurs(current) && !isCurrent(current)) ? SKILL_TEXT : current),
    remove: (current) => (isOurs(current) ? undefined : current),
    missing: (current) => (isOurs(current) && !isCurrent(current) ? [path] : []),
  };
}
