import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../../git/locate.ts';
import { objectIn } from '../../json.ts';
import { matchesGlob } from '../../memory/glob.ts';
import { type Check, type Patient, warn } from '../check.ts';
import { hostFiles } from '../hosts.ts';
import { hostsIn } from './checkout.ts';

/** A way to publish a whole checkout. */
interface Way {
  name: string;
  /** The patterns of what is left out, the last match counting; undefined where the repository does not publish so. */
  leftOut(read: (path: string) => string): string[] | undefined;
  hint: string;
}

/** `.memory` leaves these out by files of its own. */
const GUARDED = ['npm pack', 'git archive'];

const WAYS: Way[] = [
  {
    name: 'npm pack',
    leftOut(read) {
      const { name, version, files, private: isPrivate } = objectIn(read('package.json')) ?? {};
      if (!name || !version || isPrivate === true || files !== undefined) return undefined;
      return linesOf(read('.npmignore') || read('.gitignore'));
    },
    hint: 'List what to publish under "files" in package.json, or add them to .npmignore.',
  },
  {
    name: 'cargo package',
    leftOut(read) {
      const manifest = read('Cargo.toml');
      if (!/^\[package\]/m.test(manifest) || /^(?:publish\s*=\s*false|include\s*=)/m.test(manifest)) return undefined;
      return listIn(manifest, 'exclude');
    },
    hint: 'Add them to `exclude` under [package] in Cargo.toml.',
  },
  {
    name: 'The sdist of Hatch',
    leftOut(read) {
      const manifest = read('pyproject.toml');
      const [, after = ''] = manifest.split(/^\[tool\.hatch\.build\.targets\.sdist\]/m);
      const sdist = after.split(/^\[[a-z]/m, 1)[0] ?? '';
      if (!/build-backend\s*=\s*["']hatchling/.test(manifest) || /^(?:only-)?include\s*=/m.test(sdist))
        return undefined;
      return listIn(sdist, 'exclude');
    },
    hint: 'Add them to `exclude` under [tool.hatch.build.targets.sdist] in pyproject.toml.',
  },
  {
    name: 'A Docker image',
    leftOut(read) {
      // Only where the whole context is copied.
      if (!/^\s*(?:COPY|ADD)\s+(?:--\S+\s+)*\[?\s*"?\.\/?"?[\s,]/im.test(read('Dockerfile'))) return undefined;
      return linesOf(read('Dockerfile.dockerignore') || read('.dockerignore'));
    },
    hint: 'Add them to .dockerignore.',
  },
  {
    name: 'git archive',
    leftOut(read) {
      const found = linesOf(read('.gitattributes')).filter((line) => /\sexport-ignore\b/.test(line));
      return found.length === 0 ? undefined : found.map((line) => line.split(/\s/, 1)[0] ?? '');
    },
    hint: 'Add `PATH export-ignore` for each to .gitattributes.',
  },
];

/** Checks whether a package of the repository would contain what was set up, by what its manifests say. */
export function checkPublished({ workspace }: Patient): Check[] {
  const { root } = workspace.checkout;
  const tops = [...hostFiles(hostsIn(root)), { path: '.memory' }].map(({ path }) => path.split('/')[0] ?? '');
  // What is seen on a code host, such as .github, is there for others, too.
  const ours = [...new Set(tops)].filter((path) => path.startsWith('.') && existsSync(join(root, path)));
  return WAYS.flatMap(({ name, leftOut, hint }) => {
    const patterns = leftOut((path) => textOf(join(root, path)) ?? '');
    if (patterns === undefined) return [];
    const taken = ours.filter((path) => !isLeftOut(path, patterns) && !(path === '.memory' && GUARDED.includes(name)));
    return taken.length === 0 ? [] : [warn('published', `${name} would contain ${taken.join(', ')}.`, hint)];
  });
}

function isLeftOut(path: string, patterns: string[]): boolean {
  const last = patterns.findLast((line) => matchesGlob(line.replace(/^!?(?:\.?\/)?|\/(?:\*\*?)?$/g, ''), path));
  return last !== undefined && !last.startsWith('!');
}

function linesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => line.trim().replace(/^#.*/, '') || []);
}

/** The strings of a list in TOML. */
function listIn(text: string, key: string): string[] {
  const [, list = ''] = new RegExp(`^${key}\\s*=\\s*\\[([^\\]]*)\\]`, 'm').exec(text) ?? [];
  return [...list.matchAll(/["']([^"']+)["']/g)].map(([, one]) => one ?? '');
}
