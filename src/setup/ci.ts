import { packageVersion, readTemplate } from '../templates.ts';
import { packageChecksum } from './package-checksum.ts';
import { type SetupFile, startingFile } from './setup-file.ts';

/** The services that can run the checks of a pull request. */
export const CI_PROVIDERS = ['github', 'gitlab'] as const;
export type CiProvider = (typeof CI_PROVIDERS)[number];

const GITLAB_JOB = '.gitlab/git-mem.yml';
const GITLAB_PIPELINE = '.gitlab-ci.yml';

/** The files that make a provider review the memory in pull requests. */
export function ciFiles(provider: CiProvider): SetupFile[] {
  switch (provider) {
    case 'github':
      return [startingFile('.github/workflows/git-mem.yml', rendered('ci/github.yml'))];
    case 'gitlab':
      // An existing pipeline is the team's: `ciNext` says what to add, because YAML cannot be merged byte for byte.
      return [
        startingFile(GITLAB_JOB, rendered('ci/gitlab.yml')),
        { ...startingFile(GITLAB_PIPELINE, readTemplate('ci/gitlab-include.yml')), isShared: true },
      ];
    default:
      return provider satisfies never;
  }
}

/** The steps left to do by hand, a sentence each; `textOf` reads a file of the checkout. */
export function ciNext(provider: CiProvider, textOf: (path: string) => string | undefined): string[] {
  if (provider !== 'gitlab') return [];
  const pipeline = textOf(GITLAB_PIPELINE) ?? '';
  const include = readTemplate('ci/gitlab-include.yml').trim().split(/\n\s*/).join(' ');
  return [
    ...(pipeline.includes(GITLAB_JOB) ? [] : [`Add the job to ${GITLAB_PIPELINE}: "${include}".`]),
    'For a note in merge requests set the CI/CD variable GIT_MEM_TOKEN; otherwise it is an artifact of the job.',
  ];
}

function rendered(name: string): string {
  return readTemplate(name).replaceAll('{{version}}', packageVersion()).replaceAll('{{checksum}}', packageChecksum());
}
