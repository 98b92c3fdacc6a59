import { toJSONSchema } from 'zod/mini';
import { settings, userConfigPath } from '../../../config.ts';
import { configSchema, isUsersOwn } from '../../../config-schema.ts';
import { GitMemError } from '../../../errors.ts';
import { loadSettings } from '../../../provenance/settings.ts';
import { get } from '../../../setting-tree.ts';
import { changeUserSetting } from '../../../setup/setting-change.ts';
import type { Library } from '../library.ts';
import { parsePosted, SETTING_CHANGE } from '../posted.ts';
import type { Setting, Settings } from '../protocol-changes.ts';

/**
 * Settings that name a program, an address or the variable with a key: setting them runs code or sends a key, so they
 * can be set only in a terminal, whatever a page was made to send.
 */
const TERMINAL_ONLY = /^(?:links|extract\.fallback|hub\..*)$|\.(?:api_key_command|api_key_env|base_url)$/;

/** Every setting with its value and its source. */
export function settingsOf({ project }: Library): Settings {
  const { env } = project.workspace;
  const { config, origins, warnings } = loadSettings(project.workspace);
  const all = [...settings(config)].map(
    ([key, value]): Setting => ({
      key,
      value: shownValue(value),
      origin: origins.get(key) ?? 'default',
      users_own: isUsersOwn(key),
      choices: choicesOf(key),
      ...(TERMINAL_ONLY.test(key) && { terminal_only: true }),
    }),
  );
  return { file: userConfigPath(env), settings: all, warnings };
}

/** Sets or removes one key in the user's own file, and returns all settings afterwards; throws bad-input. */
export function changeSetting(library: Library, body: unknown): Settings {
  const { key, value } = parsePosted(SETTING_CHANGE, body);
  const { workspace } = library.project;
  const { env } = workspace;
  if (TERMINAL_ONLY.test(key)) {
    const message = `"${key}" is not set from a page: it names a program, an address or a key.`;
    throw new GitMemError('bad-input', message, { hint: `In a terminal: git mem config ${key} VALUE` });
  }
  const { config } = loadSettings(workspace);
  changeUserSetting(key, value ?? undefined, { config, env });
  return settingsOf(library);
}

function shownValue(value: unknown): Setting['value'] {
  if (Array.isArray(value)) return value.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
}

/** The values that the schema lists; null if any value is allowed. */
function choicesOf(key: string): string[] | null {
  const place = key.split('.').flatMap((part) => ['properties', part]);
  const choices = get({ ...toJSONSchema(configSchema()) }, [...place, 'enum'].join('.'));
  return Array.isArray(choices) ? choices.map(String) : null;
}
