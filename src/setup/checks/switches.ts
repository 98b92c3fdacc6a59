import { readFileSync } from 'node:fs';
import { parse } from 'jsonc-parser';
import { fieldsOf } from '../../json.ts';
import { leaves } from '../../setting-tree.ts';
import type { Environment } from '../../user-folders.ts';
import { type Check, warn } from '../check.ts';
import type { HostSetup } from '../hosts.ts';

/** Finds settings of a host itself that switch hooks off. */
export function checkSwitches({ name, title, switches }: HostSetup, root: string, env: Environment): Check[] {
  const { files = [], off } = switches(root, env) ?? {};
  return files.flatMap((path) => {
    const found = settingsIn(path).find((setting) => off?.test(setting));
    if (found === undefined) return [];
    const [key, value = ''] = found.split('=');
    const setting = value === 'false' ? found : key;
    const what = value.startsWith('[') ? 'does not run a hook of git-mem' : 'runs no hook';
    const message = `${path} has "${setting}": ${title} ${what}.`;
    return [warn(`hooks ${name}`, message, 'Remove it to capture sessions again.')];
  });
}

/** The settings in a file as `key.key=value`; none if it is missing or unreadable. */
function settingsIn(path: string): string[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return [];
  }
  if (path.endsWith('.toml')) return switchesInToml(text);
  return leaves(fieldsOf(parse(text))).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
}

/** Only what is true or false: in a table, under a dotted key, or in a table on one line. */
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
