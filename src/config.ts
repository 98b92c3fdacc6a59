import { join } from 'node:path';
import { load } from 'js-yaml';
import { type Config, DEFAULTS, isUsersOwn, problemIn } from './config-schema.ts';
import { GitMemError, isSystemError, messageOf } from './errors.ts';
import { isObject, isTexts } from './json.ts';
import { lstatSync, readFileSync, statSync } from './looks.ts';
import { get, leaves, set, type Tree } from './setting-tree.ts';
import { configFolder, type Environment } from './user-folders.ts';

export type { Config };

export type Origin = 'default' | 'team' | 'user' | 'environment';

export interface LoadedConfig<Section extends keyof Config = keyof Config> {
  config: Pick<Config, Section>;
  /** Where each setting that is not a default came from, by dotted key. */
  origins: Map<string, Origin>;
  /** One sentence for every value that was ignored. */
  warnings: string[];
  /** Files that exist but cannot be read: their settings are unknown. */
  unreadable: string[];
  /** Keys that this checkout's team file sets differently from the reviewed one but not stricter; they are ignored. */
  unreviewed: string[];
}

/** The reviewed settings of the team. */
export interface ReviewedSettings {
  /** The team file on each default branch, empty if it has none; no texts if nothing counts as reviewed. */
  texts: string[];
  /** Whether this clone accepted a file with this content. */
  isAccepted(text: string): boolean;
  /** Whether a pattern of `privacy.redact` matches so much that it does not count until it is reviewed. */
  isGreedy?(pattern: string): boolean;
}

/** Largest settings file that is read, in bytes: hooks read it, and real ones have a few kilobytes. */
const MAX_BYTES = 256 * 1024;

/**
 * Reads the settings: team file, the user's own file, then `GIT_MEM_*`. Never throws: a wrong value is ignored with a
 * warning. Of a file that was not reviewed, only stricter privacy counts; without `reviewed`, the checkout's file counts as
 * it is. With `sections` only those are read: checking a value takes a library, which hooks should not load needlessly.
 */
export function loadConfig<Section extends keyof Config = keyof Config>(
  memory: string,
  env: Environment,
  reviewed?: ReviewedSettings,
  sections?: readonly Section[],
): LoadedConfig<Section> {
  const isWanted = (key: string) => sections?.some((one) => key === one || key.startsWith(`${one}.`)) ?? true;
  const warnings: string[] = [];
  const unreadable: string[] = [];
  const origins = new Map<string, Origin>();
  const config = structuredClone(DEFAULTS);
  const own = readYaml(join(memory, 'config.yaml'), { warnings, unreadable, mayBeLink: false });
  const team = reviewed === undefined ? { tree: own.tree, unreviewed: [] } : teamSettings(own, reviewed);
  const layers: [Origin, [key: string, value: unknown][]][] = [
    ['team', leaves(team.tree)],
    ['user', leaves(readYaml(userConfigPath(env), { warnings, unreadable, mayBeLink: true }).tree)],
    ['environment', fromEnvironment(env)],
  ];
  for (const [origin, values] of layers) {
    for (const [key, value] of values) {
      if (!isWanted(key)) continue;
      if (!isKnown(key)) {
        // A newer version's key or a typo: `doctor` reports it, nothing breaks.
        if (origin !== 'environment') warnings.push(`${origin} setting "${key}" is not known to this version.`);
      } else if (origin === 'team' && isUsersOwn(key)) {
        warnings.push(`"${key}" is ignored in the team file: set it in your own (${userConfigPath(env)}).`);
      } else {
        const before = get(config, key);
        set(config, key, value);
        const problem = problemIn(config, key);
        if (problem === undefined) origins.set(key, origin);
        else {
          set(config, key, before);
          warnings.push(`${origin} setting "${key}" is ignored: ${problem}.`);
        }
      }
    }
  }
  return { config, origins, warnings, unreadable, unreviewed: team.unreviewed };
}

type Noted = Pick<LoadedConfig, 'warnings' | 'unreadable'>;

/** Throws bad-config if settings cannot be read: without them, what they exclude would be written. */
export function requireReadable({ unreadable: [path] }: LoadedConfig): void {
  if (path === undefined) return;
  throw new GitMemError('bad-config', `The settings in ${path} cannot be read.`, {
    hint: 'Nothing is written without them. Try again; `git mem doctor` shows what is wrong.',
  });
}

/** Every setting by its dotted key. */
export function settings(config: Config): Map<string, unknown> {
  return new Map(leaves(config));
}

/** The user's own settings file; always absolute, since a relative path would lead into the checkout. */
export function userConfigPath(env: Environment): string {
  return join(configFolder(env) ?? '/nonexistent', 'config.yaml');
}

/** A duration such as `30m` in milliseconds. */
export function durationMs(duration: string): number {
  const factors: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
  return Number.parseInt(duration, 10) * (factors[duration.at(-1) ?? ''] ?? 0);
}

