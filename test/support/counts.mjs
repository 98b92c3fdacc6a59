// Counts what somebody has to read, learn and carry on: lines, commands, settings, options, pages. `npm run counts` prints
// a table, then each command, setting and page with a line; with a revision (`npm run counts -- v0.1.0`) the lines and pages of that revision stand beside it.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';

const [before] = process.argv.slice(2);
const ENTRY = `
  import { DEFAULTS } from './src/config-schema.ts';
  import { leaves } from './src/setting-tree.ts';
  import { COMMANDS } from './src/program.ts';
  import { SETTING_WORDS } from './src/setting-words.ts';
  import { openProgram } from './src/surfaces/cli/run.ts';
  const endsOf = (command, parent = '') => {
    const name = (parent + ' ' + command.name()).trim();
    const own = { name, about: command.description(), options: command.options.map(({ flags }) => flags) };
    const isLeaf = command.commands.length === 0;
    return [{ ...own, isLeaf, isHub: /^hub\\b/.test(name) }, ...command.commands.flatMap((one) => endsOf(one, name))];
  };
  openProgram([], process, COMMANDS).then(({ program }) => {
    const commands = program.commands.filter((one) => one.name() !== 'help').flatMap((one) => endsOf(one));
    process.stdout.write(JSON.stringify({ commands, settings: leaves(DEFAULTS).map(([key]) => [key, SETTING_WORDS[key]]) }));
  });
`;

/** The commands that do something, each with its options, and the settings; of the working tree only. */
async function interfaceOf() {
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: '.', loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
    packages: 'external',
    logLevel: 'error',
    define: { 'import.meta.dirname': JSON.stringify(resolve('dist')) },
  });
  return JSON.parse(execFileSync(process.execPath, ['-'], { input: outputFiles[0].text, encoding: 'utf8' }));
}

/** The tracked files of a folder with their lines, as they are now or at a revision. */
function filesOf(folder, revision) {
  const args = ['grep', '--count', '-I', '', ...(revision ? [revision] : []), '--', folder];
  const counts = execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 28 })
    .trim()
    .split('\n');
  return counts.map((line) => {
    const [, path = '', count] = /(?:^|:)([^:]+):(\d+)$/.exec(line) ?? [];
    return { path, lines: Number(count) };
  });
}

const linesIn = (files) => files.reduce((sum, { lines }) => sum + lines, 0);

function lineCounts(revision) {
  const [src, test, docs] = ['src', 'test', 'docs'].map((folder) => filesOf(folder, revision));
  const code = src.filter(({ path }) => /\.(?:tsx?|css)$/.test(path));
  const privacy = src.filter(({ path }) => path.startsWith('src/privacy/'));
  return {
    'src, lines of TypeScript and styles': linesIn(code),
    'test, lines of TypeScript': linesIn(test.filter(({ path }) => path.endsWith('.ts'))),
    'src/privacy, lines': linesIn(privacy),
    'src/privacy, files': privacy.length,
    'docs, pages': docs.filter(({ path }) => path.endsWith('.md')).length,
  };
}

const { commands, settings } = await interfaceOf();
const leaves = commands.filter(({ isLeaf }) => isLeaf);
const optionsOf = (some) => some.reduce((sum, { options }) => sum + options.length, 0);
const [own, hub] = [leaves.filter(({ isHub }) => !isHub), leaves.filter(({ isHub }) => isHub)];
const now = {
  ...lineCounts(),
  'leaf commands': own.length,
  settings: settings.length,
  options: optionsOf(own),
  'leaf commands of the hub': hub.length,
  'options of the hub': optionsOf(hub),
};
const then = before ? lineCounts(before) : {};
console.log(`| | ${before ? `${before} | ` : ''}now |\n|---|${before ? '---|' : ''}---|`);
for (const [name, count] of Object.entries(now)) {
  const cells = [...(before ? [then[name] ?? ''] : []), count].map((n) => n.toLocaleString('en'));
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}
console.log('\n| command | does | options |\n|---|---|---|');
for (const { name, about, options } of commands) {
  const given = options.filter((flags) => flags !== '--json').join(' · ');
  console.log(`| ${name} | ${about} | ${given.replaceAll('|', '\\|')} |`);
}
console.log('\n| setting | decides |\n|---|---|');
for (const [key, words] of settings) console.log(`| ${key} | ${words} |`);
console.log('\n| page | KB | about |\n|---|---|---|');
for (const name of readdirSync('docs').filter((one) => one.endsWith('.md'))) {
  const text = readFileSync(`docs/${name}`, 'utf8');
  console.log(`| ${name} | ${(Buffer.byteLength(text) / 1000).toFixed(1)} | ${/^# (.+)$/m.exec(text)?.[1]} |`);
}
