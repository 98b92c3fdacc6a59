import { Option } from 'commander';
import { toJSONSchema } from 'zod/mini';
import { type LoadedConfig, settings, userConfigPath, valueLike } from '../../../config.ts';
import { configSchema, isUsersOwn } from '../../../config-schema.ts';
import { GitMemError } from '../../../errors.ts';
import { loadSettings, settingsNotice } from '../../../provenance/settings.ts';
import { SETTING_WORDS } from '../../../setting-words.ts';
import { changeUserSetting, type SettingValue, settingNow, spelt } from '../../../setup/user-settings.ts';
import { type Context, define, type Flags, type Register } from '../command.ts';
import { shown } from '../print.ts';

type Options = Flags<'unset' | 'schema' | 'json'>;

export const register: Register = (program, context) =>
  define(program, 'config', 'show settings and where each comes from, or set your own')
    .argument('[key]', 'such as extract.provider')
    .argument('[value]', 'the new value in your own file; lists are separated by commas')
    .option('--unset', 'remove the key from your own file')
    .addOption(new Option('--schema', 'print the JSON Schema of the settings, for editors').conflicts('unset'))
    .jsonAndNotes(`
Later places win: the team's .memory/config.yaml, your own file, and the environment (GIT_MEM_EXTRACT_PROVIDER). The
team's file is edited by hand, and counts once the default branch has it; before that, only stricter privacy does. Keys
that send data, spend money or run programs count only in your own file.

Examples:
  git mem config                              every setting, its value and its origin
  git mem config extract.provider             one value
  git mem config extract.provider claude-cli  set it in your own file
  git mem config extract.provider --unset     and take it out again
  git mem config --schema > schema.json       for completion in an editor`)
    .action(async (key: string | undefined, value: string | undefined, options: Options) => {
      if (options.schema) return context.json(described(toJSONSchema(configSchema(), { io: 'input' })));
      const loaded = context.project().config();
      if (key === undefined) return list(loaded, context, options);
      const now = settingNow(key, loaded.config);
      const origin = loaded.origins.get(key) ?? 'default';
      if (value === undefined && !options.unset) {
        if (options.json) return context.json({ key, value: now, origin, users_own: isUsersOwn(key) });
        return void context.stdout.write(`${shown(spelt(now))}\n`);
      }
      if (value !== undefined && options.unset) {
        throw new GitMemError('bad-input', 'A value cannot be set and unset at once.');
      }
      set(key, value === undefined ? undefined : readValue(value, now), context);
    });

function list(loaded: LoadedConfig, context: Context, { json }: Options): void {
  const { config, origins } = loaded;
  const warnings = [...loaded.warnings, settingsNotice(loaded)].filter((text) => text !== undefined);
  const all = [...settings(config)].map(([key, value]) => ({ key, value, origin: origins.get(key) ?? 'default' }));
  if (json) return void context.json({ file: userConfigPath(context.env), settings: all, warnings });
  const { style } = context;
  const width = Math.max(...all.map(({ key }) => key.length));
  for (const { key, value, origin } of all) {
    const from = origin === 'default' ? '' : style('dim', `  (${origin})`);
    context.stdout.write(`${key.padEnd(width)}  ${shown(spelt(value))}${from}\n`);
  }
  for (const warning of warnings) context.say(warning);
}

function set(key: string, value: SettingValue | undefined, context: Context): void {
  const { workspace, config: before } = context.project();
  const path = changeUserSetting(key, value, { config: before().config, env: context.env });
  const { config, origins } = loadSettings(workspace);
  const origin = origins.get(key) ?? 'default';
  const now = `${key} is ${shown(spelt(settings(config).get(key)))} now (${origin})`;
  context.stderr.write(value === undefined ? `${now}: ${path} does not set it.\n` : `${now}, by ${path}.\n`);
  if (value !== undefined && origin === 'environment') {
    context.say(`The environment overrides your file: unset GIT_MEM_${key.replaceAll('.', '_').toUpperCase()}.`);
  }
}

/** The text converted to the type of the key's value. */
function readValue(text: string, now: unknown): SettingValue {
  if (typeof now === 'boolean' && !/^(?:1|true|yes|on|0|false|no|off)$/i.test(text)) {
    throw new GitMemError('bad-input', `"${text}" is neither true nor false.`);
  }
  const value = valueLike(now, text);
  // What is not a number is refused as it was typed.
  return typeof value === 'number' && (text.trim() === '' || Number.isNaN(value)) ? text : value;
}

interface JsonSchema {
  description?: string;
  properties?: Record<string, JsonSchema | boolean>;
}

/** Adds a description at each setting, which editors show: in a copy, because settings of one kind share one object. */
function described(schema: JsonSchema, prefix = ''): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, one]): [string, JsonSchema | boolean] => {
    const key = prefix + name;
    const description = SETTING_WORDS[key];
    if (typeof one === 'boolean') return [name, one];
    return [name, description === undefined ? described(one, `${key}.`) : { ...one, description }];
  });
  return { ...schema, ...(properties.length > 0 && { properties: Object.fromEntries(properties) }) };
}
