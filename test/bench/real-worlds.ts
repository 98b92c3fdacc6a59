import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from '../../src/memory/codec.ts';
import { storePath } from '../../src/memory/file-name.ts';
import { createEnvironment } from '../../src/setup/demo.ts';
import type { Environment } from '../../src/user-folders.ts';
import { generatedObservation } from '../support/generated-records.ts';

export const RECORDS = Number(process.env.GIT_MEM_BENCH_RECORDS ?? 10_000);
const FILES = 60_000;
const COMMITS = 80_000;
/** The date of the first generated commit, in seconds since 1970. */
const START = 1_700_000_000;

/** A repository to measure in, with the files that its records cite. */
export interface World {
  name: string;
  root: string;
  env: Environment;
  /** Files that it has, and had a tenth of its history ago: the records cite these. */
  cited: string[];
  /** A file that it has and that is cited, and one that is not. */
  known: string;
  unknown: string;
}

/** The worlds, each in a folder of its own; the tiny one first. */
export function makeWorlds(folder: string, program: string): World[] {
  return Object.entries(MAKERS).map(([name, make]) => makeWorld(join(folder, name), name, make, program));
}

type Maker = (root: string, env: Environment) => void;

const MAKERS: Record<string, Maker> = {
  tiny: (root, env) => {
    const paths = Array.from({ length: 40 }, (_, i) => `src/file${i}.js`);
    importInto(root, env, [
      commit(
        0,
        paths.map((path) => [path, contentOf(path)]),
      ),
    ]);
  },
  'own clone': (root, env) => clone(process.cwd(), root, env),
  'many files': (root, env) => {
    const paths = Array.from({ length: FILES }, (_, i) => `src/part${i % 60}/group${i % 700}/file${i}.js`);
    importInto(root, env, [
      commit(
        0,
        paths.map((path) => [path, contentOf(path)]),
      ),
    ]);
  },
  'long history': (root, env) => {
    const given = process.env.GIT_MEM_BENCH_CLONE;
    if (given) return clone(given, root, env);
    importInto(root, env, longHistory());
  },
};

function clone(from: string, root: string, env: Environment): void {
  execFileSync('git', ['clone', '--quiet', from, root], {
    env: { ...env, GIT_ALLOW_PROTOCOL: 'file' },
    stdio: 'ignore',
  });
}

/** Each commit changes a file; every twentieth renames one, every fiftieth removes one and adds another. */
function* longHistory(): Generator<string> {
  const paths = Array.from({ length: 3000 }, (_, i) => `lib/part${i % 30}/file${i}.c`);
  yield commit(
    0,
    paths.map((path) => [path, contentOf(path)]),
  );
  for (let n = 1; n < COMMITS; n++) {
    const at = (n * 7919) % paths.length;
    const path = paths[at] ?? '';
    const next =
      n % 50 === 0 ? `lib/part${n % 30}/added${n}.c` : n % 20 === 0 ? path.replace(/(\.\d+)?\.c$/, `.${n}.c`) : path;
    paths[at] = next;
    const gone = next === path ? '' : n % 50 === 0 ? `D ${path}\n` : `R ${path} ${next}\n`;
    const text = n % 20 === 0 && n % 50 !== 0 ? [] : [[next, contentOf(next, n)] as [string, string]];
    yield commit(n, text, gone);
  }
}

function contentOf(path: string, n = 0): string {
  const name = path.replace(/\W/g, '_');
  return `// ${path}\n${Array.from({ length: 30 }, (_, i) => `export const ${name}_${i} = ${i};\n`).join('')}// ${n}\n`;
}

