import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { textOf } from '../git/locate.ts';
import { fieldsOf, objectIn } from '../json.ts';
import { matchesGlob } from '../memory/glob.ts';

const BIOME = ['biome.json', 'biome.jsonc', '.biome.json', '.biome.jsonc'];

const PRETTIER = ['json', 'yaml', 'yml', 'js', 'cjs', 'mjs', 'ts', 'toml'].flatMap((ending) =>
  ending === 'json' ? ['.prettierrc', '.prettierrc.json'] : [`.prettierrc.${ending}`, `prettier.config.${ending}`],
);

export function usesBiome(root: string): boolean {
  return BIOME.some((name) => existsSync(join(root, name)));
}

/** As Biome, Prettier or `.editorconfig` say. Prettier's settings are searched, not run: they may be a program. */
export function jsonIndent(root: string, path: string): string {
  const first = (names: string[]) => names.map((name) => textOf(join(root, name))).find(Boolean);
  const editor = editorConfig(textOf(join(root, '.editorconfig')) ?? '', path);
  const biome = first(BIOME);
  if (biome !== undefined) {
    const { formatter, json } = fieldsOf(parse(biome));
    const general = fieldsOf(formatter);
    const own = { ...general, ...fieldsOf(fieldsOf(json).formatter) };
    const { style, width } = general.useEditorconfig === true ? editor : { style: 'tab', width: '' };
    return unit(String(own.indentStyle ?? style ?? 'tab'), String(own.indentWidth ?? width));
  }
  const inPackage = JSON.stringify(objectIn(textOf(join(root, 'package.json')) ?? '')?.prettier);
  const [prettier = ''] = (first(PRETTIER) ?? inPackage ?? '').split('overrides');
  const [, tabs] = /\buseTabs["']?\s*[:=]\s*(true|false)/.exec(prettier) ?? [];
  const [, width] = /\btabWidth["']?\s*[:=]\s*(\d+)/.exec(prettier) ?? [];
  return unit(tabs === 'true' ? 'tab' : tabs === 'false' ? 'space' : editor.style, width ?? editor.width);
}

function unit(style: string | undefined, width: string | undefined): string {
  return style === 'tab' ? '\t' : ' '.repeat(Math.min(Number(width) || 2, 8));
}

/** What `.editorconfig` says about a file: https://spec.editorconfig.org */
function editorConfig(text: string, path: string): { style: string | undefined; width: string | undefined } {
  const found: Record<string, string> = {};
  let isMeant = false;
  for (const line of text.split(/\r?\n/)) {
    const [, section] = /^\s*\[(.+)\]\s*$/.exec(line) ?? [];
    const [, key = '', value = ''] = /^\s*([\w-]+)\s*=\s*([^\s;#]+)/.exec(line) ?? [];
    if (section !== undefined) isMeant = alternatives(section).some((glob) => isMatch(glob, path));
    else if (isMeant) found[key.toLowerCase()] = value.toLowerCase();
  }
  return { style: found.indent_style, width: found.indent_size === 'tab' ? found.tab_width : found.indent_size };
}

/** A glob without a slash applies to names in every folder. */
function isMatch(glob: string, path: string): boolean {
  return matchesGlob(glob.replace(/^\//, ''), glob.includes('/') ? path : path.slice(path.lastIndexOf('/') + 1));
}

/** The globs that braces stand for: `*.{json,yml}` is two. */
function alternatives(glob: string): string[] {
  const [all, list = ''] = /\{([^{}]*)\}/.exec(glob) ?? [];
  if (all === undefined) return [glob];
  return list.split(',').flatMap((one) => alternatives(glob.replace(all, () => one.trim())));
}
