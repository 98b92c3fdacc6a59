import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { install, megabytes, npm, pack, type Variant, walk } from '../support/package-walk.ts';
import { inFolder } from './scratch-folder.ts';
import { type Figure, printTable } from './table.ts';

const NODES = [20, 22, 24, 26];

/** Megabytes that an installed git-mem may have, with what npm installs beside it. */
const MOST_MB = 60;

/** Where Nodes of other versions are kept between runs. */
const NODE_CACHE = join(tmpdir(), 'git-mem-bench-nodes');

/** Mounts a folder read-only for one command, and sees to it that it is. */
const READ_ONLY = 'mount --bind -o ro "$0" "$0" && ! touch "$0/probe" 2>/dev/null && exec "$@"';

/** What one variant came to: how far it went and what it weighs, or why it was not run. */
type Row = [name: string, node: string, index: string, steps: string, size: string, verdict: string];

/** Packs the project, installs it in every way that people may, and uses it from `init` to `uninstall`. */
export async function packaging(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const { path: tarball } = pack(folder);
    const here = dirname(process.execPath);
    const rows: Row[] = [];
    let count = 0;
    const place = () => join(folder, `variant-${++count}`);
    const add = (name: string, options: Partial<Variant> & Pick<Variant, 'prefix'>, expected?: string) => {
      const variant = { folder: place(), nodeFolder: here, shell: ['sh'], ...options };
      rows.push(rowOf(name, variant, expected));
    };
    const notRun = (name: string, reason: unknown) => {
      const said = reason instanceof Error ? reason.message : String(reason);
      rows.push([name, '', '', '', '', `not run: ${said.split('\n')[0]}`]);
    };

    for (const major of NODES) {
      const name = `Node ${major}`;
      try {
        const node = fetchNode(major);
        const prefix = place();
        install(tarball, prefix, { node });
        add(name, { prefix, nodeFolder: dirname(node) });
      } catch (error) {
        notRun(name, error);
      }
    }
    const prefix = place();
    install(tarball, prefix, { args: ['--ignore-scripts'] });
    add('--ignore-scripts', { prefix });
    const bare = place();
    install(tarball, bare, { args: ['--ignore-scripts'] });
    rmSync(join(installed(bare), 'node_modules'), { recursive: true, force: true });
    add('no native modules', { prefix: bare }, 'MiniSearch');
    const wrapper = ['unshare', '-m', 'sh', '-c', READ_ONLY, prefix];
    if (canRun([...wrapper, 'true'])) add('read-only prefix', { prefix, wrapper });
    else notRun('read-only prefix', 'no mount in a namespace of its own here');
    if (canRun(['dash', '-c', ':'])) add('launcher under dash', { prefix, shell: ['dash'] });
    else notRun('launcher under dash', 'there is no dash here');
    if (canRun(['busybox', 'true'])) {
      add('launcher under busybox sh', { prefix, shell: ['busybox', 'sh'], tools: applets(place()) });
    } else notRun('launcher under busybox sh', 'there is no busybox here');
    add('LANG=C', { prefix, env: { LANG: 'C', LC_ALL: 'C' } });
    const spaced = join(place(), 'a place  with spaces');
    install(tarball, join(spaced, 'pre fix'), { args: ['--ignore-scripts'] });
    add('spaces in home, repository and prefix', {
      folder: spaced,
      prefix: join(spaced, 'pre fix'),
      env: { HOME: join(spaced, 'my home') },
    });

    printTable(
      `Packaging: at most ${MOST_MB} MB installed`,
      ['variant', 'Node', 'index', 'steps', 'MB', 'verdict'],
      rows.map((row) => [...row]),
    );
    const run = rows.filter((row) => !row[5].startsWith('not run'));
    const works = run.filter((row) => !row[5].startsWith('BROKEN')).length;
    const largest = Math.max(...run.map((row) => Number(row[4])));
    return [
      {
        promise: `ways to install and run it that work: ${run.map(([name]) => name).join(', ')}`,
        bound: `all ${run.length}`,
        value: String(works),
        holds: works === run.length,
      },
      {
        promise: 'installed with its dependencies, the largest of them, MB',
        bound: `<= ${MOST_MB}`,
        value: largest.toFixed(0),
        holds: largest <= MOST_MB,
      },
    ];
  });
}

function rowOf(name: string, variant: Variant, expected = ''): Row {
  const { steps, failure, index, node } = walk(variant);
  const size = megabytes(installed(variant.prefix));
  const kind = index.split(/[,:]/)[0] ?? '';
  const wrong = failure ?? (kind.startsWith(expected) ? undefined : `${kind} answers`);
  const verdict = wrong === undefined ? (size <= MOST_MB ? 'holds' : 'BROKEN: too large') : `BROKEN: ${wrong}`;
  return [name, /\d[\d.]*\d/.exec(node)?.[0] ?? '', kind, String(steps), size.toFixed(1), verdict];
}

function installed(prefix: string): string {
  return join(prefix, 'lib/node_modules/git-mem');
}

/** A Node of a version, from npm the first time; throws what npm says. */
function fetchNode(major: number): string {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const place = join(NODE_CACHE, String(major));
  const node = join(place, 'node_modules', name, 'bin/node');
  if (!existsSync(node)) {
    mkdirSync(place, { recursive: true });
    npm(['install', '--prefix', place, '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${major}`], {});
  }
  return node;
}

/** A folder in which every tool but git is busybox. */
function applets(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const lines = (command: string, args: string[]) =>
    spawnSync(command, args, { encoding: 'utf8' }).stdout.trim().split('\n');
  const [busybox = ''] = lines('sh', ['-c', 'command -v busybox']);
  const [git = ''] = lines('sh', ['-c', 'command -v git']);
  for (const applet of [...lines(busybox, ['--list']), 'busybox']) symlinkSync(busybox, join(folder, applet));
  symlinkSync(git, join(folder, 'git'));
  return folder;
}

function canRun([program = '', ...args]: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
