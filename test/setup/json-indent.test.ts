import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { HOSTS, hostFiles } from '../../src/setup/hosts.ts';
import { applyInit, planInit } from '../../src/setup/init.ts';
import { jsonIndent } from '../../src/setup/json-indent.ts';
import { memoryFiles } from '../../src/setup/memory-files.ts';
import { createRepository } from '../support/repository.ts';
import { it } from '../support/with-repository.ts';

const EDITOR =
  '[*]\nindent_style = tab ; all\n[*.{yml,json}]\nindent_style = space\nindent_size = 4\n[/lib/**.json]\nindent_size = 8\n';

const cases: [string, Record<string, string>, string][] = [
  ['nothing asks for anything', {}, '  '],
  ['.editorconfig has a section for JSON', { '.editorconfig': EDITOR }, '    '],
  ['.editorconfig wants tabs everywhere', { '.editorconfig': 'root=true\n[*]\nindent_style=tab\n' }, '\t'],
  ['Prettier goes before .editorconfig', { '.editorconfig': EDITOR, '.prettierrc': 'useTabs: true\n' }, '\t'],
  ['Prettier leaves it to .editorconfig', { '.editorconfig': EDITOR, '.prettierrc.json': '{"semi": false}' }, '    '],
  [
    'an override of Prettier is about other files',
    { '.prettierrc': '{"overrides": [{"files": "*.md", "options": {"useTabs": true}}]}' },
    '  ',
  ],
  ['Prettier is set by a program', { 'prettier.config.mjs': 'export default { tabWidth: 3 };\n' }, '   '],
  ['Prettier is set in package.json', { 'package.json': '{"prettier": {"tabWidth": 4}}' }, '    '],
  ['Biome has its default', { 'biome.json': '{}', '.prettierrc': '{"tabWidth": 4}' }, '\t'],
  [
    'Biome has a comment and spaces',
    { 'biome.jsonc': '{ // spaces\n "formatter": {"indentStyle": "space", "indentWidth": 4} }' },
    '    ',
  ],
  [
    'Biome has a rule for JSON',
    { 'biome.json': '{"formatter": {"indentStyle": "tab"}, "json": {"formatter": {"indentStyle": "space"}}}' },
    '  ',
  ],
  [
    'Biome asks .editorconfig',
    { 'biome.json': '{"formatter": {"useEditorconfig": true}}', '.editorconfig': EDITOR },
    '    ',
  ],
];

it.each(cases)('indents new JSON as the repository does where %s', (_, files, indent) => {
  const { root } = createRepository();
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  expect(jsonIndent(root, '.claude/settings.json')).toBe(indent);
});

it('writes every new JSON file with it, and leaves existing ones their own', ({ repository }) => {
  repository.write('.editorconfig', '[*]\nindent_style = tab\n');
  repository.write('.mcp.json', '{\n   "mcpServers": {}\n}\n');
  repository.write('.gemini/settings.json', '{}\n');
  const place = { root: repository.root, state: join(repository.root, '.git', 'git-mem') };
  const plan = planInit(place, hostFiles(HOSTS, repository.root)).filter(({ path }) => path.endsWith('.json'));
  expect(plan.length).toBeGreaterThan(10);
  for (const { path, after } of plan) {
    const lines = after.toString().split('\n');
    expect(
      lines.filter((line) => (path === '.mcp.json' ? /^\t/ : /^ /).test(line)),
      path,
    ).toEqual([]);
  }
  applyInit(place, planInit(place, hostFiles(HOSTS, repository.root)));
  expect(planInit(place, hostFiles(HOSTS, repository.root)).filter(({ action }) => action !== 'unchanged')).toEqual([]);
});

it('keeps formatters, linters and packages out of .memory, Biome only where it is used', ({ repository }) => {
  const names = () => memoryFiles('team', repository.root).map(({ path }) => path);
  expect(names()).toContain('.memory/.prettierrc');
  expect(names()).not.toContain('.memory/biome.json');
  repository.write('biome.json', '{}\n');
  expect(names()).toContain('.memory/biome.json');
  expect(hostFiles(HOSTS, repository.root).map(({ path }) => path)).toContain('.claude/skills/mem-search/biome.json');
});

it('writes no line that linters find too long by default', () => {
  const texts = [...memoryFiles('team'), ...memoryFiles('private'), ...hostFiles(HOSTS)]
    .filter(({ path }) => /\.(?:md|yaml)$/.test(path) && path !== '.memory/README.md')
    .map(({ add }) => add(undefined, false));
  const long = texts.flatMap((text) => text.split('\n')).filter((line) => line.length > 80);
  expect(long.filter((line) => !line.startsWith('description: '))).toEqual([]);
  expect(texts.length).toBeGreaterThan(4);
});
