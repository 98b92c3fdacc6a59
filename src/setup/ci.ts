import { packageVersion, readTemplate } from '../templates.ts';
import { packageChecksum } from './package-checksum.ts';
import { type SetupFile, startingFile } from './setup-file.ts';

/** The services that can run the checks of a pull request. */
export const CI_PROVIDERS = ['github', 'gitlab'] as const;
export type CiProvider = (typeof CI_PROVIDERS)[number];

/** What CI may do beside reviewing: proposals from merged pull requests, which take a model, and a weekly digest. */
export const CI_JOBS = ['distil', 'digest'] as const;
export type CiJobs = { [Job in (typeof CI_JOBS)[number]]?: boolean | undefined };

/** Where each provider's jobs are; GitLab's are included in the team's one pipeline. */
const FOLDERS: Record<CiProvider, string> = { github: '.github/workflows', gitlab: '.gitlab' };
const GITLAB_PIPELINE = '.gitlab-ci.yml';

/** The files that make a provider review the memory in pull requests, and do these jobs. */
export function ciFiles(provider: CiProvider, jobs: CiJobs = {}): SetupFile[] {
  const wanted = CI_JOBS.filter((job) => jobs[job]);
  const files = ['', ...wanted.map((job) => `-${job}`)].map((job) =>
    startingFile(`${FOLDERS[provider]}/git-mem${job}.yml`, rendered(`ci/${provider}${job}.yml`)),
  );
  if (provider === 'github') return files;
  // An existing pipeline is the team's: `ciNext` says what to add, because YAML cannot be merged byte for byte.
  const pipeline = { ...startingFile(GITLAB_PIPELINE, `${includesOf(files).join('\n')}\n`), isOurs: false };
  return [...files, pipeline];
}

/** Every file that some setup writes. */
export function everyCiFile(): SetupFile[] {
  return CI_PROVIDERS.flatMap((provider) => ciFiles(provider, { distil: true, digest: true }));
}

/** The steps left to do by hand, a sentence each; `textOf` reads a file of the checkout. */
export function ciNext(
  provider: CiProvider,
  textOf: (path: string) => string | undefined,
  jobs: CiJobs = {},
): string[] {
  const files = ciFiles(provider, jobs).filter(({ path }) => path !== GITLAB_PIPELINE);
  const byHand = jobs.distil
    ? [`For proposals set the secrets that ${FOLDERS[provider]}/git-mem-distil.yml names.`]
    : [];
  if (provider === 'github') return byHand;
  const pipeline = textOf(GITLAB_PIPELINE) ?? '';
  const include = includesOf(files).map((line) => line.trim());
  return [
    ...(files.every(({ path }) => pipeline.includes(path))
      ? []
      : [`Add to ${GITLAB_PIPELINE}: "${include.join(' ')}".`]),
    'For a note in merge requests set the CI/CD variable GIT_MEM_TOKEN; otherwise it is an artifact of the job.',
    ...byHand,
    ...(jobs.digest ? ['For digests make a pipeline schedule.'] : []),
  ];
}

function includesOf(files: SetupFile[]): string[] {
  return ['include:', ...files.map(({ path }) => `  - local: ${path}`)];
}

function rendered(name: string): string {
  return readTemplate(name).replaceAll('{{version}}', packageVersion()).replaceAll('{{checksum}}', packageChecksum());
}
