import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { load } from 'js-yaml';
import { type Config, settings, userConfigPath } from '../config.ts';
import { problemIn } from '../config-schema.ts';
import { GitMemError } from '../errors.ts';
import { isObject } from '../json.ts';
import { replaceFile } from '../memory/store/atomic.ts';
import { createFolder } from '../memory/store/create-folder.ts';
import { changed, leaves, type Tree } from '../setting-tree.ts';
import type { Environment } from '../user-folders.ts';

export type SettingValue = string | number | boolean | string[];

/** Keeps everything else, comments included. Throws bad-input if the file's syntax cannot be edited safely. */
function writeUserSetting(path: string, key: string, value: SettingValue | undefined): void {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const before = parsed(text);
  const after = before && edited(text, key, value);
  const wanted = before && changed(before, key, value);
  // The edit changes text; the resulting settings are compared before it is written.
  if (after === undefined || JSON.stringify(sorted(parsed(after))) !== JSON.stringify(sorted(wanted))) {
    throw new GitMemError('bad-input', `${path} is written in a way that cannot be edited safely.`, {
      hint: `Open it and ${value === undefined ? `take out "${key}"` : `set "${key}" to ${inYaml(value)}`} yourself.`,
    });
  }
  if (after === text) return;
  createFolder(dirname(path));
  replaceFile(path, after);
}

function edited(text: string, key: string, value: SettingValue | undefined): string | undefined {
  const [section = '', name] = key.split('.');
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const at = lines.findIndex((line) => line.startsWith(`${section}:`));
  if (name === undefined) return joined(replaced(lines, at, section, '', value));
  const head = lines[at];
  if (head === undefined) {
    return value === undefined ? text : joined([...lines, `${section}:`, `  ${name}: ${inYaml(value)}`]);
  }
  if (/^\w+:\s*\{.*\}\s*$/.test(head)) return joined(lines.with(at, `${section}: ${flow(head, name, value)}`));
  if (!/^\w+:\s*(?:#.*)?$/.test(head)) return undefined;
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => /^\S/.test(line) && !line.startsWith('#'));
  const block = end < 0 ? rest : rest.slice(0, end);
  const indent = block.map((line) => /^(\s+)[^\s#]/.exec(line)?.[1]).find(Boolean) ?? '  ';
  const own = block.findIndex((line) => line.startsWith(`${indent}${name}:`));
  const added = own < 0 && value !== undefined ? [`${indent}${name}: ${inYaml(value)}`, ...block] : undefined;
  const body = added ?? replaced(block, own, name, indent, value);
  // A section without a key would be parsed as null.
  const isEmpty = body.every((line) => /^\s*(?:#|$)/.test(line));
  return joined([...lines.slice(0, at), ...(isEmpty ? [] : [head]), ...body, ...(end < 0 ? [] : rest.slice(end))]);
}

/** The lines with one key set, in place or at the end, or removed. */
function replaced(lines: string[], at: number, name: string, indent: string, value: SettingValue | undefined) {
  const line = `${indent}${name}: ${value === undefined ? '' : inYaml(value)}`;
  if (at < 0) return value === undefined ? lines : [...lines, line];
  const comment = /\s#.*$/s.exec(lines[at] ?? '')?.[0] ?? '';
  return value === undefined ? lines.toSpliced(at, 1) : lines.with(at, `${line}${comment}`);
}

function flow(head: string, name: string, value: SettingValue | undefined): string {
  const tree = Object.values(parsed(head) ?? {})[0];
  const entries = Object.entries(isObject(tree) ? tree : {}).filter(([key]) => key !== name);
  const all = value === undefined ? entries : [...entries, [name, value] as const];
  return `{${all.map(([key, one]) => `${key}: ${JSON.stringify(one)}`).join(', ')}}`;
}

/** A value as YAML that cannot be misread: JSON is a subset. */
function inYaml(value: SettingValue): string {
  const isPlain = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z][\w./-]*$/i;
  return typeof value === 'string' && isPlain.test(value) ? value : JSON.stringify(value);
}

function parsed(text: string): Tree | undefined {
  if (text.split('\n').every((line) => /^\s*(?:#|$)/.test(line))) return {};
  try {
    const value: unknown = load(text, { maxAliases: 0 });
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // Not YAML: nothing is edited, and the caller reports it.
  }
}

/** Empty sections mean the same as missing ones; the order of keys means nothing. */
function sorted(tree: Tree = {}): [string, unknown][] {
  const all = leaves(tree).filter(([, value]) => value !== null && value !== undefined);
  return all.sort(([a], [b]) => (a < b ? -1 : 1));
}

function joined(lines: string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** The current value of a setting; throws bad-input for an unknown key. */
export function settingNow(key: string, config: Config): unknown {
  const now = settings(config).get(key);
  if (now !== undefined) return now;
  const near = [...settings(config).keys()].filter((known) => known.startsWith(`${key}.`) || known.endsWith(`.${key}`));
  const hint = near.length > 0 ? `Did you mean ${near.join(', ')}?` : '`git mem config` lists every key.';
  throw new GitMemError('bad-input', `There is no setting "${key.slice(0, 80)}".`, { hint });
}

/** Sets or removes one key in the user's own file, whose path it returns. Throws bad-input. */
export function changeUserSetting(
  key: string,
  value: SettingValue | undefined,
  { config, env }: { config: Config; env: Environment },
): string {
  settingNow(key, config);
  if (value !== undefined) requireValid(key, value, config);
  const path = userConfigPath(env);
  writeUserSetting(path, key, value);
  return path;
}

/** A setting's value as people read it. */
export function spelt(value: unknown): string {
  if (!Array.isArray(value)) return String(value) || '(none)';
  return value.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join(', ') || '(none)';
}

function requireValid(key: string, value: SettingValue, config: Config): void {
  const reason = problemIn(changed(config, key, value), key);
  if (reason !== undefined) throw new GitMemError('bad-input', `"${key}" cannot be ${spelt(value)}: ${reason}.`);
}
