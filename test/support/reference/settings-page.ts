import { toJSONSchema } from 'zod/mini';
import { settings } from '../../../src/config.ts';
import { configSchema, DEFAULTS, isUsersOwn } from '../../../src/config-schema.ts';
import { SETTING_WORDS } from '../../../src/setting-words.ts';

/** The generated part of docs/configuration.md: every setting with its default, its values, and who may set it. */
export function settingsPart(): string {
  const rows = [...settings(DEFAULTS)].map(([key, value]) => {
    const owner = isUsersOwn(key) ? 'yours only' : '';
    return `| \`${key}\` | \`${JSON.stringify(value)}\` | ${valuesOf(key)} | ${owner} | ${SETTING_WORDS[key] ?? ''} |`;
  });
  return [
    '| key | default | values | in whose file | what it decides |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

interface Schema {
  type?: string;
  enum?: string[];
  pattern?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
}

function valuesOf(key: string): string {
  let schema: Schema | undefined = toJSONSchema(configSchema(), { io: 'input' }) as Schema;
  for (const part of key.split('.')) schema = schema?.properties?.[part];
  if (schema?.enum) return schema.enum.map((one) => `\`${one}\``).join(', ');
  switch (schema?.type) {
    case 'array':
      return schema.items?.type === 'string' ? 'a list of words' : 'a list, see below';
    case 'integer':
      return 'a whole number';
    case 'boolean':
      return '`true`, `false`';
    default:
      return schema?.pattern?.includes('|m|h|d') ? 'a duration: `30m`, `24h`, `7d`' : 'text';
  }
}
