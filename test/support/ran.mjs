// Counts the files of `src` of which something runs in each of five usual runs of the built program, by V8's coverage and the
// bundles' source maps: `npm run build && node test/support/ran.mjs`; with a name (`ran.mjs search`) it lists them.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decode } from '@jridgewell/sourcemap-codec';

const [listed] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'git-mem-ran-'));
const root = join(scratch, 'repository');
const env = {
  PATH: `${scratch}:${process.env.PATH}`,
  HOME: join(scratch, 'home'),
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.test',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.test',
};
const run = (command, args, more = {}) =>
  execFileSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
    ...more,
    env: { ...env, ...more.env },
  });
const gitMem = (args, more) => run('git-mem', args, more);

const session = { session_id: 's1', cwd: root, transcript_path: join(scratch, 'none.jsonl') };
const hook = (event, fields, more) =>
  gitMem(['hook', 'claude-code', event], {
    ...more,
    input: JSON.stringify({ hook_event_name: event, ...session, ...fields }),
  });
const RUNS = {
  'session start': (more) => hook('SessionStart', { source: 'startup' }, more),
  'a prompt with three records': (more) =>
    hook('UserPromptSubmit', { prompt: 'Why does the parser keep the offsets of alpha and beta?' }, more),
  search: (more) => gitMem(['search', 'parser offsets'], more),
  diff: (more) => gitMem(['diff', 'main...side'], more),
  'a drain': (more) => {
    hook('PostToolUse', {
      tool_name: 'Edit',
      tool_use_id: 't1',
      tool_input: { file_path: join(root, 'parser.ts'), old_string: 'a', new_string: 'b' },
      tool_response: {},
    });
    hook('Stop', {});
    return gitMem(['drain', '--all', '--wait'], more);
  },
};

try {
  mkdirSync(root);
  mkdirSync(env.HOME);
  symlinkSync(resolve('dist/bin.cjs'), join(scratch, 'git-mem'));
  writeFileSync(join(root, 'parser.ts'), 'export const offsets = [];\n');
  run('git', ['init', '-q', '-b', 'main']);
  gitMem(['init', '--yes', '--host', 'claude-code']);
  run('git', ['add', '-A']);
  run('git', ['commit', '-qm', 'Set up']);
  run('git', ['checkout', '-qb', 'side']);
  for (const word of ['alpha', 'beta', 'gamma'])
    gitMem([
      'add',
      '--type',
      'decision',
      '--title',
      `The parser keeps the offsets of ${word}`,
      '--narrative',
      `Errors name ${word}.`,
      '--file-modified',
      'parser.ts',
    ]);
  run('git', ['add', '-A']);
  run('git', ['commit', '-qm', 'Records']);
  for (const [name, act] of Object.entries(RUNS)) {
    act({});
    const folder = join(scratch, name);
    act({ env: { NODE_V8_COVERAGE: folder } });
    const files = filesThatRan(folder);
    console.log(`${name}: ${files.length}`);
    if (name === listed) console.log(files.join('\n'));
  }
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}

/** The files of which a function was called, or that were loaded. */
function filesThatRan(folder) {
  const scripts = readdirSync(folder).flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).result);
  const found = scripts
    .filter(({ url }) => /\/dist\/\w+\.cjs$/.test(url) && existsSync(`${fileURLToPath(url)}.map`))
    .flatMap(({ url, functions }) => sourcesOf(fileURLToPath(url), functions));
  return [...new Set(found)].filter((source) => /(?:^|\/)src\//.test(source)).sort();
}

function sourcesOf(bundle, functions) {
  const { sources, mappings } = JSON.parse(readFileSync(`${bundle}.map`, 'utf8'));
  const lines = decode(mappings);
  const starts = [0];
  for (const { index } of readFileSync(bundle, 'utf8').matchAll(/\n/g)) starts.push(index + 1);
  const called = functions
    .map(({ ranges }) => ranges[0])
    .filter(({ count, startOffset }) => count > 0 && startOffset > 0);
  return called.flatMap(({ startOffset }) => {
    const line = starts.findLastIndex((start) => start <= startOffset);
    const segment = lines[line]?.findLast(([column]) => column <= startOffset - (starts[line] ?? 0) + 1);
    return segment === undefined ? [] : [sources[segment[1]]];
  });
}