/** A commit for git fast-import. `seconds` since 1970: git misjudges histories whose dates run backwards. */
function commit(n: number, files: [path: string, content: string][], changes = '', seconds = START + n * 60): string {
  const added = files.map(([path, text]) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
  const message = `Change ${n}`;
  const head = `commit refs/heads/main\ncommitter Bench <bench@example.com> ${seconds} +0000`;
  return `${head}\ndata ${message.length}\n${message}\n${changes}${added.join('')}`;
}

function importInto(root: string, env: Environment, commits: Iterable<string>): void {
  if (!existsSync(root)) execFileSync('git', ['init', '--quiet', '--initial-branch=main', root], { env });
  const stream = join(root, '.git', 'bench-stream');
  writeFileSync(stream, '');
  let chunk = '';
  const flush = () => {
    writeFileSync(stream, chunk, { flag: 'a' });
    chunk = '';
  };
  for (const one of commits) {
    chunk += one;
    if (chunk.length > 1_000_000) flush();
  }
  flush();
  const script = `git fast-import --quiet --force <"$0" && rm "$0" && git reset --hard --quiet`;
  execFileSync('sh', ['-c', script, stream], { cwd: root, env, stdio: 'ignore' });
}

/** Sets a world up as its user would, with its records in the last commits of the reviewed branch. */
function makeWorld(folder: string, name: string, make: Maker, program: string): World {
  mkdirSync(folder, { recursive: true });
  // The machine's own settings of Node may make each of its starts several times as long.
  const all = createEnvironment(folder, program);
  const env = Object.fromEntries(Object.entries(all).filter(([key]) => !key.startsWith('NODE_')));
  const root = join(folder, 'repository');
  make(root, env);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, env, encoding: 'utf8', maxBuffer: 1e9 });
  execFileSync(process.execPath, [program, 'init', '--yes'], { cwd: root, env, stdio: 'ignore' });
  git('add', '--all', '.');
  git('-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', 'commit', '--quiet', '-m', 'Set up git-mem');
  const count = Number(git('rev-list', '--count', 'HEAD'));
  const [then = 'HEAD'] = git('rev-list', `--skip=${Math.floor(count / 10)}`, '--max-count=1', 'HEAD').split('\n');
  const filesOf = (commit: string) =>
    git('ls-tree', '-r', commit)
      .split('\n')
      .flatMap((line) => /^100644 blob (\w+)\t(?!\.memory\/|")(.*\.(?:c|h|js|ts|sh))$/.exec(line)?.slice(1) ?? []);
  const [now, old] = [pairs(filesOf('HEAD')), pairs(filesOf(then))];
  const branch = git('symbolic-ref', '--short', 'HEAD').trim();
  const every = Math.max(1, Math.ceil(RECORDS / 50));
  const records = Array.from({ length: RECORDS }, (_, i) => recordOf(i, i % 2 === 0 ? now : old));
  const memory = Array.from({ length: Math.ceil(RECORDS / every) }, (_, n) => {
    const some = records
      .slice(n * every, (n + 1) * every)
      .map((record): [string, string] => [`.memory/${storePath(record)}`, encode(record)]);
    const from = n === 0 ? `from refs/heads/${branch}^0\n` : '';
    return commit(n, some, from, Math.floor(Date.now() / 1000) + n).replace('refs/heads/main', `refs/heads/${branch}`);
  });
  importInto(root, env, memory);
  if (git('remote').trim() !== '') git('update-ref', `refs/remotes/origin/${branch}`, 'HEAD');
  const known = now[0]?.[1] ?? '';
  return { name, root, env, cited: now.map(([, path]) => path), known, unknown: 'no/such/file.txt' };
}

function pairs(flat: string[]): [blob: string, path: string][] {
  return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i] ?? '', flat[2 * i + 1] ?? '']);
}

/** The generated record, about files of this world. */
function recordOf(i: number, files: [blob: string, path: string][]) {
  const [blob = '', path = ''] = files[(i * 31) % files.length] ?? [];
  const [, other = ''] = files[(i * 37 + 5) % files.length] ?? [];
  const record = generatedObservation(i);
  const name = path.split('/').at(-1) ?? '';
  return {
    ...record,
    files_modified: [path],
    files_read: [other],
    anchors: { [path]: blob },
    narrative: `${record.narrative} See \`${name}\`.`,
  };
}
