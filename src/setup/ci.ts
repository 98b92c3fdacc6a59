import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot, packageVersion, readTemplate } from '../templates.ts';
import { type SetupFile, startingFile } from './setup-file.ts';

/** The services that can run the checks of a pull request. */
export const CI_PROVIDERS = ['github', 'gitlab'] as const;
export type CiProvider = (typeof CI_PROVIDERS)[number];

/** Where each provider's job is; GitLab's is included in the team's one pipeline. */
const JOBS: Record<CiProvider, string> = { github: '.github/workflows/git-mem.yml', gitlab: '.gitlab/git-mem.yml' };
const GITLAB_PIPELINE = '.gitlab-ci.yml';

/** The files that make a provider review the memory in pull requests. */
export function ciFiles(provider: CiProvider): SetupFile[] {
  const path = JOBS[provider];
  const job = startingFile(path, rendered(`ci/${provider}.yml`));
  if (provider === 'github') return [job];
  // An existing pipeline is the team's: `ciNext` says what to add, because YAML cannot be merged byte for byte.
  return [job, { ...startingFile(GITLAB_PIPELINE, `include:\n  - local: ${path}\n`), isOurs: false }];
}

/** Every file that some setup writes. */
export function everyCiFile(): SetupFile[] {
  return CI_PROVIDERS.flatMap(ciFiles);
}

/** The steps left to do by hand, one sentence each; `textOf` reads a file of the checkout. */
export function ciNext(provider: CiProvider, textOf: (path: string) => string | undefined): string[] {
  if (provider === 'github') return [];
  const path = JOBS[provider];
  const isIncluded = (textOf(GITLAB_PIPELINE) ?? '').includes(path);
  return [
    ...(isIncluded ? [] : [`Add to ${GITLAB_PIPELINE}: "include: - local: ${path}".`]),
    'For a note in merge requests set the CI/CD variable GIT_MEM_TOKEN; otherwise it is an artifact of the job.',
  ];
}

function rendered(name: string): string {
  return readTemplate(name).replaceAll('{{version}}', packageVersion()).replaceAll('{{checksum}}', packageChecksum());
}

/** The files of this package that npm packs, as in `files` of package.json. */
const PACKED = ['LICENSE', 'README.md', 'SECURITY.md', 'dist', 'package.json', 'templates'];
const LEFT_OUT = /^dist\/bench-/;

/**
 * A checksum over all files of this package, wherever it runs from: the installation in the generated CI jobs must
 * match it. In a shell, from the folder of the package: `find . -type f ! -path './node_modules/*' | LC_ALL=C sort |
 * xargs sha256sum | sha256sum`.
 */
export function packageChecksum(root = packageRoot()): string {
  const listing = PACKED.flatMap((name) => filesAt(root, name))
    .filter((path) => !LEFT_OUT.test(path))
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map((path) => `${sha256(readFileSync(join(root, path)))}  ./${path}\n`);
  return sha256(listing.join(''));
}

function filesAt(root: string, path: string): string[] {
  if (!path.startsWith('dist') && !path.startsWith('templates')) return [path];
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesAt(root, `${path}/${entry.name}`) : [`${path}/${entry.name}`],
  );
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
