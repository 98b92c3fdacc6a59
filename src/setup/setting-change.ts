import { type Config, settings, userConfigPath } from '../config.ts';
import { problemIn } from '../config-schema.ts';
import { GitMemError } from '../errors.ts';
import { changed } from '../setting-tree.ts';
import type { Environment } from '../user-folders.ts';
import { type SettingValue, writeUserSetting } from './user-settings.ts';

/** The current value of a setting; throws bad-input for an unknown key. */
export function settingNow(key: string, config: Config): unknown {
  const now = settings(config).get(key);
  if (now !== undefined) return now;
  const near = [...settings(config).keys()].filter((known) => known.startsWith(`${key}.`) || known.endsWith(`.${key}`));
  const hint = near.length > 0 ? `Did you mean ${near.join(', ')}?` : '`git mem config` lists every key.';
  throw new GitMemError('bad-input', `There is no setting "${key.slice(0, 80)}".`, { hint });
}

/**
 * Sets one key in the user's own file, or removes it; returns the file's path. Throws bad-input for an invalid key or
 * value.
 */
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
  if (reason === undefined) return;
  throw new GitMemError('bad-input', `"${key}" cannot be ${spelt(value)}: ${reason}.`);
}