function readYaml(path: string, { warnings, unreadable, mayBeLink }: Noted & { mayBeLink: boolean }) {
  try {
    // A checked-out link could lead to an endless device, or to a file that is none of the team's business.
    const stat = mayBeLink ? statSync(path) : lstatSync(path);
    if (!stat.isFile() || stat.size > MAX_BYTES) throw new Error('it is not a regular file of a reasonable size');
    const text = readFileSync(path, 'utf8');
    return { text, tree: parseYaml(text, path, warnings) };
  } catch (error) {
    if (isSystemError(error, 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM', 'EACCES', 'EPERM')) unreadable.push(path);
    if (!isSystemError(error, 'ENOENT', 'ENOTDIR')) warnings.push(`${path} cannot be read: ${messageOf(error)}.`);
    return { text: '', tree: {} };
  }
}

function parseYaml(text: string, path: string, warnings: string[]): Tree {
  // The YAML library rejects a file that holds only comments.
  if (text.split('\n').every((line) => /^\s*(?:#|$)/.test(line))) return {};
  try {
    const value: unknown = load(text, { maxAliases: 0 });
    if (isObject(value)) return value;
    if (value !== undefined && value !== null) warnings.push(`${path} does not contain settings.`);
  } catch (error) {
    warnings.push(`${path} is not YAML: ${messageOf(error).split('\n')[0]}.`);
  }
  return {};
}

/** The reviewed settings, made stricter by those of the checkout where the two differ. */
function teamSettings(own: ReturnType<typeof readYaml>, reviewed: ReviewedSettings) {
  const trees = reviewed.texts.map((text) => parseYaml(text, 'config.yaml', []));
  const same = [...trees, ...(trees.length === 0 ? [{}] : [])].some((tree) => differing(tree, own.tree).length === 0);
  if (same || reviewed.isAccepted(own.text)) return { tree: own.tree, unreviewed: [] };
  const tree = structuredClone(trees[0] ?? {});
  for (const [key, stricter] of Object.entries(STRICTER)) {
    const value = stricter(get(tree, key), get(own.tree, key));
    if (value !== undefined) set(tree, key, value);
  }
  const [before, redacted] = [trees[0] ?? {}, tree].map((one) => get(one, 'privacy.redact'));
  const isKept = (one: string) => (isTexts(before) && before.includes(one)) || !reviewed.isGreedy?.(one);
  if (isTexts(redacted)) set(tree, 'privacy.redact', redacted.filter(isKept));
  const unreviewed = differing(tree, own.tree);
  // Keys that no team file may set are reported as ignored, reviewed or not.
  for (const [key, value] of leaves(own.tree)) if (isUsersOwn(key)) set(tree, key, value);
  return { tree, unreviewed };
}

/** The stricter of two values of a key, if either is set: the one that writes less, or shows less to others. */
const STRICTER: Record<string, (reviewed: unknown, own: unknown) => unknown> = {
  'capture.destination': (reviewed, own) =>
    own === 'private' || (own === 'inbox' && reviewed !== 'private') ? own : reviewed,
  'privacy.prompts': (reviewed, own) => (own === 'off' ? own : reviewed),
  'privacy.redact': (reviewed, own) =>
    isTexts(own) ? [...new Set([...(isTexts(reviewed) ? reviewed : []), ...own])] : reviewed,
};

/** Keys that a team file may set and that differ between two files. */
function differing(a: Tree, b: Tree): string[] {
  const keys = new Set([...leaves(a), ...leaves(b)].map(([key]) => key));
  const own = [...keys].filter((key) => isKnown(key) && !isUsersOwn(key));
  return own.filter((key) => JSON.stringify(get(a, key)) !== JSON.stringify(get(b, key)));
}

function fromEnvironment(env: Environment): [key: string, value: unknown][] {
  return leaves(DEFAULTS).flatMap(([key, usual]) => {
    const raw = env[`GIT_MEM_${key.replaceAll('.', '_').toUpperCase()}`];
    return raw === undefined || raw === '' ? [] : [[key, valueLike(usual, raw)]];
  });
}

/** The value that a text stands for, in the setting's type. */
export function valueLike(usual: unknown, raw: string): string | number | boolean | string[] {
  if (Array.isArray(usual)) return raw.split(',').flatMap((part) => part.trim() || []);
  if (typeof usual === 'number') return Number(raw);
  return typeof usual === 'boolean' ? /^(1|true|yes|on)$/i.test(raw) : raw;
}

function isKnown(key: string): boolean {
  return leaves(DEFAULTS).some(([known]) => known === key);
}

/** The store that a session writes to; what waits in the inbox is private until a person accepts it. */
export function sessionStore({ capture }: Pick<Config, 'capture'>): 'team' | 'private' {
  return capture.destination === 'team' ? 'team' : 'private';
}

/** The store that a person writes to; such records need no acceptance. */
export function personStore({ capture }: Pick<Config, 'capture'>): 'team' | 'private' {
  return capture.destination === 'private' ? 'private' : 'team';
}
